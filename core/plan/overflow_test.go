package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
)

// The error of a conversation over its window says what is in the way: the trigger of clear_tool_uses, or what no
// compaction removes.
func TestOverflowNamesWhatIsInTheWay(t *testing.T) {
	c := &msg.Conversation{Messages: []msg.Message{msg.TextMessage(msg.User, "Read all.")}}
	for i := range 40 {
		id := fmt.Sprint(i)
		c.Messages = append(c.Messages,
			msg.Message{Role: msg.Assistant, Blocks: []msg.Block{{Kind: msg.KindToolUse, ID: id, Name: "Read", Text: `{}`}}},
			msg.Message{Role: msg.User, Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: id,
				Text: strings.Repeat("a line of it ", 400)}}})
	}
	for _, row := range []struct{ preset, change, want, not string }{
		{"clear_tool_uses", `{"trigger":{"window":30000}}`, "clear.triggerTokens, 100000 (now ", "nothing more"},
		{"clear_tool_uses", `{"trigger":{"window":100},"clear":{"triggerToolUses":50}}`, "clear.triggerToolUses, 50 (now 40)",
			"nothing more"},
		{"clear_tool_uses", `{"trigger":{"window":1000},"clear":{"triggerTokens":900}}`, "nothing more can be removed",
			"system prompt"},
	} {
		p, err := policy.Parse(row.preset, []byte(row.change))
		require.NoError(t, err)
		_, err = core.NewPlan(c, "", p, core.Env{})
		require.ErrorContains(t, err, row.want)
		require.NotContains(t, err.Error(), row.not)
	}
	p, err := policy.Parse("balanced", []byte(`{"trigger":{"window":1000}}`))
	require.NoError(t, err)
	c.System = []msg.Block{{Kind: msg.KindText, Text: strings.Repeat("You are careful. ", 400)}}
	_, err = core.NewPlan(c, "", p, core.Env{})
	require.ErrorContains(t, err, "system prompt and tools take ")
}
