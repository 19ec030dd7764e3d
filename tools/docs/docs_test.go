// Package docs has no program. Its tests compare the pages and the comments with the code: they name only files,
// symbols, tests and targets of make that exist, and each preset has its place in each page.
package docs

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"tamp/core/policy"
)

const root = "../../"

// foreign are names in pages and comments that look like ours and are of others: files of examples and of users,
// variables of clients, members of requests.
var foreign = map[string]bool{"additionalContext": true, "preCompact": true, "Interactions.Step": true,
	"google_search_call": true, "core/a.go": true, "/src/core/a.go": true, "src/a.go": true, "core/read.go": true,
	"worker/.dev.vars": true, "findings/NAME.sh": true, "ANTHROPIC_AWS_BASE_URL": true, "thinking.type": true,
	"ANTHROPIC_BEDROCK_MANTLE_BASE_URL": true, "ANTHROPIC_FOUNDRY_BASE_URL": true,
	"ANTHROPIC_GOOGLE_CLOUD_BASE_URL": true, "http_headers": true}

// tree is what the repository has.
type tree struct {
	files   []string                   // paths from the root, folders with a slash at their end
	sources map[string]*ast.File       // Go files by path
	set     *token.FileSet             // of the sources
	symbols map[string]map[string]bool // by package name: its names, and TYPE.NAME of fields and methods
	tests   map[string]bool            // functions of Go tests
	targets map[string]bool            // of make
	texts   map[string]string          // files that were read
	words   map[string]bool            // see wordsOf
}

// skipped are folders without sources of ours.
var skipped = regexp.MustCompile(`(^|/)(\.git|\.build|node_modules|testdata|build|vocab)$`)

var repository *tree // read by the first test

func readTree(t *testing.T) *tree {
	if repository != nil {
		return repository
	}
	r := &tree{sources: map[string]*ast.File{}, set: token.NewFileSet(), symbols: map[string]map[string]bool{},
		tests: map[string]bool{}, targets: map[string]bool{}, texts: map[string]string{}}
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		name = strings.TrimPrefix(filepath.ToSlash(name), root)
		switch {
		case d.IsDir() && skipped.MatchString(name):
			r.files = append(r.files, name+"/")
			return fs.SkipDir
		case d.IsDir():
			r.files = append(r.files, name+"/")
			return nil
		}
		r.files = append(r.files, name)
		if path.Ext(name) == ".go" {
			file, err := parser.ParseFile(r.set, root+name, nil, parser.ParseComments)
			require.NoError(t, err)
			r.sources[name] = file
			r.add(name, file)
		}
		return nil
	}))
	makefile, err := os.ReadFile(root + "Makefile")
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+)( [a-z -]+)?:`).FindAllStringSubmatch(string(makefile), -1) {
		r.targets[m[1]] = true
	}
	repository = r
	return r
}

// add adds the names that a file declares.
func (r *tree) add(name string, file *ast.File) {
	names := r.symbols[file.Name.Name]
	if names == nil {
		names = map[string]bool{}
		r.symbols[file.Name.Name] = names
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names[d.Name.Name] = true
				r.tests[d.Name.Name] = strings.HasSuffix(name, "_test.go")
				continue
			}
			names[typeName(d.Recv.List[0].Type)+"."+d.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				addSpec(names, s)
			}
		}
	}
}

func addSpec(names map[string]bool, s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			names[n.Name] = true
		}
	case *ast.TypeSpec:
		names[s.Name.Name] = true
		var fields *ast.FieldList
		switch u := s.Type.(type) {
		case *ast.StructType:
			fields = u.Fields
		case *ast.InterfaceType:
			fields = u.Methods
		default:
			return
		}
		for _, f := range fields.List {
			for _, n := range f.Names {
				names[s.Name.Name+"."+n.Name] = true
			}
			if f.Names == nil {
				names[s.Name.Name+"."+typeName(f.Type)] = true
			}
			if f.Tag != nil {
				if m := regexp.MustCompile(`json:"(\w+)`).FindStringSubmatch(f.Tag.Value); m != nil {
					names[s.Name.Name+"."+m[1]] = true
				}
			}
		}
	}
}

// typeName is the name of a type without its package, pointer and parameters.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// hasFile reports whether a path from the root, from a folder or of the end of a path is a file or folder. It may have
// a star.
func (r *tree) hasFile(from, name string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(name, "..."), "/")
	if _, err := os.Stat(path.Join(build.Default.GOROOT, "src", name)); err == nil {
		return true // a file of Go's library
	}
	for _, pattern := range []string{name, path.Join(from, name), "*/" + name} {
		for _, file := range r.files {
			file = strings.TrimSuffix(file, "/")
			if pattern[0] == '*' && strings.HasSuffix(file, pattern[1:]) {
				return true
			}
			if ok, _ := path.Match(pattern, file); ok {
				return true
			}
		}
	}
	return false
}

