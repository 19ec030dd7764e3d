package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The code of features that a program cannot enable is replaced, with names only this.
func TestUnusedFeaturesAreReplaced(t *testing.T) {
	symbols := symbolsOf(t, buildProgram(t))
	traps := func(d detail) map[string]bool {
		names := map[string]bool{}
		for index, body := range symbols.replacements(d, keptFunctions{floats: true}) {
			names[symbols.names[index]] = string(body) == string(trap)
		}
		return names
	}
	named, nameless := traps(withNames), traps(withoutNames)
	for _, name := range []string{
		"runtime.traceAdvance", "runtime.traceLocker.GCStart", "runtime.__profBuf_.read",
		"runtime.typesEqual",
	} {
		require.True(t, named[name], name)
		require.True(t, nameless[name], name)
	}
	require.NotContains(t, nameless, "runtime.traceLocker.ok")
	require.Contains(t, named, "runtime.moduledataverify1")
	require.False(t, named["runtime.moduledataverify1"])
	require.NotContains(t, named, "runtime.schedtrace")
	require.True(t, nameless["runtime.schedtrace"])
	require.Less(t, len(nameless), 200) // of thousands
}

// A program that uses the features runs as before.
func TestUsedFeaturesStay(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node to run wasm")
	}
	built := filepath.Join(t.TempDir(), "features.wasm")
	build := exec.Command("go", "test", "-c", "-ldflags=-s=false -w", "-o", built, "./testdata/features")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	symbols := symbolsOf(t, built)
	for _, f := range features {
		for _, name := range f.enabled {
			// What nothing enables here: package arena and the profile of leaks need a GOEXPERIMENT.
			if name != "runtime.__mheap_.allocUserArenaChunk" && name != "runtime_pprof.runtime_goroutineLeakGC" {
				require.True(t, symbols.contain(name), name)
			}
		}
	}
	for _, d := range []detail{withoutNames, withNames, withLines} {
		module, err := os.ReadFile(built)
		require.NoError(t, err)
		rewritten := filepath.Join(t.TempDir(), "rewritten.wasm")
		require.NoError(t, os.WriteFile(rewritten, module, 0o755))
		_, _, _, err = optimizeFile(rewritten, d)
		require.NoError(t, err)
		printed, code := runWasm(t, node, rewritten)
		require.Equal(t, 0, code, printed)
		require.Contains(t, printed, "PASS")
	}
}

func symbolsOf(t *testing.T, path string) *symbols {
	module, err := os.ReadFile(path)
	require.NoError(t, err)
	sections, err := splitSections(module)
	require.NoError(t, err)
	symbols, err := readSymbols(sections)
	require.NoError(t, err)
	return symbols
}
