package main

import (
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// preload makes Go's starter provide the import split.load. At the end it prints the calls of it.
const preload = `
const fs = require("fs");
const { instantiate } = WebAssembly;
const calls = [];
WebAssembly.instantiate = async (bytes, imports) => {
	let primary;
	imports.split = {
		load(place) {
			calls.push(place);
			if (!process.argv[2].includes("primary")) return;
			const bytes = fs.readFileSync(process.argv[2].replace("primary", "secondary"));
			new WebAssembly.Instance(new WebAssembly.Module(bytes), { primary });
		},
	};
	const result = await instantiate(bytes, imports);
	primary = result.instance.exports;
	return result;
};
process.on("exit", () => fs.writeSync(1, "calls: " + calls + "\n"));
`

// hosted is the optimized test program, and a function that runs a module with preload.
func hosted(t *testing.T) (p *program, want string, run func(path string) string) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node to run wasm")
	}
	path := buildProgram(t)
	want, code := runWasm(t, node, path)
	require.Equal(t, 3, code, want)
	_, before, after, err := optimizeFile(path, withNames)
	require.NoError(t, err)
	p, err = readNamed(before, after)
	require.NoError(t, err)
	script := filepath.Join(t.TempDir(), "preload.cjs")
	require.NoError(t, os.WriteFile(script, []byte(preload), 0o600))
	return p, want, func(path string) string {
		got, code := runWasm(t, node, path, "NODE_OPTIONS=--require "+script)
		require.Equal(t, 3, code, got)
		return got
	}
}

// A program in two modules prints the same and exits with the same code, whichever functions are in the secondary one.
func TestSplitProgramBehavesTheSame(t *testing.T) {
	needsTime(t)
	p, want, run := hosted(t)
	half := func(name string) uint32 { return crc32.ChecksumIEEE([]byte(name)) % 2 }
	for how, moved := range map[string]func(name string) bool{
		"all that can be moved": func(string) bool { return true },
		"none of the runtime's": func(name string) bool { return packageOf(name) != "runtime" },
		"the runtime's":         func(name string) bool { return packageOf(name) == "runtime" },
		"half of them":          func(name string) bool { return half(name) == 0 },
		"the other half":        func(name string) bool { return half(name) == 1 },
	} {
		t.Run(how, func(t *testing.T) {
			content := p.memory.bytes
			p.memory.bytes = append([]byte(nil), content...) // split takes the tables of moved functions from it
			defer func() { p.memory.bytes = content }()
			primary, secondary, err := p.split(moved)
			require.NoError(t, err)
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "secondary.wasm"), secondary, 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "primary.wasm"), primary, 0o600))

			got := run(filepath.Join(dir, "primary.wasm"))

			require.Regexp(t, "^"+regexp.QuoteMeta(want)+`calls: \d+\n$`, got, "the secondary module is loaded once")
		})
	}
}

// A program whose list has functions that do not run never loads the secondary module, and a trace shows which run.
func TestTraceShowsTheFunctionsThatRun(t *testing.T) {
	needsTime(t)
	p, want, run := hosted(t)
	traced, err := p.trace()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "traced.wasm")
	require.NoError(t, os.WriteFile(path, traced, 0o600))

	got, calls, found := strings.Cut(run(path), "calls: ")

	require.True(t, found)
	require.Equal(t, want, got)
	ran := set(strings.Split(strings.TrimSpace(calls), ",")...)
	idle, names := 0, map[string]bool{}
	for k := range p.bodies {
		if place := p.places[p.index(k)]; p.movable[k] && !ran[fmt.Sprint(place)] {
			names[p.name(k)] = true
			idle++
		}
	}
	require.NotContains(t, names, "main.loops")
	require.Greater(t, idle, 500) // most of the runtime has not run
	primary, secondary, err := p.split(func(name string) bool { return names[name] })
	require.NoError(t, err)
	require.Less(t, len(primary), len(p.module))
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "primary.wasm"), primary, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secondary.wasm"), secondary, 0o600))
	got = run(filepath.Join(dir, "primary.wasm"))
	require.True(t, strings.HasPrefix(got, want), got)
}

func TestListNamesFunctions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.txt")
	require.NoError(t, os.WriteFile(path, []byte("# comment\nmain.a\nmain.b* # all of b\n\n"), 0o600))
	moved, err := readList(path)
	require.NoError(t, err)
	for name, want := range map[string]bool{
		"main.a": true, "main.ab": false, "main.b": true, "main.b.func1": true, "main": false,
	} {
		require.Equal(t, want, moved(name), name)
	}
	_, err = readList(path + ".absent")
	require.Error(t, err)
}

// A list without a function of the program is an error, and so is a damaged module.
func TestSplitFails(t *testing.T) {
	path := buildProgram(t)
	_, before, after, err := optimizeFile(path, withNames)
	require.NoError(t, err)
	p, err := readNamed(before, after)
	require.NoError(t, err)
	_, _, err = p.split(func(string) bool { return false })
	require.ErrorIs(t, err, errNothingToMove)
	symbols := p.symbols
	for _, id := range []byte{typeSection, functionSection, tableSection, memorySection, exportSection, codeSection} {
		sections, err := splitSections(after)
		require.NoError(t, err)
		for i := range sections {
			if sections[i].id == id {
				sections[i].body = sections[i].body[:0]
			}
		}
		_, err = readProgram(joinSections(sections), symbols)
		require.ErrorIs(t, err, errModule, "section %d", id)
	}
}
