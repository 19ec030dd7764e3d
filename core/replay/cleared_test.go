package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// What the model does not read costs nothing in a replay, as in a plan: system messages that a user message has
// cleared, the results that code reads, and what an answer has before a fallback block.
func TestClearedMessagesAreNotSent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var messages []string
		n := 0
		words := func(label string) string {
			n++
			return strings.Repeat(fmt.Sprintf("%s %d ", label, n), rapid.IntRange(1, 300).Draw(t, label))
		}
		text := func(label string) string { return `{"type":"text","text":"` + words(label) + `"}` }
		add := func(role, extra string, blocks ...string) {
			messages = append(messages, `{"role":"`+role+`"`+extra+`,"content":[`+strings.Join(blocks, ",")+`]}`)
		}
		system := func() {
			for range rapid.IntRange(0, 2).Draw(t, "system") {
				extra := rapid.SampledFrom([]string{`,"clear_at":"next_user_message"`, ""}).Draw(t, "extra")
				add("system", extra, text("note"))
			}
		}
		for range rapid.IntRange(1, 8).Draw(t, "exchanges") {
			add("user", "", text("prompt"))
			system()
			if rapid.Bool().Draw(t, "code") {
				code, caller := fmt.Sprintf("srvtoolu_%d", n), ""
				if rapid.Bool().Draw(t, "called") {
					caller = `,"caller":{"type":"code_execution_20260120","tool_id":"` + code + `"}`
				}
				add("assistant", "", `{"type":"server_tool_use","id":"`+code+`","name":"code_execution","input":{}}`,
					`{"type":"tool_use","id":"t_`+code+`","name":"read","input":{}`+caller+`}`)
				add("user", "", `{"type":"tool_result","tool_use_id":"t_`+code+`","content":"`+words("result")+`"}`)
				add("assistant", "", `{"type":"code_execution_tool_result","tool_use_id":"`+code+`","content":{}}`, text("answer"))
			} else {
				var before []string
				if rapid.Bool().Draw(t, "fallback") {
					before = []string{`{"type":"thinking","thinking":"` + words("thinking") + `","signature":"c2ln"}`, text("part"),
						`{"type":"fallback","from":{"model":"claude-opus-5-5"},"to":{"model":"claude-opus-4-8"}}`}
				}
				add("assistant", "", append(before, text("answer"))...)
			}
		}
		doc := `{"model":"claude-opus-4-8","system":"Be brief.","messages":[` + strings.Join(messages, ",") + `]}`
		c, err := format.Parse([]byte(doc), "")
		require.NoError(t, err)
		meter := tokens.NewMeter(nil, c)
		p, err := policy.Preset("balanced")
		require.NoError(t, err)
		for _, none := range []bool{true, false} {
			report, err := Replay(c, p, Options{None: none})
			require.NoError(t, err)
			require.NotEmpty(t, report.Calls)
			for _, call := range report.Calls {
				want := meter.Conversation(c.WithMessages(c.Messages[:call.Message:call.Message])).Total
				require.Equal(t, want, call.Uncompacted)
				require.Equal(t, want, call.Sent)
				require.Equal(t, want, call.CacheRead+call.CacheWrite+call.Input)
			}
		}
	})
}
