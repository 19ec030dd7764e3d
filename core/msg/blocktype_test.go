package msg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

func TestBlockTypeOf(t *testing.T) {
	for name, want := range map[string]msg.BlockType{
		"tool_use":               {Kind: msg.KindToolUse},
		"mcp_tool_use":           {Kind: msg.KindToolUse, Server: true},
		"tool_result":            {Kind: msg.KindToolResult},
		"web_search_tool_result": {Kind: msg.KindToolResult, Server: true},
		"new_tool_result":        {Kind: msg.KindToolResult, Server: true, New: true},
		"connector_text":         {Kind: msg.KindOther},
	} {
		want.Name = name
		got, ok := msg.BlockTypeOf(name)
		require.True(t, ok, name)
		require.Equal(t, want, got)
	}
	got, ok := msg.BlockTypeOf("new_block")
	require.False(t, ok)
	require.Equal(t, msg.BlockType{Name: "new_block", Kind: msg.KindOther}, got)
}
