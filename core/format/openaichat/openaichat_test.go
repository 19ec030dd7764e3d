package openaichat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/format/openaichat"
	"tamp/core/internal/convtest/codecs"
	"tamp/core/msg"
)

// A new message with several results becomes a tool message each.
func TestNewMessages(t *testing.T) {
	c, err := format.Reparse([]byte(`[{"role":"tool","tool_call_id":"c","content":"x","z":1}]`), msg.OpenAIChat)
	require.NoError(t, err)
	out, err := openaichat.Render(c.WithMessages([]msg.Message{
		{Role: msg.Tool, Blocks: []msg.Block{c.Messages[0].Blocks[0].WithText("y"),
			{Kind: msg.KindToolResult, ID: "d", Text: "z"}}},
		{Role: msg.User, Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: "e"}, msg.TextBlock("t")}},
		{Role: msg.Function, Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: "function:f", Text: "r"}}},
		{Role: msg.Assistant},
		{Role: msg.Assistant, Blocks: []msg.Block{{Kind: msg.KindThinking, Text: "hm"},
			{Kind: msg.KindToolUse, ID: "i", Name: "f"}}},
		msg.TextMessage(msg.User, "u"),
	}))
	require.NoError(t, err)
	require.Equal(t, `[{"role":"tool","tool_call_id":"c","content":"y","z":1},{"role":"tool","tool_call_id":"d","content":"z"},{"role":"tool","tool_call_id":"e","content":""},`+
		`{"role":"user","content":[{"type":"text","text":"t"}]},{"role":"function","name":"f","content":"r"},{"role":"assistant","content":null},`+
		`{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"i","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"u"}]`, string(out))
	c.System = []msg.Block{msg.TextBlock("x")}
	_, err = openaichat.Render(c)
	require.ErrorContains(t, err, "make it a system message")
}

func FuzzParse(f *testing.F) { codecs.Fuzz(f, msg.OpenAIChat, nil) }
