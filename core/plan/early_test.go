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

// A prompt of at most pin.recentTokens is not cleared early, however long an old result has been paid for: such a
// session may end soon. A longer one is.
func TestAShortPromptIsNotClearedEarly(t *testing.T) {
	for _, row := range []struct {
		lines   int
		cleared bool
	}{{2000, false}, {6000, true}} {
		c := &msg.Conversation{Messages: []msg.Message{msg.TextMessage(msg.User, "Test it.")}}
		add := func(id int, text string) {
			call := msg.Block{Kind: msg.KindToolUse, ID: fmt.Sprint(id), Name: "Bash", Text: `{"command":"go test ./..."}`}
			c.Messages = append(c.Messages, msg.Message{Role: msg.Assistant, Blocks: []msg.Block{call}},
				msg.Message{Role: msg.User, Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: call.ID, Text: text}}})
		}
		add(0, strings.Repeat("ok  \tpart\n", row.lines))
		for i := range 60 {
			add(i+1, strings.Repeat("the next line of it is this. ", 12))
		}
		p, err := policy.Preset("balanced")
		require.NoError(t, err)
		plan, err := core.NewPlan(c, "", p, core.Env{})
		require.NoError(t, err)
		require.Equal(t, row.cleared, len(plan.Edits) > 0, "%d tokens", plan.Before)
	}
}
