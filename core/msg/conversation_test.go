package msg_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

func TestWithNeverTouchesTheOriginal(t *testing.T) {
	c := convtest.FromWords(msg.Anthropic, `u =hi a !1 @5 u ?1`)
	call, result := *c.At(msg.Ref{Message: 1, Block: 0}), *c.At(msg.Ref{Message: 2, Block: 0})
	result.Parts = []msg.Block{msg.TextBlock("a"), {Kind: msg.KindImage}}
	require.True(t, result.HasMedia())

	cleared := result.WithText("gone").WithID("2")
	require.Equal(t, msg.ChangedText|msg.ChangedID, cleared.Changed)
	require.Empty(t, cleared.Parts)
	require.False(t, cleared.HasMedia())
	require.Equal(t, "out", result.Text)
	require.Equal(t, "1", result.ID)

	require.Equal(t, msg.ChangedInput|msg.ChangedCache, call.WithInput("{}").WithCache(nil).Changed)
	require.NotNil(t, call.Cache)

	m := c.Messages[1].WithBlocks([]msg.Block{msg.TextBlock("x")})
	require.True(t, m.Changed)
	require.False(t, c.Messages[1].Changed)
	require.Len(t, c.WithMessages(nil).Messages, 0)
	require.Len(t, c.Messages, 3)
}

func TestResultBlock(t *testing.T) {
	c := convtest.FromWords(msg.Anthropic, `u =hi a !1`)
	require.Equal(t, msg.Block{Kind: msg.KindToolResult, Type: "tool_result", ID: "1", Name: "run", Text: "no",
		IsError: true},
		msg.ResultBlock(c.At(msg.Ref{Message: 1, Block: 0}), "no", true))
}

func TestIsInjected(t *testing.T) {
	for text, want := range map[string]bool{
		"<system-reminder>be brief</system-reminder>":                                   true,
		"\n <ide_selection>x</ide_selection> ":                                          true,
		"<system-reminder></system-reminder>":                                           true,
		"<system-reminder>a</system-reminder> and <system-reminder>b</system-reminder>": false,
		"<system-reminder>a</system-reminder> please":                                   false,
		"<b>bold</b>":       false,
		"<system-reminder>": false,
		"":                  false,
	} {
		b := msg.TextBlock(text)
		require.Equal(t, want, b.IsInjected(), text)
	}
}

func TestTurns(t *testing.T) {
	c := convtest.FromWords(msg.Anthropic, `u =hi a !1 u ?1 a =x u =more u =and a =y u =z`)
	require.Equal(t, []int{1, 1, 2, 2, 3, 3, 3, 4}, c.Turns(), "an assistant message with what came in before it")
	require.Empty(t, convtest.FromWords(msg.Anthropic, ``).Turns())
}

func TestUsageAndSpan(t *testing.T) {
	require.Equal(t, 16, msg.Usage{Input: 1, CacheRead: 5, CacheWrite: 10, Output: 100}.Prompt())
	require.Equal(t, 3, msg.Span{Start: 2, End: 5}.Len())
	c := convtest.FromWords(msg.Anthropic, `u =hi a !1`)
	require.Equal(t, "1", c.At(msg.Ref{Message: 1, Block: 0}).ID)
	require.Equal(t, msg.Message{Role: msg.User,
		Blocks: []msg.Block{{Kind: msg.KindText, Type: "text", Text: "x", Bare: true}}, Changed: true},
		msg.TextMessage(msg.User, "x"))
}

// Blocks yields what two nested loops yield, in the same order, and ends with the loop over it.
func TestBlocksAgreesWithNestedLoops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 3), 0, 6).Draw(t, "blocks per message")
		c := &msg.Conversation{}
		for _, n := range sizes {
			c.Messages = append(c.Messages, msg.Message{Blocks: make([]msg.Block, n)})
		}
		start := rapid.IntRange(0, len(sizes)).Draw(t, "start")
		end := rapid.IntRange(0, len(sizes)).Draw(t, "end")
		limit := rapid.IntRange(1, 18).Draw(t, "limit")
		var all, part []msg.Ref
		for m := range c.Messages {
			for b := range c.Messages[m].Blocks {
				all = append(all, msg.Ref{Message: m, Block: b})
				if start <= m && m < end && len(part) < limit {
					part = append(part, msg.Ref{Message: m, Block: b})
				}
			}
		}
		var got, some []msg.Ref
		for ref, block := range c.Blocks() {
			require.Same(t, c.At(ref), block)
			got = append(got, ref)
		}
		for ref := range c.BlocksIn(msg.Span{Start: start, End: end}) {
			if some = append(some, ref); len(some) == limit {
				break
			}
		}
		require.Equal(t, all, got)
		require.Equal(t, part, some)
	})
}
