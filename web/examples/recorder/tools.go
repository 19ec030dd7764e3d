package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// tool is one tool of the scripted agent, as the formats define it to a model.
type tool struct {
	name, description string
	params            []param
}

type param struct {
	name, kind, description string
	required                bool
}

var tools = []tool{
	{"list_files", "List all files at or below a path of the repository.", []param{
		{"path", "string", "Directory, relative to the root of the repository", true},
	}},
	{"read_file", "Read a file of the repository, with line numbers.", []param{
		{"path", "string", "File, relative to the root of the repository", true},
		{"from", "integer", "First line, from 1", false},
		{"to", "integer", "Last line, included", false},
	}},
	{"search", "Search the files below a path for a regular expression (RE2). Prints path:line:text.", []param{
		{"pattern", "string", "Regular expression", true},
		{"path", "string", "File or directory, relative to the root of the repository", true},
	}},
	{"edit_file", "Replace a text that occurs exactly once in a file.", []param{
		{"path", "string", "File, relative to the root of the repository", true},
		{"old", "string", "Text to replace; it must occur exactly once", true},
		{"new", "string", "Text to put in its place", true},
	}},
	{"write_file", "Create a file. Existing files are edited instead.", []param{
		{"path", "string", "File, relative to the root of the repository", true},
		{"content", "string", "The whole content", true},
	}},
	{"build", "Build and vet packages.", []param{
		{"package", "string", "Package pattern, for example ./core/...", true},
	}},
	{"run_tests", "Run the tests of a package.", []param{
		{"package", "string", "Package pattern, for example ./core/msg", true},
		{"run", "string", "Only tests whose name matches this regular expression", false},
		{"verbose", "string", "\"yes\" names each test", false},
	}},
	{"go_doc", "Print the documentation of a package's exported API.", []param{
		{"package", "string", "Package, for example ./core/msg", true},
		{"symbol", "string", "Only this symbol", false},
	}},
}

func toolNamed(name string) (tool, bool) {
	for _, t := range tools {
		if t.name == name {
			return t, true
		}
	}
	return tool{}, false
}

// schema is the JSON Schema of a tool's input.
func (t tool) schema() object {
	properties, required := object{}, array{}
	for _, p := range t.params {
		properties = append(properties, member{p.name, object{{"type", p.kind}, {"description", p.description}}})
		if p.required {
			required = append(required, p.name)
		}
	}
	return object{{"type", "object"}, {"properties", properties}, {"required", required}}
}

// use executes one call and returns its output for the model.
func (t *tree) use(name string, in object) (out string, failed bool) {
	switch name {
	case "list_files":
		out, failed = t.list(in.text("path"))
	case "read_file":
		out, failed = t.read(in.text("path"), in.number("from"), in.number("to"))
	case "search":
		out, failed = t.search(in.text("pattern"), in.text("path"))
	case "edit_file":
		out, failed = t.edit(in.text("path"), in.text("old"), in.text("new"))
	case "write_file":
		out, failed = t.write(in.text("path"), in.text("content"))
	default:
		out, failed = t.command(name, in)
	}
	return t.clean(out), failed
}

// commandLine is the shell command of the tools that run the go command.
func commandLine(name string, in object) string {
	var steps []string
	for _, args := range goArgs(name, in) {
		quoted := make([]string, len(args))
		for i, a := range args {
			if strings.ContainsAny(a, "|^$ *()") {
				a = "'" + a + "'"
			}
			quoted[i] = a
		}
		steps = append(steps, "go "+strings.Join(quoted, " "))
	}
	return strings.Join(steps, " && ")
}

// goArgs are the go commands of a tool, in order.
func goArgs(name string, in object) [][]string {
	switch name {
	case "build":
		return [][]string{{"build", in.text("package")}, {"vet", in.text("package")}}
	case "run_tests":
		args := []string{"test", "-count=1"} // never "(cached)": the output must not depend on earlier runs
		if in.text("verbose") == "yes" {
			args = append(args, "-v")
		}
		if run := in.text("run"); run != "" {
			args = append(args, "-run", run)
		}
		return [][]string{append(args, in.text("package"))}
	case "go_doc":
		args := []string{"doc"}
		if in.text("symbol") == "" {
			return [][]string{append(args, "-all", in.text("package"))}
		}
		return [][]string{append(args, in.text("package"), in.text("symbol"))}
	}
	panic("recorder: internal error: no command for " + name)
}

func (t *tree) command(name string, in object) (string, bool) {
	var out strings.Builder
	for _, args := range goArgs(name, in) {
		text, ok := t.goTool(args...)
		out.WriteString(text)
		if !ok {
			return "exit code 1\n" + strings.TrimSpace(out.String()), true
		}
	}
	text := strings.TrimSpace(out.String())
	if text == "" {
		text = "ok, no output"
	}
	return text, false
}

// goTool runs the go command in the scratch copy.
func (t *tree) goTool(args ...string) (string, bool) {
	cmd := exec.Command("go", args...)
	cmd.Dir = t.dir
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case "TAMP_CORPUS", "GOFLAGS", "GOOS", "GOARCH", "PWD": // a recording must not depend on the caller's shell
		default:
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "PWD="+t.dir, "GOWORK=off", "GOTOOLCHAIN=local", "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	return t.clean(string(out)), err == nil
}

var (
	packageTime = regexp.MustCompile(`(?m)^((?:ok|FAIL)\s+\S+\s+)[0-9.]+s`)
	testTime    = regexp.MustCompile(`\([0-9.]+s\)`)
)

// clean removes from an output the parts that differ between machines: paths and durations.
func (t *tree) clean(out string) string {
	out = packageTime.ReplaceAllString(t.scrub.Replace(out), "${1}0.01s")
	return testTime.ReplaceAllString(out, "(0.00s)")
}

// machinePlaces renames the paths that tools print: the scratch copy, Go's own directories, the home directory.
func machinePlaces(dir string) (*strings.Replacer, error) {
	out, err := exec.Command("go", "env", "-json", "GOROOT", "GOMODCACHE", "GOCACHE", "GOPATH").Output()
	if err != nil {
		return nil, fmt.Errorf("cannot run the go command: %w", err)
	}
	var env map[string]string
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, err
	}
	pairs := []string{dir, home}
	add := func(place, name string) {
		if len(place) > 1 {
			pairs = append(pairs, place, name)
		}
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		add(real, home)
	}
	add(env["GOROOT"], "/usr/local/go")
	add(env["GOMODCACHE"], "/home/dev/go/pkg/mod")
	add(env["GOCACHE"], "/home/dev/.cache/go-build")
	add(env["GOPATH"], "/home/dev/go")
	add(filepath.Clean(os.TempDir())+"/go-build", "/home/dev/.cache/go-build")
	return strings.NewReplacer(pairs...), nil // of two pairs that match at one position the earlier wins
}
