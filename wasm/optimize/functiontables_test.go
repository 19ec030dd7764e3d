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

// The return addresses 1, 2, … have the values of those before.
func TestRunsOfNewReturnAddresses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := drawRuns(t)
		returns := rapid.SliceOfNDistinct(rapid.Uint64Range(1, 80), 0, 10, rapid.ID[uint64]).Draw(t, "returns")
		slices.Sort(returns)
		before := slices.Clone(runs)

		after := renumberedRuns(runs, returns)

		require.Equal(t, before, runs)
		for i, at := range returns {
			require.Equal(t, valueAt(runs, at-1), valueAt(after, uint64(i)))
		}
		for i := range after[1:] {
			require.Less(t, after[i].from, after[i+1].from)
			require.NotEqual(t, after[i].value, after[i+1].value)
		}
	})
}

// The frame of a function has one size at all its new return addresses.
func TestFramesWithTwoSizesFail(t *testing.T) {
	known := map[uint64]returnAddresses{1: {before: []uint64{3}, renumbered: true}}
	for _, c := range []struct {
		table []byte
		err   error
	}{
		{appendTable([]byte{0}, 2, 9, 0, 0, 0), nil}, {appendTable([]byte{0}, 2, 1, 2, 9, 0, 0), nil},
		{appendTable([]byte{0}, 2, 2, 2, 9, 0, 0), errModule}, {appendTable([]byte{0}, 2, 1, 2, 9, 2, 9), errModule},
	} {
		m := memory{bytes: assembleTables([]byte("\x00"), c.table, []testEntry{{0, 1, 0, 0, nil}})}
		_, err := m.prune(withoutNames, keptFunctions{returns: known})
		require.ErrorIs(t, err, c.err)
	}
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
		known := map[uint64]returnAddresses{}
		if len(returns) > 0 {
			known[1] = returnAddresses{before: returns}
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
