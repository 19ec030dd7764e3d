package main

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// However many segments there were, the memory that they make is the same.
func TestJoinedModuleStartsWithTheSameMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var body []byte
		want := map[int]byte{}
		n := rapid.IntRange(1, 20).Draw(t, "segments")
		for range n {
			at := rapid.IntRange(0, 5000).Draw(t, "at")
			data := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "data")
			body = appendSigned(append(body, activeSegment, opI32Const), uint64(at))
			body = append(binary.AppendUvarint(append(body, opEnd), uint64(len(data))), data...)
			for i, b := range data {
				want[at+i] = b
			}
		}
		body = append(binary.AppendUvarint(nil, uint64(n)), body...)
		sections := []section{{1, []byte{0}}, {dataSection, body}}

		require.NoError(t, joinData(sections))

		joined := sections[1].body
		require.Equal(t, byte(1), joined[0], "one segment")
		memory, err := readMemory(joined)
		require.NoError(t, err)
		for at, b := range memory.bytes {
			require.Equal(t, want[at], b)
		}
		require.NoError(t, joinData(sections))
		require.Equal(t, joined, sections[1].body)
	})
}

func TestOneSegmentSetsTheSameMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(t, "bytes")
		start := rapid.IntRange(0, len(bytes)-1).Draw(t, "start")
		clear(bytes[:start])
		before := memory{bytes: bytes, start: start}

		after, err := readMemory(before.segment())

		require.NoError(t, err)
		require.Equal(t, before, after)
	})
}

func TestSectionsAreJoinedAsTheyWereSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOfN(rapid.Byte(), 1, 300)
		module := join([]section{{1, body.Draw(t, "types")}, {codeSection, body.Draw(t, "code")}, {customSection, body.Draw(t, "name")}})

		sections, err := split(module)

		require.NoError(t, err)
		require.Equal(t, module, join(sections))
	})
}

func TestOptimizeRefuses(t *testing.T) {
	header := string(preamble)
	named := header + "\x00\x0a\x04name\x01\x03\x01\x00\x00"
	for why, module := range map[string]string{
		"nothing":                    "",
		"another format":             "\x7fELF",
		"a section past the end":     header + "\x0b\x05\x00",
		"segments counted elsewhere": header + "\x0c\x01\x00",
		"functions without names":    header,
		"a passive segment":          named + "\x0b\x04\x01\x01\x01x",
		"a segment past the memory":  named + "\x0b\x0b\x01\x00\x41\xff\xff\xff\xff\x07\x0b\x01x",
	} {
		_, err := optimize([]byte(module))
		require.Error(t, err, why)
	}
	_, err := optimize([]byte(named))
	require.NoError(t, err)
}
