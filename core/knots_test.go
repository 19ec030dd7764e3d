//go:build !js

package core_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// maxKnot is the largest number of files of a package that refer to each other in a circle. A reader must know all of
// them to know one.
const maxKnot = 8

// In no package, more than maxKnot files refer to each other in a circle. References to other packages do not count:
// the compiler refuses circles of packages.
func TestKnots(t *testing.T) {
	for _, dir := range packages(t, ".", "../cmd", "../wasm", "../worker", "../web", "../tools") {
		for _, knot := range knots(references(t, dir)) {
			require.LessOrEqual(t, len(knot), maxKnot, "files of %s: %s", dir, strings.Join(knot, " "))
		}
	}
}

// packages returns the folders in and below some that have files of Go.
func packages(t *testing.T, roots ...string) (dirs []string) {
	for _, root := range roots {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata") {
				return fs.SkipDir
			}
			if dir := filepath.Dir(path); filepath.Ext(path) == ".go" && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
			return err
		}))
	}
	require.Greater(t, len(dirs), 50)
	return dirs
}

// In these packages, files have an order: none refer to each other in a circle.
func TestFilesHaveAnOrder(t *testing.T) {
	for _, dir := range []string{".", "view", "plan", "plan/choice", "plan/bounded", "apply", "validity"} {
		refers := references(t, dir)
		require.NotEmpty(t, refers, dir)
		require.Empty(t, knots(refers), "files of %s refer to each other", dir)
	}
}

// layers are those of the packages that have some, the upper first.
var layers = map[string][]string{
	"replay": {
		"report: replay notes fixed tracks audit used lost copies resent verdict text",
		"walk: walk compact round missed",
		"bill: log ids clock account request fit cache breaks ledger owner price bill options report misses doc",
	},
	"summarize": {
		"write: summarize gather outputs said todo condense choose render draft group unit read write frame given " +
			"kinds transcript",
		"worth: index masked atom worth often focus lines names rank",
		"read: memory sections task call input shell result background declare words lex kind sentence pieces plain unwrap use skill doc",
	},
}

// A file refers to files of its own layer and of those below it only.
func TestLayers(t *testing.T) {
	for dir, list := range layers {
		layerOf := map[string]int{}
		for n, layer := range list {
			_, files, _ := strings.Cut(layer, ": ")
			for file := range strings.FieldsSeq(files) {
				layerOf[dir+"/"+file+".go"] = n
			}
		}
		refers := references(t, dir)
		require.Len(t, layerOf, len(refers), "files of %s", dir)
		for file, others := range refers {
			require.Contains(t, layerOf, file)
			for other := range others {
				require.GreaterOrEqual(t, layerOf[other], layerOf[file], "%s refers to %s, which is above it", file, other)
			}
		}
	}
}

// references returns which files of a package each of its files refers to: to a name, a method or a field. Files for
// other platforms than this one are read with those for wasm.
func references(t *testing.T, dir string) map[string]map[string]bool {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	out := map[string]map[string]bool{}
	for _, platform := range [...]string{"linux/amd64", "js/wasm"} {
		context := build.Default
		context.GOOS, context.GOARCH, _ = strings.Cut(platform, "/")
		files, fset := []*ast.File{}, token.NewFileSet()
		for _, path := range paths {
			fits, err := context.MatchFile(dir, filepath.Base(path))
			require.NoError(t, err)
			if fits && !strings.HasSuffix(path, "_test.go") {
				file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
				require.NoError(t, err)
				files = append(files, file)
				if out[path] == nil {
					out[path] = map[string]bool{}
				}
			}
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		// Other packages are not read, so their names have errors.
		config := types.Config{Importer: noImports{}, Error: func(error) {}}
		pkg, _ := config.Check(dir, fset, files, info)
		for use, of := range info.Uses {
			from, to := fset.File(use.Pos()).Name(), ""
			if of.Pkg() == pkg && of.Pos().IsValid() {
				to = fset.File(of.Pos()).Name()
			}
			if to != "" && to != from {
				out[from][to] = true
			}
		}
	}
	return out
}

type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.MarkComplete()
	return p, nil
}

// knots returns the sets of files each of which refers to every other, by way of others, too.
func knots(refers map[string]map[string]bool) (out [][]string) {
	reach := map[string]map[string]bool{}
	for file := range refers {
		reach[file] = map[string]bool{}
		for next := []string{file}; len(next) > 0; next = next[1:] {
			for to := range refers[next[0]] {
				if !reach[file][to] {
					reach[file][to] = true
					next = append(next, to)
				}
			}
		}
	}
	seen := map[string]bool{}
	for file := range refers {
		var knot []string
		for other := range reach[file] {
			if reach[other][file] && !seen[other] {
				knot = append(knot, other)
			}
		}
		for _, other := range knot {
			seen[other] = true
		}
		if len(knot) > 1 {
			slices.Sort(knot)
			out = append(out, knot)
		}
	}
	return out
}

func TestKnotsAreFound(t *testing.T) {
	refers := map[string]map[string]bool{"a": {"b": true}, "b": {"c": true}, "c": {"a": true, "d": true}, "d": {"e": true},
		"e": {}}
	require.Equal(t, [][]string{{"a", "b", "c"}}, knots(refers))
	require.Contains(t, references(t, "replay")["replay/walk.go"], "replay/round.go", "by a type")
	require.Contains(t, references(t, "replay")["replay/round.go"], "replay/walk.go", "by a field and a method")
}
