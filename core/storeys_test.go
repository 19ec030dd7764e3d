//go:build !js

package core_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// In the four packages of a compaction, files have an order: each refers only to files that do not refer back, so that
// one can be read without the others.
func TestFilesHaveAnOrder(t *testing.T) {
	for _, dir := range []string{".", "view", "plan", "apply"} {
		refs := fileReferences(t, dir)
		require.NotEmpty(t, refs, dir)
		done := map[string]bool{}
		var visit func(file string, path []string)
		visit = func(file string, path []string) {
			if i := slices.Index(path, file); i >= 0 {
				require.Fail(t, "files refer to each other", "%s: %s", dir, strings.Join(append(path[i:], file), " → "))
			}
			if done[file] {
				return
			}
			for to := range refs[file] {
				visit(to, append(path[:len(path):len(path)], file))
			}
			done[file] = true
		}
		for file := range refs {
			visit(file, nil)
		}
	}
}

// fileReferences returns for each file of a package the files with the declarations that it uses. Other packages are
// not read, so a method of a value that another package returns is not found.
func fileReferences(t *testing.T, dir string) map[string]map[string]bool {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			files = append(files, file)
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	none := importer.ForCompiler(fset, "gc", nil)
	config := types.Config{Importer: none, Error: func(error) {}} // every import fails
	pkg, _ := config.Check("core", fset, files, info)
	refs := map[string]map[string]bool{}
	for id, object := range info.Uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		from, to := fset.Position(id.Pos()).Filename, fset.Position(object.Pos()).Filename
		if refs[from] == nil {
			refs[from] = map[string]bool{}
		}
		if from != to {
			refs[from][to] = true
		}
	}
	return refs
}
