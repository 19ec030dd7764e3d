package main

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMergedDataSetsTheSameMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var body []byte
		want := map[int]byte{}
		n := rapid.IntRange(1, 20).Draw(t, "segments")
		for range n {
			offset := rapid.IntRange(0, 5000).Draw(t, "offset")
			data := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "data")
			body = appendSleb(append(body, activeSegment, opI32Const), uint64(offset))
			body = append(binary.AppendUvarint(append(body, opEnd), uint64(len(data))), data...)
			for i, b := range data {
				want[offset+i] = b
			}
		}
		body = append(binary.AppendUvarint(nil, uint64(n)), body...)
		sections := []section{{1, []byte{0}}, {dataSection, body}}

		_, err := mergeData(sections, withLines, keptFunctions{})
		require.NoError(t, err)

		merged := sections[1].body
		require.Equal(t, byte(1), merged[0], "one segment")
		memory, err := readMemory(merged)
		require.NoError(t, err)
		for at, b := range memory.bytes {
			require.Equal(t, want[at], b)
		}
		_, err = mergeData(sections, withLines, keptFunctions{})
		require.NoError(t, err)
		require.Equal(t, merged, sections[1].body)
	})
}

func TestDataSectionRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(t, "bytes")
		start := rapid.IntRange(0, len(bytes)-1).Draw(t, "start")
		clear(bytes[:start])
		before := memory{bytes: bytes, start: start}

		after, err := readMemory(before.dataSection())

		require.NoError(t, err)
		require.Equal(t, before, after)
	})
}

func TestSectionsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOfN(rapid.Byte(), 1, 300)
		module := joinSections([]section{
			{1, body.Draw(t, "types")}, {codeSection, body.Draw(t, "code")}, {customSection, body.Draw(t, "name")},
		})

		sections, err := splitSections(module)

		require.NoError(t, err)
		require.Equal(t, module, joinSections(sections))
	})
}

func TestInvalidModules(t *testing.T) {
	header := string(preamble)
	producers := "\x00\x21\x09producers\x01\x08language\x01\x02Go\x08" + oldestGo
	name := "\x00\x0a\x04name\x01\x03\x01\x00\x00"
	for why, module := range map[string]string{
		"an empty file":                     "",
		"another format":                    "\x7fELF",
		"a section past the end":            header + "\x0b\x05\x00",
		"a data count section":              header + "\x0c\x01\x00",
		"an import count past the end":      header + producers + "\x02\x05\xff\xff\xff\xff\x0f",
		"an imported memory":                header + producers + "\x02\x07\x01\x01a\x01b\x02\x00",
		"an export count past the end":      header + producers + "\x07\x05\xff\xff\xff\xff\x0f",
		"a code count past the end":         header + producers + name + "\x0a\x05\xff\xff\xff\xff\x0f",
		"a producers count past the end":    header + "\x00\x0f\x09producers\xff\xff\xff\xff\x0f",
		"no Go version among the producers": header + "\x00\x0b\x09producers\x00",
	} {
		_, _, err := optimize([]byte(module), withNames)
		require.ErrorIs(t, err, errModule, why)
	}
	_, _, err := optimize([]byte(header+producers), withNames)
	require.ErrorIs(t, err, errNames)
}

func TestInvalidDataSegments(t *testing.T) {
	for why, body := range map[string]string{
		"a passive segment":             "\x01\x01\x01x",
		"a segment past the memory":     "\x01\x00\x41\xff\xff\xff\xff\x07\x0b\x01x",
		"an offset that overflows":      "\x01\x00\x41\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x0b\x01x",
		"an offset that is no constant": "\x01\x00\x23\x00\x0b\x01x",
		"no segment":                    "\x00",
		"bytes after the last segment":  "\x01\x00\x41\x08\x0b\x01xy",
	} {
		_, err := mergeData([]section{{dataSection, []byte(body)}}, withLines, keptFunctions{})
		require.ErrorIs(t, err, errModule, why)
	}
}
