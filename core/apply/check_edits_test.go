package apply_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
)

// An edit of a plan that came from outside fits its block.
func TestApplyChecksEachEdit(t *testing.T) {
	long := strings.Repeat("long enough ", 10)
	c := parse(t, `[{"role":"user","content":"`+long+`"},
		{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"tool_use","id":"1","name":"run","input":{"cmd":"`+long+`"}},
			{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"`+long+`"}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"`+long+`"}]},
		{"role":"assistant","content":"`+long+`"},{"role":"user","content":"More."},
		{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"tool_use","id":"2","name":"run","input":{"cmd":"ls"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"2","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}]}]`)
	p, err := policy.Parse("", []byte(`{"summary":{"strategy":"none"},"clear":{"enabled":false}}`))
	require.NoError(t, err)
	const ok = ""
	at := func(message, block int, kind pass.EditKind, text string) core.Edit {
		return core.Edit{Message: message, Block: block, Kind: kind, Text: text}
	}
	rows := []struct {
		edit core.Edit
		want string
	}{
		{at(2, 0, "clear_result", "[gone]"), ok},
		{at(2, 0, "clear_result", long[1:]), ok},
		{at(2, 0, "clear_result", long+"."), "the placeholder is longer than the text that it replaces"},
		{at(2, 0, "clear_result", ""), "the placeholder is empty"},
		{at(6, 0, "clear_result", "an image is longer than any placeholder"), ok},
		{at(6, 0, "clear_result", ""), "the placeholder is empty"},
		{at(1, 3, "clear_result", "x"), "the block is not a tool result"},
		{at(3, 0, "clear_result", "x"), "the block is not a tool result"},
		{at(2, 0, "limit_output", "[gone]"), ok},
		{at(2, 0, "limit_output", long+"."), "the placeholder is longer than the text that it replaces"},
		{at(1, 3, "limit_output", "x"), "the block is not a tool result"},
		{at(0, 0, "limit_output", "x"), "the block is not a tool result"},
		{at(0, 0, "oversize_input", "[gone]"), ok},
		{at(0, 0, "oversize_input", ""), "the placeholder is empty"},
		{at(3, 0, "oversize_input", "[gone]"), "the block is not a text of the user"},
		{at(2, 0, "oversize_input", "[gone]"), "the block is not a text of the user"},
		{at(3, 0, "shorten_answer", "[gone]"), ok},
		{at(3, 0, "shorten_answer", ""), "the placeholder is empty"},
		{at(0, 0, "shorten_answer", "[gone]"), "the block is not a text of the assistant before the open round"},
		{at(1, 0, "shorten_answer", "[gone]"), "the block is not a text of the assistant before the open round"},
		{at(1, 1, "clear_input", "{}"), ok},
		{at(1, 1, "clear_input", "{ }"), "a cleared input is {}"},
		{at(1, 0, "clear_input", "{}"), "the block is not a tool call"},
		{at(1, 2, "clear_input", "{}"), "the block is not a tool call"},
		{at(5, 1, "clear_input", "{}"), "the tool round is still open"},
		{at(1, 0, "drop_thinking", ""), ok},
		{at(1, 1, "drop_thinking", ""), "the block is not thinking"},
		{at(5, 0, "drop_thinking", ""), "the tool round is still open"},
		{at(0, 0, "other", "x"), "the kind of the edit is unknown"},
	}
	for _, row := range rows {
		plan, err := core.NewPlan(c, "", p, core.Env{})
		require.NoError(t, err)
		require.Empty(t, plan.Edits)
		plan.Edits = []core.Edit{row.edit}
		plan.Archive = []core.Span{{Start: 0, End: len(c.Messages)}}
		before, err := format.Render(c)
		require.NoError(t, err)
		out, err := core.Apply(c, "", p, core.Env{}, plan, nil)
		if row.want == ok {
			require.NoError(t, err, "%+v", row.edit)
			rendered, err := format.Render(out.Conversation)
			require.NoError(t, err)
			require.NotEqual(t, string(before), string(rendered), "%+v", row.edit)
			continue
		}
		require.ErrorContains(t, err, "cannot apply: "+row.want, "%+v", row.edit)
		var e *core.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, core.Code(msg.BadPlan), e.Code)
		require.Equal(t, "/plan/edits/0", e.Path)
	}
}
