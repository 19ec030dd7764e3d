package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func drawRuns(t *rapid.T) []run {
	runs := []run{{0, rapid.Int64Range(-1, 3).Draw(t, "value")}}
	for range rapid.IntRange(0, 20).Draw(t, "runs") {
		last := runs[len(runs)-1]
		value := rapid.Int64Range(-1, 3).Filter(func(v int64) bool { return v != last.value }).Draw(t, "value")
		runs = append(runs, run{last.from + rapid.Uint64Range(1, 5).Draw(t, "length"), value})
	}
	return runs
}

// valueAt is how the runtime looks a value up (pcvalue in runtime/symtab.go).
func valueAt(runs []run, address uint64) int64 {
	value := int64(-1)
	for _, r := range runs {
		if r.from <= address {
			value = r.value
		}
	}
	return value
}

func TestRunsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := drawRuns(t)

		table, got := readRuns(append(appendRuns(nil, runs), 7, 7))

		require.Equal(t, runs, got)
		require.Equal(t, appendRuns(nil, runs), table)
	})
}

// A shorter table has the same values where a goroutine can be, and no run that it could do without.
func TestRunsAtReturnAddresses(t *testing.T) {
	shorter := 0
	rapid.Check(t, func(t *rapid.T) {
		runs := drawRuns(t)
		returns := rapid.SliceOfN(rapid.Uint64Range(1, 80), 1, 10).Draw(t, "returns")
		deferReturn := rapid.Uint64Range(0, 80).Draw(t, "call of deferreturn")
		before := slices.Clone(runs)

		after := runsAt(runs, returns, deferReturn)

		require.Equal(t, before, runs)
		require.LessOrEqual(t, len(after), len(runs))
		if len(after) < len(runs) {
			shorter++
		}
		for _, at := range returns {
			require.Equal(t, valueAt(runs, at-1), valueAt(after, at-1))
		}
		require.Equal(t, valueAt(runs, deferReturn), valueAt(after, deferReturn))
		require.Equal(t, valueAt(runs, 0), valueAt(after, 0))
		for i := range after[1:] {
			require.Less(t, after[i].from, after[i+1].from)
			require.NotEqual(t, after[i].value, after[i+1].value)
		}
	})
	require.NotZero(t, shorter)
}

// Functions share a table that differs only where no goroutine can be.
func TestFunctionsShareTables(t *testing.T) {
	tables := appendTable([]byte{0}, 2, 5, 2, 9)
	second := uint32(len(tables))
	tables = appendTable(tables, 2, 7, 2, 7)
	tables = append(tables, 0, 0, 0, 0) // the new tables may be longer
	names := []byte("\x00")
	module := memory{bytes: assembleTables(names, tables, []testEntry{
		{0, 0, 0, 0, []uint32{0, 1}}, {0, 0, 0, 0, []uint32{0, second}},
	})}
	words := func(t *testing.T, returns ...uint64) []uint32 {
		m := memory{bytes: slices.Clone(module.bytes)}
		known := map[uint64]bool{}
		for _, at := range returns {
			known[1<<16+at] = true
		}
		_, err := m.prune(withLines, keptFunctions{returns: known})
		require.NoError(t, err)
		read, err := m.readTables()
		require.NoError(t, err)
		var offsets []uint32
		for i := range read.count {
			f, err := read.entry(i)
			require.NoError(t, err)
			offsets = append(offsets, uint32(f.tables[4]))
		}
		return offsets
	}
	require.Equal(t, []uint32{1, 1}, words(t, 3, 5, 8))
	require.Equal(t, []uint32{1, 8}, words(t, 3, 6, 8))
	require.Equal(t, []uint32{1, 6}, words(t)) // no return address is known: unchanged
}
