package anthropic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/format/anthropic"
	"tamp/core/msg"
)

// Setting and removing a breakpoint changes cache_control and nothing else.
func TestRenderCache(t *testing.T) {
	five, hour := &msg.Cache{Type: "ephemeral"}, &msg.Cache{Type: "ephemeral", TTL: "1h"}
	rows := []struct {
		why, in, out string
		change       func(c *msg.Conversation)
	}{
		{"a string content becomes an array, since a string has no members",
			`[ {"x": 1.0, "role":"user","content":"h\u0069"} ]`,
			`[ {"x": 1.0, "role":"user","content":[{"type":"text","text":"h\u0069","cache_control":{"type":"ephemeral"}}]} ]`,
			func(c *msg.Conversation) { setBlock(c, 0, 0, five) }},
		{"a call keeps its input byte for byte",
			`[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"t","input":{ "n": 1.50 }}]}]`,
			`[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"t","input":{ "n": 1.50 },"cache_control":{"type":"ephemeral","ttl":"1h"}}]}]`,
			func(c *msg.Conversation) { setBlock(c, 0, 0, hour) }},
		{"removing takes the member away",
			`[{"role":"user","content":[{"type":"text","cache_control":{"type":"ephemeral"},"text":"a"}]}]`,
			`[{"role":"user","content":[{"type":"text","text":"a"}]}]`,
			func(c *msg.Conversation) { setBlock(c, 0, 0, nil) }},
		{"a system prompt that is a string becomes an array",
			`{"model":"m","system":"be\tkind","messages":[{"role":"user","content":"hi"}]}`,
			`{"model":"m","system":[{"type":"text","text":"be\tkind","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"hi"}]}`,
			func(c *msg.Conversation) { c.System = []msg.Block{c.System[0].WithCache(five)} }},
		{"the last tool gets it, the others stay as they are",
			`{"tools": [ {"name":"a"},
 {"name":"b", "input_schema":{ }} ], "messages":[]}`,
			`{"tools": [ {"name":"a"},
 {"name":"b", "input_schema":{ },"cache_control":{"type":"ephemeral"}} ], "messages":[]}`,
			func(c *msg.Conversation) { c.Tools = []msg.Block{c.Tools[0], c.Tools[1].WithCache(five)} }},
		{"clearing a result and setting its breakpoint go together",
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"long","y":null}]}]`,
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"[cleared]","y":null,"cache_control":{"type":"ephemeral"}}]}]`,
			func(c *msg.Conversation) {
				m := &c.Messages[0]
				*m = m.WithBlocks([]msg.Block{m.Blocks[0].WithText("[cleared]").WithCache(five)})
			}},
		{"a message that Tamp made carries one too", `[]`,
			`[{"role":"user","content":[{"type":"text","text":"new","cache_control":{"type":"ephemeral"}}]}]`,
			func(c *msg.Conversation) {
				m := msg.TextMessage(msg.User, "new")
				c.Messages = []msg.Message{m.WithBlocks([]msg.Block{m.Blocks[0].WithCache(five)})}
			}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			c, err := format.Reparse([]byte(row.in), msg.Anthropic)
			require.NoError(t, err)
			row.change(c)
			out, err := anthropic.Render(c)
			require.NoError(t, err)
			require.Equal(t, row.out, string(out))
		})
	}
}

func setBlock(c *msg.Conversation, m, b int, cache *msg.Cache) {
	blocks := append([]msg.Block(nil), c.Messages[m].Blocks...)
	blocks[b] = blocks[b].WithCache(cache)
	c.Messages[m] = c.Messages[m].WithBlocks(blocks)
}

func TestParseAutomaticCache(t *testing.T) {
	c, err := format.Reparse([]byte(`{"cache_control":{"type":"ephemeral","ttl":"1h"},"messages":[]}`), msg.Anthropic)
	require.NoError(t, err)
	require.Equal(t, &msg.Cache{Type: "ephemeral", TTL: "1h"}, c.Cache)
}
