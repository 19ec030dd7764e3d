package main

import (
	"bytes"
	"encoding/binary"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A traceback names the functions, with -lines the lines too, and with -nameless only the panic.
func TestTracebacks(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node to run wasm")
	}
	built := buildWasm(t, "./testdata/traceback", "build", "-ldflags=-w")
	for _, d := range []detail{withoutNames, withNames, withLines} {
		printed, code := runRewritten(t, node, built, d)
		require.Equal(t, 2, code, printed)
		require.Contains(t, printed, "panic: 1\n")
		require.Equal(t, d >= withNames, strings.Contains(printed, "goroutine 1 [running]:"), printed)
		require.Equal(t, d >= withNames, strings.Contains(printed, "main.fail("), printed)
		require.Equal(t, d >= withNames, strings.Contains(printed, "main.main("), printed)
		require.Equal(t, d == withLines, strings.Contains(printed, "main.go:10"), printed)
	}
}

// The tables that something else uses stay, in order, and a second run changes nothing.
func TestPrune(t *testing.T) {
	names := []byte("\x00unused\x00main.a\x00main.b\x00")
	a, b := uint32(bytes.Index(names, []byte("main.a"))), uint32(bytes.Index(names, []byte("main.b")))
	tables := []byte{0}
	add := func(pairs ...uint64) (at uint32, table string) {
		at = uint32(len(tables))
		tables = appendTable(tables, pairs...)
		return at, string(tables[at:])
	}
	stack, stackTable := add(0, 1, 4, 9)
	file, fileTable := add(2, 8)
	line, lineTable := add(200, 3, 9, 300)
	shared, sharedTable := add(5, 5)
	inlined, inlinedTable := add(6, 2)
	unsafePoint, _ := add(7, 1, 7, 1, 7, 1)
	longStackTable := string(appendTable(nil, 0, 1, 4, lastRun))
	module := assembleTables(names, tables, []testEntry{
		{a, stack, file, line, []uint32{unsafePoint, shared, inlined, line}},
		{b, 0, file, shared, []uint32{0, stack, inlined}},
		{a, stack, 0, 0, nil},
	})
	kept := func(m memory) (string, string) {
		fromTables := tableHeaderSize + len(names) + len("unitfile")
		return string(m.bytes[tableHeaderSize:][:len(names)]), string(m.bytes[fromTables:][:len(tables)])
	}
	zeros := func(n uint32) string { return strings.Repeat("\x00", int(n)) }
	for why, row := range map[string]struct {
		detail  detail
		keep    keptFunctions
		removed int
		names   string
		tables  string
	}{
		"without names": {
			withoutNames, keptFunctions{}, 2, zeros(uint32(len(names))), stackTable + longStackTable + sharedTable,
		},
		"one name and the inlined calls of one": {
			withoutNames, keptFunctions{names: set("main.a"), inlined: set("main.a")}, 2,
			zeros(a) + string(names[a:b]) + zeros(7), stackTable + longStackTable + sharedTable + inlinedTable,
		},
		"one name for two functions": {
			withoutNames, keptFunctions{runtime: set("main.a", "main.b")}, 2,
			zeros(a) + string(names[a:b]) + zeros(7), stackTable + longStackTable + sharedTable,
		},
		"with names": {
			withNames, keptFunctions{}, 2, zeros(a) + string(names[a:]), stackTable + longStackTable + sharedTable,
		},
		"with lines": {
			withLines, keptFunctions{}, 0, string(names),
			stackTable + longStackTable + fileTable + sharedTable + inlinedTable + lineTable,
		},
	} {
		m := memory{bytes: bytes.Clone(module)}
		for range 2 {
			n, err := m.prune(row.detail, row.keep)
			require.NoError(t, err, why)
			require.Equal(t, row.removed, n, why)
			row.removed = 0
			gotNames, gotTables := kept(m)
			require.Equal(t, row.names, gotNames, why)
			require.Equal(t, "\x00"+row.tables+zeros(uint32(len(tables)-1-len(row.tables))), gotTables, why)
		}
	}
}

// A damaged header or table is an error or is rewritten, never a crash.
func TestPruneOfDamagedModules(t *testing.T) {
	tables := appendTable([]byte{0}, 5, 5, 300, 1)
	module := assembleTables([]byte("\x00name\x00"), tables, []testEntry{{1, 1, 1, 1, []uint32{1}}, {0, 0, 1, 1, nil}})
	failed := 0
	rapid.Check(t, func(t *rapid.T) {
		m := memory{bytes: append([]byte{}, module...)}
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			m.bytes[rapid.IntRange(8, len(module)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		m.bytes = m.bytes[:rapid.IntRange(0, len(module)).Draw(t, "length")]
		if _, err := m.prune(withoutNames, keptFunctions{}); err != nil {
			require.ErrorIs(t, err, errModule)
			failed++
		}
	})
	require.NotZero(t, failed)
}

func appendTable(out []byte, pairs ...uint64) []byte {
	for _, v := range pairs {
		out = binary.AppendUvarint(out, v)
	}
	return append(out, 0)
}

// A testEntry is a function of assembleTables: offsets in the names and in the tables.
type testEntry struct {
	name, stack, file, line uint32
	tables                  []uint32
}

// assembleTables writes a header with its tables.
func assembleTables(names, tables []byte, functions []testEntry) []byte {
	out := bytes.Clone(tableHeader)
	units := tableHeaderSize + len(names)
	for _, v := range []int{len(functions), 1, 0, tableHeaderSize, units, units + 4, units + 8, units + 8 + len(tables)} {
		out = binary.LittleEndian.AppendUint64(out, uint64(v))
	}
	out = append(append(append(out, names...), "unitfile"...), tables...)
	var list, bodies []byte
	for _, f := range functions {
		list = binary.LittleEndian.AppendUint32(list, 1)
		list = binary.LittleEndian.AppendUint32(list, uint32(8*len(functions)+len(bodies)))
		fields := []uint32{1, f.name, 3, 4, f.stack, f.file, f.line, uint32(len(f.tables)), 6, 7, 8}
		for _, v := range append(fields, f.tables...) {
			bodies = binary.LittleEndian.AppendUint32(bodies, v)
		}
	}
	return append(append(out, list...), bodies...)
}
