package anthropic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/format/anthropic"
	"tamp/core/internal/convtest/codecs"
	"tamp/core/msg"
)

// The system prompt can change like any content.
func TestSystemEdits(t *testing.T) {
	for _, row := range []struct {
		name, data, want string
		edit             func(*msg.Conversation)
	}{
		{"string", `{"system":"a","messages":[]}`, `{"system":"b","messages":[]}`,
			func(c *msg.Conversation) { c.System = []msg.Block{c.System[0].WithText("b")} }},
		{"array", `{"system":[{"type":"text","text":"a","x":1}],"messages":[]}`,
			`{"system":[{"type":"text","text":"b","x":1}],"messages":[]}`,
			func(c *msg.Conversation) { c.System = []msg.Block{c.System[0].WithText("b")} }},
		{"gone", `{"system":"a","messages":[]}`, `{"messages":[]}`, func(c *msg.Conversation) { c.System = nil }},
		{"new", `{"messages":[]}`, `{"messages":[],"system":[{"type":"text","text":"b"}]}`,
			func(c *msg.Conversation) { c.System = []msg.Block{msg.TextBlock("b")} }},
		{"null stays", `{"system":null,"messages":[]}`, `{"system":null,"messages":[]}`, func(c *msg.Conversation) {}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, err := format.Reparse([]byte(row.data), msg.Anthropic)
			require.NoError(t, err)
			row.edit(c)
			out, err := anthropic.Render(c)
			require.NoError(t, err)
			require.Equal(t, row.want, string(out))
		})
	}
	c, err := format.Reparse([]byte(`[]`), msg.Anthropic)
	require.NoError(t, err)
	c.System = []msg.Block{msg.TextBlock("x")}
	_, err = anthropic.Render(c)
	require.ErrorContains(t, err, "no place for a system prompt")
}

// New messages take the plainest shape, moved blocks take their own.
func TestNewMessages(t *testing.T) {
	c, err := format.Reparse([]byte(`[{"role":"user","content":"bare"},{"role":"user","content":null},{"role":"user"},
{"role":"assistant","content":[{"type":"compaction","content":"s"}]}]`), msg.Anthropic)
	require.NoError(t, err)
	made := []msg.Block{
		msg.TextBlock("t"), {Kind: msg.KindSummary, Text: "s"}, {Kind: msg.KindToolUse, ID: "i", Name: "n"},
		{Kind: msg.KindToolResult, ID: "i", Text: "r", IsError: true, Cache: &msg.Cache{Type: "ephemeral", TTL: "5m"}},
		c.Messages[0].Blocks[0],
	}
	m := c.Messages
	out, err := anthropic.Render(c.WithMessages([]msg.Message{
		m[0].WithBlocks(nil), m[1].WithBlocks(nil), m[2].WithBlocks(nil), m[2].WithBlocks([]msg.Block{msg.TextBlock("x")}),
		m[1].WithBlocks([]msg.Block{{Kind: msg.KindText, Text: "b", Bare: true}}),
		m[3].WithBlocks([]msg.Block{m[3].Blocks[0].WithText("u")}),
		{Role: msg.User, Blocks: made, Changed: true},
	}))
	require.NoError(t, err)
	require.Equal(t, `[{"role":"user","content":[]},{"role":"user","content":null},{"role":"user"},`+
		`{"role":"user","content":[{"type":"text","text":"x"}]},{"role":"user","content":"b"},`+"\n"+
		`{"role":"assistant","content":[{"type":"compaction","content":"u"}]},{"role":"user","content":[{"type":"text","text":"t"},{"type":"text","text":"s"},`+
		`{"type":"tool_use","id":"i","name":"n","input":{}},{"type":"tool_result","tool_use_id":"i","content":"r","is_error":true,"cache_control":{"type":"ephemeral","ttl":"5m"}},`+
		`{"type":"text","text":"bare"}]}]`, string(out))
}

func FuzzParse(f *testing.F) { codecs.Fuzz(f, msg.Anthropic, nil) }
