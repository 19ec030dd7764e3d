package msg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// A result without a call has no tool's name: that of another call, first in the conversation, is not taken for it.
func TestToolNameOfAnOrphan(t *testing.T) {
	c := convtest.FromWords(msg.OpenAIChat, `a !1 t ?1 t ?9 t ?`)
	p := msg.Pair(c)
	require.Equal(t, "run", p.ToolName(c, msg.Ref{Message: 1, Block: 0}))
	require.Equal(t, "unknown", p.ToolName(c, msg.Ref{Message: 2, Block: 0}))
	require.Equal(t, "unknown", p.ToolName(c, msg.Ref{Message: 3, Block: 0}))
}

// A beginning that is added again changes nothing, also if a later call has an id again.
func TestPairerReadsABeginningAgain(t *testing.T) {
	whole := convtest.FromWords(msg.Anthropic, `u =hi a !1 u ?1 a !1`)
	var p msg.Pairer
	p.Add(whole)
	p.Add(whole.WithMessages(whole.Messages[:2:2]))
	p.Add(whole)
	require.Equal(t, msg.Pair(whole), p.Pairing)
	require.Equal(t, `1.0>2.0`, pairs(whole, p.Pairing))
}

// The open round may begin with the first message.
func TestOpenRoundAtTheFirstMessage(t *testing.T) {
	require.Equal(t, 0, msg.OpenRound(convtest.FromWords(msg.OpenAIChat, `a !1`)))
	require.Equal(t, 0, msg.OpenRound(convtest.FromWords(msg.OpenAIChat, `a !1 t ?1`)))
	require.Equal(t, 3, msg.OpenRound(convtest.FromWords(msg.OpenAIChat, `a !1 t ?1 a =done`)))
}

// Growing in steps pairs what one look at the whole pairs, and matches no result twice.
func TestPairerGrows(t *testing.T) {
	whole := convtest.FromWords(msg.Anthropic, `u =hi a !1 !2 u ?1 u ?2 a !1 u ?1 a !3 u =on u ?1`)
	var p msg.Pairer
	for n := range len(whole.Messages) + 1 {
		part := whole.WithMessages(whole.Messages[:n:n])
		p.Add(part)
		p.Add(part) // with nothing new
		require.Equal(t, msg.Pair(part), p.Pairing, n)
	}
	require.Equal(t, `1.0>2.0 1.1>3.0 4.0>5.0`, pairs(whole, p.Pairing))
}