var (
	// ourFile is a path of the repository, or the name of a source file.
	ourFile = regexp.MustCompile(`^(((core|cmd|docs|web|wasm|worker|tools|findings|\.ci|\.github)/[\w./*-]*)|[\w./*-]+(\.go|\.test\.js))$`)
	ourTest = regexp.MustCompile(`^(Test|Example|Benchmark|Fuzz)[A-Z]\w+$`)
	// member is PACKAGE.Name, PACKAGE.Type.Name or Type.name.
	member = regexp.MustCompile(`^[*]?([A-Za-z]\w*)\.(\w+)(?:\.(\w+))?(\(\))?$`)
	target = regexp.MustCompile(`^make ([a-z-]+)`)
)

// missing says what is wrong with a name in a text of a folder, "" if nothing is.
func (r *tree) missing(from, name string) string {
	if foreign[name] {
		return ""
	}
	if m := target.FindStringSubmatch(name); m != nil && !r.targets[m[1]] {
		return "no target of make"
	}
	if ourTest.MatchString(name) {
		if _, ok := r.tests[name]; !ok {
			return "no test"
		}
		return ""
	}
	if ourFile.MatchString(name) {
		if !r.hasFile(from, name) {
			return "no file"
		}
		return ""
	}
	m := member.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	if names, ok := r.symbols[m[1]]; ok && ast.IsExported(m[2]) {
		if names[m[2]] && (m[3] == "" || r.isMember(m[2], m[3])) || r.isMember("", m[2]) {
			return ""
		}
		return "no symbol of the package"
	}
	if !ast.IsExported(m[1]) {
		return ""
	}
	for _, names := range r.symbols {
		if names[m[1]] && !r.isMember(m[1], m[2]) {
			return "no member of the type"
		}
	}
	return ""
}

// isMember reports whether a type of that name, "" is any type, has the field or method.
func (r *tree) isMember(typ, member string) bool {
	for _, names := range r.symbols {
		if typ != "" && names[typ+"."+member] {
			return true
		}
		for name := range names {
			if typ == "" && strings.HasSuffix(name, "."+member) {
				return true
			}
		}
	}
	return false
}

// identifier is a name in the style of code, in camelCase or with underscores. setting is a member of a policy.
var (
	identifier = regexp.MustCompile(`^([a-z]+([A-Z][a-z0-9]*)+|[A-Za-z0-9]+(_[A-Za-z0-9]+)+)(\(\))?$`)
	setting    = regexp.MustCompile(`^(clear|trigger|pin|summary|thinking|intake)\.([a-zA-Z]+)$`)
)

// missingWord says what is wrong with an identifier or a member of a policy in a page.
func (r *tree) missingWord(t *testing.T, name string) string {
	if setting.MatchString(name) && !foreign[name] &&
		!strings.Contains(r.text(t, "core/policy/fields.go"), `"`+name+`"`) {
		return "no member of a policy"
	}
	if identifier.MatchString(name) && !foreign[name] {
		if !r.wordsOf(t)[strings.TrimSuffix(name, "()")] {
			return "in no source file"
		}
	}
	return ""
}

// wordsOf returns the words of all source files but this one.
func (r *tree) wordsOf(t *testing.T) map[string]bool {
	if r.words == nil {
		r.words = map[string]bool{}
		isBetween := func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }
		for _, file := range r.files {
			if isSource.MatchString(file) && !strings.HasPrefix(file, "tools/docs/") {
				for word := range strings.FieldsFuncSeq(r.text(t, file), isBetween) {
					r.words[word] = true
				}
			}
		}
	}
	return r.words
}

var isSource = regexp.MustCompile(`\.(go|m?js|ts|jsonc?|html|css|sh|toml|yml|py)$|Makefile$|^\.ci/.*[a-z]$`)

// text is the content of a file.
func (r *tree) text(t *testing.T, name string) string {
	if _, ok := r.texts[name]; !ok {
		data, err := os.ReadFile(root + name)
		require.NoError(t, err)
		r.texts[name] = string(data)
	}
	return r.texts[name]
}

var (
	fence = regexp.MustCompile("(?ms)^```.*?^```$")
	code  = regexp.MustCompile("`([^`\n]+)`")
	link  = regexp.MustCompile(`\]\(([^)#: ]+)(#[\w-]+)?\)`)
)

