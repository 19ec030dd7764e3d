//go:build !js

// The tests here read the sources, which are the same as wasm.

package core_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/policy"
)

// The allowed imports within core. A key that ends in /... covers every package below it.
// A package that is not listed may import no package of this module.
var mayImport = map[string][]string{
	"core/internal/swar":       {},
	"core/internal/order":      {}, // every package may import it, like slices, which it replaces
	"core/internal/hash":       {"core/internal/swar"},
	"core/internal/sha256":     {},
	"core/internal/secrets":    {},
	"core/internal/structjson": {"core/msg", "core/internal/rawjson"},
	"core/internal/marker":     {},
	"core/internal/rawjson":    {"core/internal/swar"},
	"core/provenance":          {"core/msg"},
	"core/words": {"core/msg", "core/provenance", "core/internal/marker", "core/internal/sha256",
		"core/internal/rawjson"},
	"core/msg":    {"core/internal/rawjson", "core/internal/swar", "core/internal/marker"},
	"core/models": {},
	"core/validity": {"core/models", "core/msg", "core/internal/marker", "core/internal/rawjson",
		"core/tokens"}, // tokens for R5_context, the rule on the window of a model
	"core/tokens/estimate": {"core/internal/swar"},
	"core/tokens": {"core/msg", "core/tokens/estimate", "core/internal/swar", "core/internal/hash",
		"core/internal/marker", "core/models"},
	"core/tokens/bpe":   {"core/internal/heap", "core/internal/swar"},
	"core/tokens/vocab": {"core/tokens/bpe"},
	"core/format":       {"core/internal/marker", "core/msg", "core/format/...", "core/internal/rawjson"},
	"core/format/...": {"core/msg", "core/format/internal/...", "core/format/responses", "core/format/gemini",
		"core/format/anthropic", "core/format/openaichat",
		"core/internal/marker", "core/internal/sha256", "core/internal/rawjson"},
	"core/internal/pass": {"core/msg", "core/provenance", "core/tokens", "core/internal/marker",
		"core/internal/secrets"},
	"core/policy": {"core/msg", "core/internal/marker", "core/internal/pass", "core/internal/rawjson"},
	"core/promptcache": {"core/msg", "core/tokens", "core/internal/hash", "core/internal/swar",
		"core/internal/rawjson", "core/models"},
	"core/assemble": {"core/msg", "core/tokens", "core/internal/rawjson"},
	"core/summarize": {"core/msg", "core/provenance", "core/internal/heap", "core/internal/marker",
		"core/internal/secrets",
		"core/tokens", "core/words", "core/internal/sha256", "core/internal/rawjson"},
	"core/misses":  {"core/msg", "core/summarize", "core/internal/marker"},
	"core/quality": {"core/internal/marker", "core/msg", "core/provenance", "core/summarize", "core/words"},
	"core/view": {"core/msg", "core/validity", "core/tokens", "core/summarize", "core/promptcache", "core/internal/pass",
		"core/internal/hash", "core/internal/marker", "core/internal/rawjson", "core/internal/sha256", "core/words"},
	"core/recall": {"core", "core/msg", "core/format", "core/provenance", "core/summarize", "core/internal/marker",
		"core/internal/rawjson"},
	"core/plan/choice": {"core/view", "core/msg", "core/policy", "core/provenance", "core/summarize", "core/words",
		"core/internal/pass"},
	"core/plan/bounded": {"core/plan/choice", "core/view", "core/msg", "core/policy", "core/provenance", "core/summarize",
		"core/words", "core/internal/pass", "core/internal/marker"},
	"core/plan": {"core/plan/choice", "core/plan/bounded", "core/view", "core/models", "core/msg", "core/provenance",
		"core/policy", "core/validity", "core/tokens", "core/summarize", "core/promptcache", "core/internal/pass",
		"core/internal/marker", "core/internal/sha256", "core/words"},
	"core/apply": {"core/view", "core/plan", "core/plan/choice", "core/msg", "core/policy", "core/provenance",
		"core/validity", "core/tokens", "core/summarize", "core/quality", "core/promptcache", "core/internal/pass",
		"core/internal/marker", "core/internal/rawjson", "core/words"},
	"core": {"core/view", "core/plan", "core/apply", "core/msg", "core/policy", "core/provenance", "core/validity",
		"core/tokens", "core/summarize", "core/quality", "core/promptcache", "core/internal/pass", "core/internal/rawjson"},
	"core/forward": {"core", "core/format", "core/msg", "core/models", "core/policy", "core/promptcache",
		"core/provenance", "core/summarize", "core/tokens", "core/validity", "core/internal/rawjson"},
	"core/replay": {"core", "core/format", "core/msg", "core/tokens", "core/promptcache", "core/provenance",
		"core/misses",
		"core/internal/hash", "core/internal/marker", "core/internal/rawjson", "core/models", "core/policy"},
	"core/wire":      {"core", "core/..."},
	"wasm":           {"core/wire"},
	"worker/gateway": {"core", "core/forward", "core/msg", "core/models", "core/policy", "core/tokens"},
	"worker": {"core", "worker/gateway", "core/wire", "core/tokens/bpe", "core/tokens/vocab",
		"worker/summarizer", "worker/store", "worker/metrics", "web/site"},
}

