package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// readProgram returns the sections of testdata/program, and its memory.
func readProgram(t *testing.T) (sections []section, data int, m memory) {
	module, err := os.ReadFile(buildProgram(t))
	require.NoError(t, err)
	sections, err = splitSections(module)
	require.NoError(t, err)
	data = slices.IndexFunc(sections, func(s section) bool { return s.id == dataSection })
	m, err = readMemory(sections[data].body)
	require.NoError(t, err)
	return sections, data, m
}

// An engine that instantiates the module has the values in memory that the start function computes.
func TestTheStartFunctionComputesTheTables(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node to run wasm")
	}
	sections, data, m := readProgram(t)
	want := bytes.Clone(m.bytes)

	start, err := m.clearComputed()

	require.NoError(t, err)
	require.NotNil(t, start)
	tables, err := m.readTables()
	require.NoError(t, err)
	require.Zero(t, tables.list[0])
	sections[data].body = m.dataSection()
	sections, err = addStart(sections, start)
	require.NoError(t, err)
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "module.wasm"), filepath.Join(folder, "memory")
	require.NoError(t, os.WriteFile(path, joinSections(sections), 0o600))
	script := `const fs = require("fs"), module = new WebAssembly.Module(fs.readFileSync(process.argv[1])), imports = {};
		for (const i of WebAssembly.Module.imports(module)) (imports[i.module] ??= {})[i.name] = () => {};
		fs.writeFileSync(process.argv[2], new Uint8Array(new WebAssembly.Instance(module, imports).exports.mem.buffer));`
	out, err := exec.Command(node, "-e", script, path, copied).CombinedOutput()
	require.NoError(t, err, "%s", out)
	got, err := os.ReadFile(copied)
	require.NoError(t, err)
	got = got[:len(want)]
	index, end := int(tables.indexAt), int(tables.indexAt)+len(tables.index)
	require.True(t, bytes.Equal(want[:index], got[:index]))
	require.True(t, bytes.Equal(want[end:], got[end:]))
	for i := index; i < end; i += indexStep {
		require.Equal(t, want[i:i+indexEntry], got[i:i+indexEntry])
	}
}

// Tables with other values than those of a start function stay.
func TestOtherTablesAreNotComputed(t *testing.T) {
	_, _, m := readProgram(t)
	tables, err := m.readTables()
	require.NoError(t, err)
	function, err := tables.entry(3)
	require.NoError(t, err)
	for name, at := range map[string]*byte{
		"a number in the list":     &tables.list[8*3],
		"an offset in the list":    &tables.list[8*3+4],
		"the number of a function": &function.fixed[0],
		"an entry of the index":    &tables.index[indexStep*3],
		"a part of a range":        &tables.index[indexStep*3+4],
	} {
		t.Run(name, func(t *testing.T) {
			*at ^= 8
			defer func() { *at ^= 8 }()
			before := bytes.Clone(m.bytes)

			start, err := m.clearComputed()

			require.NoError(t, err)
			require.Nil(t, start)
			require.True(t, bytes.Equal(before, m.bytes))
		})
	}
}

// Runs of zeros are not in the data section, and the memory is the same.
func TestLongRunsOfZerosAreLeftOut(t *testing.T) {
	m := memory{bytes: make([]byte, 3*zeroRun), start: 5}
	m.bytes[5], m.bytes[6], m.bytes[len(m.bytes)-1] = 1, 2, 3

	section := m.dataSection()

	require.Less(t, len(section), 30)
	after, err := readMemory(section)
	require.NoError(t, err)
	require.Equal(t, m, after)
}