func TestPagesNameWhatExists(t *testing.T) {
	r := readTree(t)
	for _, name := range r.files {
		if path.Ext(name) != ".md" || name == "CHANGELOG.md" {
			continue
		}
		page := fence.ReplaceAllString(r.text(t, name), "")
		for _, m := range code.FindAllStringSubmatch(page, -1) {
			if why := cmp.Or(r.missing(path.Dir(name), m[1]), r.missingWord(t, m[1])); why != "" {
				t.Errorf("%s: `%s`: %s", name, m[1], why)
			}
		}
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			if to := path.Join(path.Dir(name), m[1]); !slices.Contains(r.files, to) && !slices.Contains(r.files, to+"/") {
				t.Errorf("%s: the link %s: no file", name, m[1])
			}
		}
	}
}

var (
	// docLink is a link of a comment to a name of the package.
	docLink = regexp.MustCompile(`(?:^|[^\w\]])\[(\*?[A-Za-z]\w*(?:\.\w+)*)\]`)
	example = regexp.MustCompile(`(?m)^[\t ]+.*$`)
	// inComment is a name in the text of a comment: a file, or a symbol with its package.
	inComment = regexp.MustCompile(`[\w.*/-]+\.(?:go|md|mjs|test\.js)\b|\b[a-z]\w+\.[A-Z]\w+(?:\.\w+)?|\bTest[A-Z]\w+`)
)

func TestCommentsNameWhatExists(t *testing.T) {
	r := readTree(t)
	for name, file := range r.sources {
		for _, group := range file.Comments {
			at := r.set.Position(group.Pos())
			text := example.ReplaceAllString(group.Text(), "")
			for _, m := range inComment.FindAllString(text, -1) {
				if why := r.missing(path.Dir(name), m); why != "" {
					t.Errorf("%s:%d: %s: %s", name, at.Line, m, why)
				}
			}
			for _, m := range docLink.FindAllStringSubmatch(text, -1) {
				own := r.symbols[file.Name.Name]
				link := strings.TrimPrefix(m[1], "*")
				if ast.IsExported(link) && !strings.Contains(link, ".") && !own[link] && !foreign[link] {
					t.Errorf("%s:%d: [%s]: no symbol of the package", name, at.Line, link)
				}
			}
		}
	}
}

var (
	jsComment = regexp.MustCompile(`(?m)^\s*(?://|\*) (.*)$`)
	jsFile    = regexp.MustCompile(`[\w./-]+\.(?:go|md|test\.js)\b`)
)

func TestCommentsOfJavaScriptNameWhatExists(t *testing.T) {
	r := readTree(t)
	for _, name := range r.files {
		if ext := path.Ext(name); ext != ".js" && ext != ".mjs" {
			continue
		}
		for _, comment := range jsComment.FindAllStringSubmatch(r.text(t, name), -1) {
			for _, m := range jsFile.FindAllString(comment[1], -1) {
				if why := r.missing(path.Dir(name), m); why != "" {
					t.Errorf("%s: %s: %s", name, m, why)
				}
			}
		}
	}
}

// The examples of public packages are compiled: each package has one.
func TestEachPublicPackageHasAnExample(t *testing.T) {
	r := readTree(t)
	public, examples := map[string]bool{}, map[string]bool{}
	for name, file := range r.sources {
		folder := path.Dir(name)
		if strings.HasSuffix(name, "_test.go") {
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				examples[folder] = examples[folder] || ok && strings.HasPrefix(f.Name.Name, "Example")
			}
		} else if strings.Contains(file.Doc.Text(), "It is a part of the API") {
			public[folder] = true
		}
	}
	require.NotEmpty(t, public)
	for folder := range public {
		require.True(t, examples[folder], "%s has no function Example", folder)
	}
}

// A preset that is added needs its place in three pages, and in the type of its name.
func TestEachPresetIsInThePages(t *testing.T) {
	pages := map[string]string{}
	for _, name := range []string{"README.md", "docs/algorithms.md", "web/how.html", "wasm/npm/index.d.ts"} {
		data, err := os.ReadFile(root + name)
		require.NoError(t, err)
		pages[name] = string(data)
	}
	for _, preset := range policy.Presets() {
		for page, place := range map[string]string{
			"wasm/npm/index.d.ts": "\n  | \"" + preset.Name + "\"",
			"README.md":           "\n| " + preset.Title + " `" + preset.Name + "` | ",
			"docs/algorithms.md":  "\n| `" + preset.Name + "` | ",
			"web/how.html":        "<h2>" + preset.Title + " <code>" + preset.Name + "</code></h2>",
		} {
			require.True(t, strings.Contains(pages[page], place), "%s has no row of the preset %s", page, preset.Name)
		}
	}
}
