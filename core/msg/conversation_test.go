package msg

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithNeverTouchesTheOriginal(t *testing.T) {
	c := conversation(Anthropic, `u =hi a !1 @5 u ?1`)
	call, result := *c.At(Ref{1, 0}), *c.At(Ref{2, 0})
	result.Parts = []Block{TextBlock("a"), {Kind: KindImage}}
	require.True(t, result.HasMedia())

	cleared := result.WithText("gone").WithID("2")
	require.Equal(t, ChangedText|ChangedID, cleared.Changed)
	require.Empty(t, cleared.Parts)
	require.False(t, cleared.HasMedia())
	require.Equal(t, "out", result.Text)
	require.Equal(t, "1", result.ID)

	require.Equal(t, ChangedInput|ChangedCache, call.WithInput("{}").WithCache(nil).Changed)
	require.NotNil(t, call.Cache)

	m := c.Messages[1].WithBlocks([]Block{TextBlock("x")})
	require.True(t, m.Changed)
	require.False(t, c.Messages[1].Changed)
	require.Len(t, c.WithMessages(nil).Messages, 0)
	require.Len(t, c.Messages, 3)
}

func TestResultBlock(t *testing.T) {
	c := conversation(Anthropic, `u =hi a !1`)
	require.Equal(t, Block{Kind: KindToolResult, Type: "tool_result", ID: "1", Name: "run", Text: "no", IsError: true},
		ResultBlock(c.At(Ref{1, 0}), "no", true))
}

func TestIsPrompt(t *testing.T) {
	prompt := func(in string) bool { return conversation(Anthropic, in).Messages[0].IsPrompt() }
	require.True(t, prompt(`u =hi`))
	require.True(t, prompt(`u ?1 "go"`), "a prompt behind results")
	require.True(t, prompt(`u img`))
	require.False(t, prompt(`u ?1`))
	require.False(t, prompt(`a =hi`))
	require.False(t, prompt(`u`))
	require.False(t, prompt(`u "<system-reminder>x</system-reminder>"`), "the user did not type it")
	meta := conversation(Anthropic, `u =hi`)
	meta.Messages[0].Meta = true
	require.False(t, meta.Messages[0].IsPrompt(), "injected by the agent")
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
		b := TextBlock(text)
		require.Equal(t, want, b.IsInjected(), text)
	}
}

func TestTurns(t *testing.T) {
	c := conversation(Anthropic, `u =hi a !1 u ?1 a =x u =more u =and a =y u =z`)
	require.Equal(t, []int{1, 1, 2, 2, 3, 3, 3, 4}, c.Turns(), "an assistant message with what came in before it")
	require.Empty(t, conversation(Anthropic, ``).Turns())
}

func TestUsageAndSpan(t *testing.T) {
	require.Equal(t, 16, Usage{Input: 1, CacheRead: 5, CacheWrite: 10, Output: 100}.Prompt())
	require.Equal(t, 3, Span{2, 5}.Len())
	c := conversation(Anthropic, `u =hi a !1`)
	require.Equal(t, "1", c.At(Ref{1, 0}).ID)
	require.Equal(t, Message{Role: User, Blocks: []Block{{Kind: KindText, Type: "text", Text: "x", Bare: true}}, Changed: true}, TextMessage(User, "x"))
}
