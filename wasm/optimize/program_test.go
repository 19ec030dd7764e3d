package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A program that the installed Go builds prints the same and exits with the same code, rewritten and not.
func TestProgramBehavesTheSame(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node to run wasm")
	}
	before := buildProgram(t)
	module, err := os.ReadFile(before)
	require.NoError(t, err)
	want, code := runWasm(t, node, before)
	require.Equal(t, 3, code, want)
	require.Contains(t, want, "floats: 1.41421356")
	require.Contains(t, want, "value method main.celsius.String called using nil *celsius pointer")
	details := []detail{withoutNames, withNames, withLines}
	if testing.Short() {
		details = details[:1] // that of the package
	}
	for _, d := range details {
		after := filepath.Join(t.TempDir(), "after.wasm")
		require.NoError(t, os.WriteFile(after, module, 0o755))

		report, _, _, err := optimizeFile(after, d)

		require.NoError(t, err)
		require.Greater(t, len(report[restructured]), 1000)
		require.Contains(t, report[irreducible], "main.irreducible")
		require.Contains(t, report[restructured], "main.loops")
		require.Contains(t, strings.Join(report[deferredCalls], " "), "main.defers")
		got, code := runWasm(t, node, after)
		require.Equal(t, 3, code, got)
		require.Equal(t, want, got)
		// The npm package sets this: only goroutines of the runtime may then run during a collection.
		got, code = runWasm(t, node, after, "GODEBUG=gcstoptheworld=1")
		require.Equal(t, 3, code, got)
		require.Equal(t, want, got)
	}
}

// The command itself fails with a message and an exit code, and leaves the file unchanged.
func TestCommandFails(t *testing.T) {
	command := filepath.Join(t.TempDir(), "optimize.exe")
	out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for why, module := range map[string][]byte{
		"main.odd is not what Go's compiler is known to emit": assembleModule(newestGo,
			append(functionsOfAProgram(10), testFunction{"main.odd", []byte{0, opI32Const, 0, opEnd}})...),
	} {
		path := filepath.Join(t.TempDir(), "module.wasm")
		require.NoError(t, os.WriteFile(path, module, 0o600))

		out, err := exec.Command(command, path).CombinedOutput()

		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 1, exit.ExitCode())
		require.Contains(t, string(out), "cannot optimize "+path+": ")
		require.Contains(t, string(out), why)
		left, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, module, left)
	}
	path := filepath.Join(t.TempDir(), "module.wasm")
	require.NoError(t, os.WriteFile(path, assembleModule(newestGo, functionsOfAProgram(10)...), 0o600))
	out, err = exec.Command(command, "-v", path).CombinedOutput()
	require.NoError(t, err)
	require.Contains(t, string(out), "    10 restructured\n")
	require.NoError(t, os.WriteFile(path, assembleModule(newestGo, functionsOfAProgram(10)...), 0o600))
	out, err = exec.Command(command, "-sizes", path).CombinedOutput()
	require.NoError(t, err)
	require.Contains(t, string(out), "\ncode main ")
}

// needsTime skips a test that builds and runs programs if -short is set. TestProgramBehavesTheSame runs one then, and
// all that is tested as wasm is optimized.
func needsTime(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs programs: after a change of this package, go -C wasm/optimize test")
	}
}

// buildProgram returns the path of testdata/program as wasm.
func buildProgram(t *testing.T) string {
	return buildWasm(t, "./testdata/program", "build", "-ldflags=-w")
}

// buildWasm returns the path of the wasm that a command of Go writes for a package or a file.
func buildWasm(t *testing.T, source string, command ...string) string {
	path := filepath.Join(t.TempDir(), "program.wasm")
	build := exec.Command("go", append(command, "-o", path, source)...)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// runRewritten returns the output and the exit code of a module, rewritten.
func runRewritten(t *testing.T, node, module string, d detail) (string, int) {
	raw, err := os.ReadFile(module)
	require.NoError(t, err)
	rewritten := filepath.Join(t.TempDir(), "rewritten.wasm")
	require.NoError(t, os.WriteFile(rewritten, raw, 0o755))
	_, _, _, err = optimizeFile(rewritten, d)
	require.NoError(t, err)
	return runWasm(t, node, rewritten)
}

// runWasm returns the output of a program and its exit code. A program that does not end in a minute is ended.
func runWasm(t *testing.T, node, path string, env ...string) (string, int) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	starter := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	program := exec.CommandContext(ctx, node, starter, path)
	program.Env = append(env, "PATH="+os.Getenv("PATH")) // Go's starter refuses a large environment
	var out bytes.Buffer
	program.Stdout, program.Stderr = &out, &out
	err = program.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return out.String(), program.ProcessState.ExitCode()
}
