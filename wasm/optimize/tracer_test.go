package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tracer of a program that cannot start it is replaced; with runtime.StartTrace everything stays.
func TestTracerIsReplaced(t *testing.T) {
	module, err := os.ReadFile(buildProgram(t))
	require.NoError(t, err)
	sections, err := splitSections(module)
	require.NoError(t, err)
	symbols, err := readSymbols(sections)
	require.NoError(t, err)
	_, err = rewriteCode(sections, withNames, keptFunctions{})
	require.NoError(t, err)
	replaced := map[string]bool{}
	for _, s := range sections {
		if s.id != codeSection {
			continue
		}
		r := reader{rest: s.body}
		for k := range r.count() {
			if string(r.take(r.uleb())) == string(trap) {
				replaced[symbols.name(symbols.imported+k)] = true
			}
		}
	}
	require.True(t, replaced["runtime.traceAdvance"])
	require.True(t, replaced["runtime.traceLocker.GCStart"])
	require.False(t, replaced["runtime.traceLocker.ok"])
	require.False(t, replaced["runtime.schedtrace"])
	require.Less(t, len(replaced), 100) // of thousands: only the tracer

	symbols.names[1<<20] = startTrace
	require.Empty(t, symbols.replacements(withLines, keptFunctions{}))
	diagnostics := symbols.replacements(withoutNames, keptFunctions{floats: true})
	require.Greater(t, len(diagnostics), 5)
	for index := range diagnostics {
		require.NotContains(t, symbols.names[index], "runtime.traceLocker")
	}
}
