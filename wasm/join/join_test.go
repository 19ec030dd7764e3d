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
			body = appendSigned(append(body, activeSegment, opConst), uint64(at))
			body = append(binary.AppendUvarint(append(body, opEnd), uint64(len(data))), data...)
			for i, b := range data {
				want[at+i] = b
			}
		}
		body = append(binary.AppendUvarint(nil, uint64(n)), body...)
		module := join([]section{{1, []byte{0}}, {dataSection, body}, {0, []byte("name")}})

		joined, err := joinData(module)
		require.NoError(t, err)
		sections, err := split(joined)
		require.NoError(t, err)
		require.Len(t, sections, 3)
		require.Equal(t, byte(1), sections[1].body[0], "one segment")
		memory, err := readMemory(sections[1].body)
		require.NoError(t, err)
		for at, b := range memory.bytes {
			require.Equal(t, want[at], b)
		}
		again, err := joinData(joined)
		require.NoError(t, err)
		require.Equal(t, joined, again)
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

func TestJoinRefuses(t *testing.T) {
	header := string(preamble)
	for why, module := range map[string]string{
		"nothing":                    "",
		"another format":             "\x7fELF",
		"a section past the end":     header + "\x0b\x05\x00",
		"segments counted elsewhere": header + "\x0c\x01\x00",
		"a passive segment":          header + "\x0b\x04\x01\x01\x01x",
		"a segment past the memory":  header + "\x0b\x0b\x01\x00\x41\xff\xff\xff\xff\x07\x0b\x01x",
	} {
		_, err := joinData([]byte(module))
		require.Error(t, err, why)
	}
}
