package format_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/validity"
)

// A new result is written as the provider takes it, whatever role its message has.
func TestNewResultIsValid(t *testing.T) {
	for _, name := range []format.Name{msg.Anthropic, msg.OpenAIChat, msg.OpenAIResponses, msg.Gemini, msg.AISDK,
		msg.ClaudeCode} {
		for _, role := range []msg.Role{msg.User, msg.Tool, msg.Function} {
			call := msg.Block{Kind: msg.KindToolUse, Type: "tool_use", ID: "c", Name: "f", Text: "{}"}
			c := &msg.Conversation{Format: name, Messages: []msg.Message{msg.TextMessage(msg.User, "hi"),
				{Role: msg.Assistant, Changed: true, Blocks: []msg.Block{call}},
				{Role: role, Changed: true, Blocks: []msg.Block{msg.ResultBlock(&call, "found", false)}}}}
			out, err := format.Render(c)
			require.NoError(t, err, "%s, %s", name, role)
			back, err := format.Parse(out, name)
			require.NoError(t, err, "%s", out)
			require.Empty(t, validity.Check(back), "%s: %s", role, out)
		}
	}
}

// The result of the deprecated function_call is a message of the role function.
func TestNewResultOfAFunctionCall(t *testing.T) {
	c, err := format.Parse([]byte(`[{"role":"user","content":"hi"},{"role":"assistant","content":null,"function_call":{"name":"f",`+
		`"arguments":"{}"}}]`), msg.OpenAIChat)
	require.NoError(t, err)
	result := msg.ResultBlock(&c.Messages[1].Blocks[0], "found", false)
	for _, role := range []msg.Role{msg.User, msg.Tool, msg.Function} {
		made := msg.Message{Role: role, Changed: true, Blocks: []msg.Block{result}}
		out, err := format.Render(c.WithMessages([]msg.Message{c.Messages[0], c.Messages[1], made}))
		require.NoError(t, err)
		require.Contains(t, string(out), `{"role":"function","name":"f","content":"found"}`)
	}
}
