package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyTestedGoVersionsAreAccepted(t *testing.T) {
	program := functionsOfAProgram(10)
	for _, version := range []string{oldestGo, "go1.26.8", "go1.26.8 X:nodwarf5", newestGo + "rc1", newestGo + ".99"} {
		_, _, err := optimize(assembleModule(version, program...), withNames)
		require.NoError(t, err, version)
	}
	others := []string{"go1.25.9", "go1.26rc3", "go1.28rc1", "go1.28.0", "go1.30.1", "devel go1.28-0123456 linux", "",
		"1.26.1"}
	for _, version := range others {
		_, _, err := optimize(assembleModule(version, program...), withNames)
		require.ErrorIs(t, err, errUntested, version)
		require.ErrorContains(t, err, "tested with "+oldestGo+" to "+newestGo+" only", version)
	}
}

// A build with a Go release that is newer than this command succeeds, with a warning.
func TestTheCommandLeavesUntestedVersionsUnchanged(t *testing.T) {
	command := filepath.Join(t.TempDir(), "optimize")
	output, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput()
	require.NoError(t, err, "%s", output)
	file := filepath.Join(t.TempDir(), "a.wasm")
	module := assembleModule("go1.99.0", functionsOfAProgram(10)...)
	require.NoError(t, os.WriteFile(file, module, 0o644))

	for _, flag := range []string{"-nameless", "-sizes"} {
		output, err = exec.Command(command, flag, file).CombinedOutput()
		require.NoError(t, err, "%s", output)
		require.Regexp(t, `^warning: cannot optimize .*a.wasm: the file stays .* built by "go1.99.0"`, string(output), flag)
	}
	same, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, module, same)
}

// The limits on the sizes hold for what this command has written. A module that it left unchanged gets a warning.
func TestOnlyOptimizedModulesHaveALimit(t *testing.T) {
	makefile, err := filepath.Abs("../../Makefile")
	require.NoError(t, err)
	require.FileExists(t, makefile)
	dir := t.TempDir()
	write := func(name string, content []byte) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, content, 0o644))
	}
	testSize := func(module []byte, limit string) (string, error) {
		write("worker/worker.mjs", nil)
		write("worker/instance.mjs", nil)
		write("worker/build/app.wasm", module)
		write("wasm/npm/tamp.wasm", module)
		command := exec.Command("make", "-f", makefile, "-C", dir, "test-size", "WASM=", "WORKER=",
			"MAX_WASM=100000", "MAX_WORKER="+limit)
		output, err := command.CombinedOutput()
		return string(output), err
	}
	unknown := assembleModule("go1.99.0", functionsOfAProgram(10)...)
	known, _, err := optimize(assembleModule(newestGo, functionsOfAProgram(10)...), withNames)
	require.NoError(t, err)

	output, err := testSize(unknown, "1")
	require.NoError(t, err, output)
	require.Contains(t, output, "warning: tamp.wasm is not optimized, so its size is not limited")
	require.Contains(t, output, "warning: the Worker is not optimized, so its size is not limited")
	output, err = testSize(known, "100000")
	require.NoError(t, err, output)
	require.NotContains(t, output, "warning")
	output, err = testSize(known, "1")
	require.Error(t, err, output)
}

func TestGoVersionIsRequired(t *testing.T) {
	sections, err := splitSections(assembleModule(newestGo, functionsOfAProgram(10)...))
	require.NoError(t, err)
	for i, s := range sections {
		if r := (reader{rest: s.body}); s.id == customSection && r.string() == "producers" {
			sections = append(sections[:i], sections[i+1:]...)
			break
		}
	}

	_, _, err = optimize(joinSections(sections), withNames)

	require.ErrorContains(t, err, "no producers section")
}
