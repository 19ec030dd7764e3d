package pass_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// The result of the skill that was loaded last stays, and so do the results with the user's words, under any policy, at
// each length of the conversation. The tracker agrees with the pass.
func TestInUse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := []string{`{"role":"user","content":"Go."}`}
		for i := range rapid.IntRange(1, 12).Draw(t, "calls") {
			tool := rapid.SampledFrom([]string{"Bash", "Skill", "AskUserQuestion", "rejected"}).Draw(t, "tool")
			text, failed := strings.Repeat("word ", rapid.SampledFrom([]int{1, 50, 700}).Draw(t, "words")), ""
			if tool == "rejected" {
				tool, failed = "Bash", `"is_error":true,`
				text = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, " +
					"the user said:\\nUse Oslo. " + text
			}
			messages = append(messages,
				fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"%d","name":"%s","input":{"skill":"s%d"}}]}`, i, tool, i),
				fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result",%s"tool_use_id":"%d","content":"%s"}]}`, failed, i, text))
		}
		c := parse(t, []byte("["+strings.Join(messages, ",")+"]"))
		w := pass.ChangeTracker{Clear: pass.Clear{Enabled: true, ConsumedOnly: rapid.Bool().Draw(t, "consumed"),
			KeepRecent: rapid.IntRange(0, 2).Draw(t, "recent"), Sticky: rapid.Bool().Draw(t, "sticky"),
			Placeholder: rapid.SampledFrom([]string{marker.PlaceholderUsed, marker.PlaceholderLeftOut}).Draw(t, "placeholder"),
			Reads:       func(string, string, func(string, string, bool)) string { return "s" },
			Skill: func(call *msg.Block) string {
				if call.Name == "Skill" {
					return "Skill s"
				}
				return ""
			}}}
		ref := func(string) string { return "0123456789abcdef" }
		for at := 1; at <= len(c.Messages); at++ {
			in := input(c.WithMessages(c.Messages[:at]), tokens.Estimate)
			w.Add(in, ref)
			clear := w.Clear
			clear.Before, clear.InUse, clear.Found = w.Window.Start(in), w.InUse, w.Found
			newest := msg.Ref{Message: -1}
			for it := in.Conversation.Walk(); it.Next(); {
				if it.Block.Kind == msg.KindToolResult && in.Pairing.ToolName(in.Conversation, it.Ref) == "Skill" &&
					len(it.Block.Text) >= 200 {
					newest = it.Ref
				}
			}
			edits := 0
			for _, d := range clear.Run(in) {
				if d.Edit == nil {
					continue
				}
				edits++
				require.NotEqual(t, newest, d.Ref, "the skill in use")
				require.NotEqual(t, "AskUserQuestion", d.Tool)
				require.NotContains(t, in.Conversation.At(d.Ref).Text, "Use Oslo.")
				if d.Tool == "Skill" {
					require.True(t, strings.HasPrefix(d.Edit.Text, "[Skill s: left out, "), d.Edit.Text)
				}
			}
			require.Equal(t, edits == 0, w.NothingToDo(in, nil), "after %d messages", at)
		}
	})
}
