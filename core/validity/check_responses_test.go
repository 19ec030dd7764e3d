package validity

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

const (
	userItem    = `{"role":"user","content":"go"}`
	messageItem = `{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"x"},` +
		`{"type":"output_text","text":"z"}]}`
	reasoningItem = `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"AA"}`
)

// Two requests show that an item lost the reasoning that it came with; one alone does not.
func TestLostReasoning(t *testing.T) {
	const search = `{"type":"web_search_call","id":"ws_1","status":"completed"}`
	parse := func(items ...string) *msg.Conversation {
		c, err := format.Parse([]byte(`[`+strings.Join(items, ",")+`]`), msg.OpenAIResponses)
		require.NoError(t, err)
		return c
	}
	prev := parse(userItem, reasoningItem, search, messageItem)
	next := parse(userItem, search, messageItem, userItem)
	require.True(t, Valid(Check(next)))
	problems := slices.DeleteFunc(CheckAppend(prev, next), func(p Problem) bool { return p.Rule != R2Reasoning })
	require.Len(t, problems, 1)
	require.Equal(t, "Item 'ws_1' of type 'web_search_call' was provided without its required 'reasoning' item: 'rs_1'.",
		problems[0].ProviderError)
	require.Equal(t, "/1", problems[0].Path)
	require.Equal(t, SeverityError, problems[0].Severity)
	require.NotEmpty(t, problems[0].Reason)
	require.Empty(t, CheckAppend(prev, parse(userItem, reasoningItem, search, messageItem, userItem)))
	require.True(t, Valid(CheckAppend(prev, parse(userItem))), "the whole response went")
}

// A request over the window of its model is a warning with the provider's words; one of an unknown model is none.
func TestContextWindow(t *testing.T) {
	for _, row := range []struct {
		model string
		words int
		says  string
	}{
		{"gpt-5", 500_000, "The request has about 5"}, {"gpt-5", 200_000, ""}, {"gpt-4.1", 500_000, ""},
		{"acme-1", 500_000, ""},
	} {
		body := `{"model":"` + row.model + `","input":[{"role":"user","content":"` + strings.Repeat("word ", row.words) + `"}]}`
		c, err := format.Parse([]byte(body), "")
		require.NoError(t, err)
		problems := Check(c)
		if row.says == "" {
			require.Empty(t, problems, row.model)
			continue
		}
		require.Len(t, problems, 1)
		require.Equal(t, R5Context, problems[0].Rule)
		require.Equal(t, SeverityWarning, problems[0].Severity)
		require.Contains(t, problems[0].Message, row.says)
		require.Equal(t, "Your input exceeds the context window of this model. Please adjust your input and try again.",
			problems[0].ProviderError)
		require.NotEmpty(t, problems[0].Reason)
		repaired, _ := Repair(c)
		require.Same(t, c, repaired)
	}
}
