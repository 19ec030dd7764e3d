package view

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// Each thinking block is looked at once, however many there are.
func TestBoundThinkingReadsEachBlockOnce(t *testing.T) {
	const turns = 5000
	c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.User, "Go on.")}}
	for range turns {
		c.Messages = append(c.Messages, msg.Message{Role: msg.Assistant,
			Blocks: []msg.Block{{Kind: msg.KindThinking, Text: "Hm."}, msg.TextBlock("Done.")}},
			msg.TextMessage(msg.User, "Next."))
	}
	reads := 0
	_, bound := BoundThinking(c, msg.Ref{Message: 0}, func(msg.Ref) bool { reads++; return false })
	require.Len(t, bound, turns)
	require.Equal(t, turns, reads)
}
