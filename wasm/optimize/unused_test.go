package main

import (
	"os"
	"os/exec"
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
	needsTime(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node to run wasm")
	}
	built := buildWasm(t, "./testdata/features", "test", "-c", "-ldflags=-s=false -w")
	symbols := symbolsOf(t, built)
	for _, f := range features {
		for _, name := range f.enabled {
			// These two need a GOEXPERIMENT: package arena and the profile of leaks.
			if name != "runtime.__mheap_.allocUserArenaChunk" && name != "runtime_pprof.runtime_goroutineLeakGC" {
				require.True(t, symbols.contain(name), name)
			}
		}
	}
	for _, d := range []detail{withoutNames, withNames, withLines} {
		printed, code := runRewritten(t, node, built, d)
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
