package core_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest/validator"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/validity"
)

// withSystem draws a session with many system messages among its messages, in every place that the API takes.
func withSystem(t *rapid.T) (doc string, systems []string) {
	long := func(what string) string {
		return what + " " + strings.Repeat("some more words of a text in core/msg/raw.go ", rapid.IntRange(0, 60).Draw(t, "length"))
	}
	var messages []string
	id := 0
	system := func() {
		for range rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "system messages") {
			id++
			s := rapid.SampledFrom([]string{`{"role":"system","content":"Rule %d."}`,
				`{"role":"system","content":[{"type":"text","text":"Rule %d."}]}`,
				`{"role":"system","content":"For now %d.","clear_at":"next_user_message"}`,
				`{"role":"system","content":[],"output_config":{"effort":"low"},"n":%d}`,
			}).Draw(t, "system")
			messages = append(messages, fmt.Sprintf(s, id))
			systems = append(systems, messages[len(messages)-1])
		}
	}
	for range rapid.IntRange(1, 5).Draw(t, "prompts") {
		messages = append(messages, `{"role":"user","content":"`+long("Go on with it.")+`"}`)
		system()
		for range rapid.IntRange(0, 4).Draw(t, "rounds") {
			id++
			thinking := ""
			if rapid.Bool().Draw(t, "thinking") {
				thinking = fmt.Sprintf(`{"type":"thinking","thinking":"x","signature":"s%d"},`, id)
			}
			messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":[%s{"type":"tool_use","id":"t%d","name":"Read",`+
				`"input":{"path":"a.go"}}]}`, thinking, id), fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result",`+
				`"tool_use_id":"t%d","content":"%s"}]}`, id, long("line")))
			system()
		}
		switch rapid.IntRange(0, 4).Draw(t, "end") {
		case 0:
			messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_%d",`+
				`"name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_%d","content":[]}]}`, id, id))
			system()
			messages = append(messages, `{"role":"assistant","content":"`+long("Found.")+`"}`)
		case 1: // the next prompt has no answer before it, or this is the end
			if last := messages[len(messages)-1]; !strings.Contains(last, `"role":"system"`) || strings.Contains(last, `"n":`) {
				continue
			}
			fallthrough
		default:
			messages = append(messages, `{"role":"assistant","content":"`+long("Done.")+`"}`)
		}
	}
	model := rapid.SampledFrom([]string{"claude-opus-5-5", "claude-opus-4-8", "my-model"}).Draw(t, "model")
	return `{"model":"` + model + `","max_tokens":1000,"messages":[` + strings.Join(messages, ",") + `]}`, systems
}

// No outcome of any preset breaks the rules on system messages, each of them stays byte for byte, and with the answers
// lost, too.
func TestSystemMessagesOfOutcomes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc, systems := withSystem(t)
		c := parse(t, doc)
		if !validity.Valid(validity.Check(c)) {
			t.Skip("two prompts around a system message")
		}
		name := rapid.SampledFrom(policy.Names()).Draw(t, "preset")
		p, err := policy.Preset(name)
		require.NoError(t, err)
		p.Trigger.Window = rapid.SampledFrom([]int{0, 4000, 20_000}).Draw(t, "window")
		env := core.Env{Force: rapid.Bool().Draw(t, "force"),
			Thinking: rapid.SampledFrom([]string{"", core.KeepThinking, core.DropBlock}).Draw(t, "thinking")}
		plan := planOrOverflow(t, c, "", p, env)
		out, err := core.Apply(c, "", p, env, plan, drawResults(t, plan))
		require.NoError(t, err, doc)
		text, err := format.Render(out.Conversation)
		require.NoError(t, err)
		for _, problem := range validity.Check(parse(t, string(text))) {
			require.NotEqual(t, validity.SeverityError, problem.Severity, "%v\n%s\n%s", problem, doc, text)
		}
		request, err := validator.Decode(msg.Anthropic, text)
		require.NoError(t, err)
		for _, v := range request.Check() {
			require.True(t, v.Last, "%s: %s", v, text)
		}
		var kept []string
		for i := range out.Conversation.Messages {
			if m := &out.Conversation.Messages[i]; m.Role == msg.System {
				kept = append(kept, string(m.Raw))
			}
		}
		require.True(t, slices.Equal(systems, kept), "%q %q", systems, kept)
	})
}

// A system message whose assistant message is gone gets one, also if a setting and a prompt follow.
func TestASettingBehindASystemMessage(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(`{"model":"claude-opus-5-5","max_tokens":1000,"messages":[{"role":"user","content":"Go on."}`)
	round := func(n int) {
		fmt.Fprintf(&doc, `,{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Read","input":{}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%[1]d","content":"line"}]}`, n)
	}
	for n := range 8 {
		round(n)
	}
	doc.WriteString(`,{"role":"system","content":"Never push."}`)
	round(8)
	doc.WriteString(`,{"role":"system","content":[],"output_config":{"effort":"low"}},{"role":"user","content":"And now?"},` +
		`{"role":"assistant","content":"Done."}]}`)
	p, err := policy.Preset("hierarchical")
	require.NoError(t, err)
	out, err := core.Compact(parse(t, doc.String()), "", p, core.Env{Force: true},
		core.Host{Save: func([]byte) error { return nil }})
	require.NoError(t, err)
	require.Less(t, len(out.Conversation.Messages), 10)
	require.Empty(t, validity.Check(out.Conversation))
}