// Commands and test helpers, which no package imports.
var tools = []string{"core/internal/convtest", "wasm/optimize", "wasm/npm", "wasm/program", "web/site",
	"worker/internal/fake"}

// What the core may use of the standard library: nothing that reaches the network, files, clocks, chance or other
// goroutines, and nothing that makes the wasm large for little.
var allowedStd = []string{"bytes", "cmp", "encoding/base64", "encoding/binary",
	"errors", "iter", "maps", "math/bits", "reflect", "slices", "sort", "strconv", "strings", "unicode", "unicode/utf16",
	"unicode/utf8"}

// nativeLibraries lists the libraries of files that are not built for JavaScript and Cloudflare.
var nativeLibraries = map[string][]string{
	"core/internal/sha256/digest_native.go": {"crypto/sha256"},
	"worker/gateway/encoding.go":            {"github.com/andybalholm/brotli", "github.com/klauspost/compress/zstd"},
}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for path, imports := range goFiles(t) {
		dir := filepath.ToSlash(filepath.Dir(path))
		if slices.ContainsFunc(tools, func(tool string) bool { return dir == tool || strings.HasPrefix(dir, tool+"/") }) {
			continue
		}
		seen[dir] = true
		for _, imp := range imports {
			ours, isOurs := strings.CutPrefix(imp, "tamp/")
			switch {
			case isOurs:
				require.True(t, ours == "core/internal/order" || allowed(rule(dir), ours), "%s imports %s", path, imp)
			case dir == "wasm": // what crosses to JavaScript does so at addresses of the module's memory
				require.Contains(t, []string{"unsafe", "runtime"}, imp, "%s imports %s", path, imp)
			case dir == "core/tokens/vocab": // the native convenience of having vocabularies at hand
				require.Contains(t, append([]string{"embed"}, allowedStd...), imp, "%s imports %s", path, imp)
			case strings.HasPrefix(dir, "worker"): // a host may use what the platform has, by the one library that we chose
				library := strings.Contains(imp, ".") && !slices.Contains(nativeLibraries[filepath.ToSlash(path)], imp)
				require.True(t, !library || strings.HasPrefix(imp, "github.com/syumai/workers"), "%s imports %s", path, imp)
			default:
				std := append(slices.Clone(nativeLibraries[filepath.ToSlash(path)]), allowedStd...)
				require.Contains(t, std, imp, "%s imports %s", path, imp)
			}
		}
	}
	for _, dir := range []string{"core", "core/view", "core/plan", "core/apply", "core/msg", "core/tokens", "core/format",
		"core/internal/pass", "core/wire", "worker", "worker/store"} {
		require.True(t, seen[dir], "%s was read", dir)
	}
}

// rule finds the row for a package: its own, or that of the longest tree it lies in.
func rule(dir string) []string {
	if row, ok := mayImport[dir]; ok {
		return row
	}
	for parent := filepath.Dir(dir); parent != "."; parent = filepath.Dir(parent) {
		if row, ok := mayImport[filepath.ToSlash(parent)+"/..."]; ok {
			return row
		}
	}
	return nil
}

func allowed(row []string, pkg string) bool {
	for _, r := range row {
		if tree, ok := strings.CutSuffix(r, "..."); ok && strings.HasPrefix(pkg, tree) || r == pkg {
			return true
		}
	}
	return false
}

// goFiles lists the imports of every Go file under core, wasm and worker but tests, by path from the root.
func goFiles(t *testing.T) map[string][]string {
	files := map[string][]string{}
	for _, top := range []string{"core", "wasm", "worker"} {
		err := filepath.WalkDir(filepath.Join("..", top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel("..", path)
			files[rel] = []string{}
			for _, i := range file.Imports {
				files[rel] = append(files[rel], strings.Trim(i.Path.Value, `"`))
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.NotEmpty(t, files)
	return files
}

// Every number in a test's name, as in TestC20TheFailurePathKeepsPairs, is a row of docs/complaints.md, and every row
// has a test.
func TestComplaints(t *testing.T) {
	numbers := func(text []byte, pattern string) (found []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(text, -1) {
			found = append(found, string(m[1]))
		}
		return found
	}
	listed, err := os.ReadFile("../docs/complaints.md")
	require.NoError(t, err)
	var tested []string
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, name := range numbers(source, `(?m)^func Test((?:C\d+(?:And)?)+)`) {
			tested = append(tested, strings.Split(name, "And")...)
		}
		return err
	}))
	slices.Sort(tested)
	require.ElementsMatch(t, numbers(listed, `(?m)^\| (C\d+) \|`), slices.Compact(tested))
}

// The same input gives the same bytes: 50 runs, no map order, no leftover of the run before.
func TestPure(t *testing.T) {
	for _, info := range policy.Presets() {
		var first string
		for run := range 50 {
			c := parse(t, hostileInput)
			p := info.Policy
			plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
			require.NoError(t, err)
			out, err := core.Apply(c, "", p, core.Env{}, plan, nil)
			require.NoError(t, err)
			rendered, err := format.Render(out.Conversation)
			require.NoError(t, err)
			report, err := core.Inspect(c, "", p, core.Env{})
			require.NoError(t, err)
			all := string(rendered) + string(core.Archive(c, plan)) + string(mustJSON(t, plan)) + string(mustJSON(t, report))
			if run == 0 {
				first = all
			}
			require.Equal(t, first, all)
		}
	}
}
