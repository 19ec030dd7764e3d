package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every byte of a program that the installed Go builds is in exactly one part, and the tables of the linker are found.
func TestPartsAddUpToTheModule(t *testing.T) {
	before, err := os.ReadFile(buildProgram(t))
	require.NoError(t, err)
	after, _, err := optimize(before, withLines) // with the tables of files and lines
	require.NoError(t, err)
	named, err := splitSections(before)
	require.NoError(t, err)
	symbols, err := readSymbols(named)
	require.NoError(t, err)
	sections, err := splitSections(after)
	require.NoError(t, err)

	parts, err := sizes(sections, symbols)

	require.NoError(t, err)
	byName := map[string]part{}
	sum := 0
	for i, p := range parts {
		require.NotContains(t, byName, p.name)
		require.NotEmpty(t, p.bytes, p.name)
		require.True(t, i == 0 || p.smaller <= parts[i-1].smaller, "sorted by compressed size")
		byName[p.name] = p
		sum += len(p.bytes)
	}
	want := 0
	for _, s := range sections {
		switch s.id {
		case codeSection:
			want += bodies(t, s.body)
		case dataSection:
			memory, err := readMemory(s.body)
			require.NoError(t, err)
			want += len(memory.bytes) - memory.start
			require.Len(t, memory.byTable(), 8)
			var joined []byte
			for _, p := range memory.byTable() {
				joined = append(joined, p.bytes...)
			}
			require.True(t, bytes.Equal(joined, memory.bytes[memory.start:]))
			require.Contains(t, string(byName["data names of functions"].bytes), "main.irreducible\x00")
			require.Contains(t, string(byName["data names of files"].bytes), "runtime/panic.go\x00")
		default:
			want += len(s.body)
		}
	}
	require.Equal(t, want, sum)
	for _, name := range []string{"code main", "code runtime", "code internal/strconv"} {
		require.Contains(t, byName, name)
	}
	require.Greater(t, len(byName["code runtime"].bytes), len(byName["code main"].bytes))
}

// bodies is the size of all functions in a code section, without their sizes.
func bodies(t *testing.T, section []byte) int {
	r := reader{rest: section}
	size := 0
	for range r.count() {
		size += len(r.take(r.uleb()))
	}
	require.False(t, r.failed)
	require.Empty(t, r.rest)
	return size
}

func TestPackageOfAFunction(t *testing.T) {
	for function, want := range map[string]string{
		"tamp_core_msg._Conversation_.Len":      "tamp/core/msg",
		"main.main.func1":                       "main",
		"slices.SortFunc_go.shape.int_":         "slices",
		"github.com_syumai_workers_internal.Do": "github.com/syumai/workers/internal",
		"golang.org_x_net_idna.init":            "golang.org/x/net/idna",
		"type_.eq.struct___F_uintptr__":         "of types",
		"memeqbody":                             "runtime",
		"internal_runtime_maps._Iter_.Next":     "internal/runtime/maps",
	} {
		require.Equal(t, want, packageOf(function), function)
	}
}

// Data that is not of the Go linker is one part, whatever it begins with.
func TestDataWithoutTables(t *testing.T) {
	header := []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}
	pointing := append(bytes.Clone(header), make([]byte, 72)...)
	pointing = binary.LittleEndian.AppendUint64(pointing, 0) // the address of the table, and that of its names: 0 + 0
	pointing = binary.LittleEndian.AppendUint64(pointing, 0)
	for name, raw := range map[string][]byte{
		"text":             []byte("hello"),
		"header only":      header,
		"header, no match": append(bytes.Clone(header), make([]byte, 40)...),
		"no room":          pointing,
		"tables that overlap": append(bytes.Clone(pointing),
			bytes.Repeat([]byte{0xff, 0, 0, 0, 0, 0, 0, 0x80}, moduleWords)...),
	} {
		require.Equal(t, []part{{name: "data", bytes: raw}}, memory{bytes: raw}.byTable(), name)
	}
}
