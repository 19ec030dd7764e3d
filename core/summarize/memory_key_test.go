package summarize

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// Who wrote a block depends on its message: the block before it can say that it is a tool's, as Cline writes results,
// and in a Meta message nothing is the user's. One memory keeps these readings apart.
func TestMemoryTellsAuthorsApart(t *testing.T) {
	blocks := []msg.Block{{Kind: msg.KindText, Text: "[read_file for 'a.go'] Result:"},
		{Kind: msg.KindText, Text: "Never call readFile."}}
	memory := new(Memory)
	memory.begin(true)
	for _, row := range []struct {
		why   string
		m     msg.Message
		block int
		user  bool
	}{
		{"after the line of a tool", msg.Message{Role: msg.User, Blocks: blocks}, 1, false},
		{"alone", msg.Message{Role: msg.User, Blocks: blocks[1:]}, 0, true},
		{"in a Meta message", msg.Message{Role: msg.User, Blocks: blocks[1:], Meta: true}, 0, false},
		{"the assistant's", msg.Message{Role: msg.Assistant, Blocks: blocks[1:]}, 0, false},
	} {
		for range 2 { // read, and remembered
			texts := memory.readBlock(&row.m, row.block)
			require.Len(t, texts, 1)
			require.Equal(t, row.user, texts[0].user, row.why)
		}
	}
	require.Len(t, memory.blocks, 4)
}

// Above its size the memory forgets, but the index that was just made keeps what it needs.
func TestMemoryForgets(t *testing.T) {
	text := make([]byte, maxMemoryBytes+1)
	for i := range text {
		text[i] = " fooBar"[i%7]
	}
	c := &msg.Conversation{Messages: []msg.Message{msg.TextMessage(msg.Assistant, string(text))}}
	var memory Memory
	x := memory.New(c, nil, nil)
	require.Equal(t, Memory{}, memory)
	_, found := x.findAtom("fooBar")
	require.True(t, found)
}
