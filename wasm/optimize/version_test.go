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

	output, err = exec.Command(command, "-nameless", file).CombinedOutput()

	require.NoError(t, err, "%s", output)
	require.Regexp(t, `^warning: cannot optimize .*a.wasm: the file stays .* built by "go1.99.0"`, string(output))
	same, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, module, same)
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
