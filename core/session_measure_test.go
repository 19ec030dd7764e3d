package core_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// The tokens of some blocks depend on messages before or after them: results of the provider's code, and system
// messages for one turn. A session with many appends reads them like one with one append of all.
func TestSessionReadsMessagesTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []string
		text := func() string {
			return `"` + strings.Repeat("The store keeps each order. ", rapid.SampledFrom([]int{1, 5, 30, 300}).Draw(t, "text")) + `"`
		}
		for i := range rapid.IntRange(1, 20).Draw(t, "rounds") {
			id := strconv.Itoa(i)
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				list = append(list, `{"role":"user","content":`+text()+`}`, `{"role":"assistant","content":`+text()+`}`)
			case 1:
				list = append(list, `{"role":"user","content":`+text()+`}`,
					`{"role":"system","content":`+text()+`,"clear_at":"next_user_message"}`,
					`{"role":"assistant","content":`+text()+`}`)
			case 2:
				list = append(list, `{"role":"assistant","content":[{"type":"tool_use","id":"t`+id+`","name":"run","input":{}}]}`,
					`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t`+id+`","content":`+text()+`}]}`)
			default:
				call := func(id string) string {
					return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"run","input":{},"caller":` +
						`{"type":"code_execution_20260120","tool_id":"s` + strconv.Itoa(i) + `"}}]}`
				}
				list = append(list, `{"role":"user","content":`+text()+`}`, `{"role":"assistant","content":[{"type":"server_tool_use",`+
					`"id":"s`+id+`","name":"code_execution","input":{}}]}`, call("c"+id),
					`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c`+id+`","content":`+text()+`}]}`, call("d"+id),
					`{"role":"user","content":[{"type":"tool_result","tool_use_id":"d`+id+`","content":`+text()+`}]}`,
					`{"role":"assistant","content":[{"type":"code_execution_tool_result","tool_use_id":"s`+id+`","content":{}}]}`)
			}
		}
		whole := parse(t, `{"model":"claude-opus-4-8","messages":[`+strings.Join(list, ",")+`]}`)
		p := drawSmallPolicy(t)
		if rapid.Bool().Draw(t, "published") {
			p.Trigger.Measure = rapid.SampledFrom([]string{"chars4_json", "chars3"}).Draw(t, "measure")
		}
		if p.Validate() != nil {
			p = policy.Presets()[0].Policy
		}
		env := core.Env{Count: tokens.Chars4}
		st := core.State("")
		s, err := core.NewSession(whole.WithMessages(nil), st, p, env.Count)
		require.NoError(t, err)
		for at := 0; at < len(whole.Messages); {
			n := rapid.IntRange(1, min(6, len(whole.Messages)-at)).Draw(t, "messages")
			s.Append(whole.Messages[at : at+n])
			at += n
			requireSame(t, s, s.Conversation(), st, p, env)
			if l, err := s.Loop(env); err == nil && rapid.IntRange(0, 3).Draw(t, "compact") == 0 {
				if _, err := l.Apply(drawResults(t, l.Plan())); err != nil {
					continue
				}
				st = l.State()
				s, err = s.Successor(l.Conversation(), st)
				require.NoError(t, err)
				requireSame(t, s, l.Conversation(), st, p, env)
			}
		}
	})
}
