//go:build !js

// The tests here read the sources, which are the same as wasm.

package core_test

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// api lists the packages that users import. All others may change in any version.
var api = map[string]bool{"core": true, "core/format": true, "core/forward": true,
	"core/msg": true, "core/policy": true}

// Each package says whether it is a part of the API. Those that are begin with an example, and no exported function of
// core has a type of an internal package in its signature.
func TestPackagesSayWhetherTheyAreTheAPI(t *testing.T) {
	found := map[string]string{}
	for _, top := range []string{"core", "wasm", "web", "worker"} {
		err := filepath.WalkDir(filepath.Join("..", top), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "internal" || entry.Name() == "node_modules" || entry.Name() == "testdata"):
				return fs.SkipDir
			case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
			if err != nil || file.Name.Name == "main" {
				return err
			}
			dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../")
			found[dir] += file.Doc.Text()
			if dir == "core" {
				noInternalTypes(t, path, file)
			}
			return nil
		})
		require.NoError(t, err)
	}
	for dir, text := range found {
		require.Equal(t, !api[dir], strings.Contains(text, "It is not a part of the API (see package core)."), dir)
		if !api[dir] {
			continue
		}
		require.Contains(t, text, "It is a part of the API", dir)
		parsed := new(comment.Parser).Parse(text)
		require.Greater(t, len(parsed.Content), 1, dir)
		require.IsType(t, &comment.Code{}, parsed.Content[1], "%s: go doc begins with an example", dir)
		if dir == "core" {
			for name := range api {
				require.Contains(t, text, name)
			}
		}
	}
	require.Greater(t, len(found), 30)
}

// noInternalTypes checks the signatures of exported functions without a receiver.
func noInternalTypes(t *testing.T, path string, file *ast.File) {
	internal := map[string]bool{}
	for _, imported := range file.Imports {
		if p := strings.Trim(imported.Path.Value, `"`); strings.Contains(p, "/internal/") {
			internal[p[strings.LastIndexByte(p, '/')+1:]] = true
		}
	}
	for _, declared := range file.Decls {
		f, ok := declared.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !f.Name.IsExported() {
			continue
		}
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if selected, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := selected.X.(*ast.Ident); ok {
					require.False(t, internal[x.Name], "%s: %s has a type of package %s", path, f.Name, x.Name)
				}
			}
			return true
		})
	}
}
