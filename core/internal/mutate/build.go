//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A program is the built tests of one package, with all mutants of the package under test in it.
type program struct {
	pkg    string // of the tests, relative to the module
	path   string // of the binary
	dir    string // where go test would run it
	flags  []string
	all    []string                 // the names of its tests, examples and fuzz targets
	cost   map[string]time.Duration // of each test that passes with no mutant switched on
	reach  map[string]map[int]bool  // which mutants each test reaches
	failed []string                 // tests that do not pass in the instrumented build
}

// listed is what go list says about a package.
type listed struct {
	ImportPath, Dir, Name, Export, ForTest      string
	GoFiles, TestGoFiles, XTestGoFiles, Imports []string
}

// goList asks about a package of the module and, with deps, about everything that it imports.
func goList(root, pkg string, args ...string) ([]listed, error) {
	out, err := run(root, nil, "go", append(append([]string{"list", "-json"}, args...), "./"+pkg)...)
	if err != nil {
		return nil, err
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
}

// build compiles the tests of a target against its instrumented package and returns them with the mutants. work is a
// folder of the build.
func build(root, work string, t target, o options) ([]mutant, []program, error) {
	deps, err := goList(root, t.pkg, "-deps", "-export")
	if err != nil {
		return nil, nil, err
	}
	skip := map[string]map[int]bool{}
	for range 10 {
		mutants, overlay, err := write(root, work, deps, t.files, skip)
		if err != nil {
			return nil, nil, err
		}
		programs, err := compile(root, work, overlay, t.tests, o)
		if err == nil {
			return mutants, programs, nil
		}
		// A change that the types do not allow: its line is left as it is.
		found := regexp.MustCompile(`(?m)^(\S+\.go):(\d+):`).FindAllStringSubmatch(err.Error(), -1)
		if len(found) == 0 {
			return nil, nil, err
		}
		for _, m := range found {
			line, _ := strconv.Atoi(m[2])
			name := filepath.Base(m[1])
			if skip[name][line] {
				return nil, nil, err
			}
			fmt.Fprintf(os.Stderr, "%s:%d is left out: it does not compile when it is changed\n", m[1], line)
			if skip[name] == nil {
				skip[name] = map[int]bool{}
			}
			skip[name][line] = true
		}
	}
	return nil, nil, fmt.Errorf("cannot build %s with its mutants", t.pkg)
}

// write instruments the package and describes the changed files for go build -overlay. The package comes last in deps.
func write(root, work string, deps []listed, files []string, skip map[string]map[int]bool) ([]mutant, string, error) {
	pkg := deps[len(deps)-1]
	fset := token.NewFileSet()
	var parsed []*ast.File
	var texts [][]byte
	for _, name := range pkg.GoFiles {
		text, err := os.ReadFile(filepath.Join(pkg.Dir, name))
		if err != nil {
			return nil, "", err
		}
		file, err := parser.ParseFile(fset, filepath.Join(pkg.Dir, name), text, parser.ParseComments)
		if err != nil {
			return nil, "", err
		}
		parsed, texts = append(parsed, file), append(texts, text)
	}
	exports := map[string]string{}
	for _, d := range deps {
		exports[d.ImportPath] = d.Export
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", open)}
	if _, err := config.Check(pkg.ImportPath, fset, parsed, info); err != nil {
		return nil, "", err
	}

	replace := map[string]string{}
	put := func(name string, text []byte) error {
		changed := filepath.Join(work, filepath.Base(pkg.Dir)+"_"+name)
		replace[filepath.Join(pkg.Dir, name)] = changed
		return os.WriteFile(changed, text, 0o644)
	}
	var mutants []mutant
	id := 0
	for i, name := range pkg.GoFiles {
		if len(files) > 0 && !slices.ContainsFunc(files,
			func(p string) bool { ok, _ := filepath.Match(p, name); return ok }) {
			continue
		}
		rel, err := filepath.Rel(root, filepath.Join(pkg.Dir, name))
		if err != nil {
			return nil, "", err
		}
		s := source{name: filepath.ToSlash(rel), fset: fset, file: parsed[i], text: texts[i], info: info, next: &id,
			skip: skip[name]}
		text, found := s.instrument()
		if err := put(name, text); err != nil {
			return nil, "", err
		}
		mutants = append(mutants, found...)
	}
	if err := put("mutant_helpers.go", fmt.Appendf(nil, helpers, pkg.Name, len(mutants))); err != nil {
		return nil, "", err
	}
	overlay := filepath.Join(work, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, "", err
	}
	return mutants, overlay, os.WriteFile(overlay, text, 0o644)
}

func compile(root, work, overlay string, tests []string, o options) ([]program, error) {
	var programs []program
	for _, pkg := range tests {
		p := program{pkg: pkg, dir: filepath.Join(root, pkg),
			path:  filepath.Join(work, strings.ReplaceAll(pkg, "/", "_")+".test"),
			flags: []string{"-test.short=" + strconv.FormatBool(o.short)}}
		if _, err := run(root, nil, "go", "test", "-c", "-overlay", overlay, "-o", p.path, "./"+pkg); err != nil {
			return nil, err
		}
		if _, err := os.Stat(p.path); err != nil {
			return nil, fmt.Errorf("cannot use %s: it has no tests", pkg)
		}
		help, _ := exec.Command(p.path, "-help").CombinedOutput() // the flags of the libraries that the tests use
		if bytes.Contains(help, []byte("-rapid.checks")) {
			p.flags = append(p.flags, "-rapid.checks="+strconv.Itoa(o.checks), "-rapid.seed=1", "-rapid.nofailfile",
				"-rapid.shrinktime=1ns")
		}
		out, err := run(p.dir, nil, p.path, "-test.list", ".")
		if err != nil {
			return nil, err
		}
		p.all = strings.Fields(string(out))
		programs = append(programs, p)
	}
	return programs, nil
}

// run returns the output of a command, or an error with the output.
func run(dir string, env []string, name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return stdout.Bytes(), fmt.Errorf("cannot run %s %s: %w\n%s%s", name, strings.Join(args, " "), err, stderr.Bytes(),
			stdout.Bytes())
	}
	return stdout.Bytes(), nil
}
