package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
)

// The Messages API takes a system message in the middle of a conversation only if an assistant message, or nothing,
// follows it. No compaction leaves one before a user message.
func TestSystemMessagesInTheMiddle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var messages []string
		add := func(role, content string) {
			messages = append(messages, fmt.Sprintf(`{"role":%q,"content":%s}`, role, content))
		}
		instruct := rapid.SliceOfN(rapid.Bool(), 8, 8).Draw(t, "instruct")
		for i := range 8 {
			add("user", fmt.Sprintf(`"Do part %d. %s"`, i, strings.Repeat("Carefully. ", rapid.IntRange(0, 40).Draw(t, "prompt"))))
			if instruct[i] {
				add("system", fmt.Sprintf(`"Rule %d holds from here on."`, i))
			}
			for k := range rapid.IntRange(0, 6).Draw(t, "rounds") {
				add("assistant", fmt.Sprintf(`[{"type":"text","text":"Next."},{"type":"tool_use","id":"t%d_%d","name":"read","input":{}}]`, i, k))
				add("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"t%d_%d","content":%q}]`, i, k,
					strings.Repeat(fmt.Sprintf("line %d of %d. ", k, i), rapid.IntRange(1, 200).Draw(t, "result"))))
			}
			add("assistant", fmt.Sprintf(`"Part %d is done. %s"`, i, strings.Repeat("All of it. ", rapid.IntRange(0, 60).Draw(t, "answer"))))
		}
		c := parse(t, `{"model":"claude-opus-4-8","max_tokens":1000,"messages":[`+strings.Join(messages, ",")+`]}`)
		p, err := policy.Preset(rapid.SampledFrom([]string{policy.Default, "s06"}).Draw(t, "preset"))
		require.NoError(t, err)
		p.Trigger.Window = rapid.IntRange(500, 4000).Draw(t, "window")
		out, err := core.Compact(c, "", p, core.Env{}, core.Host{Save: func([]byte) error { return nil }})
		if err != nil || out == nil {
			return // too small a window
		}
		list := out.Conversation.Messages
		for i := 1; i+1 < len(list); i++ {
			if list[i].Role == msg.System {
				require.NotEqual(t, msg.User, list[i+1].Role, "message %d of %d", i+1, len(list))
			}
		}
	})
}
