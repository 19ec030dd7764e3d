package core_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
)

// With the models that ask their reasoning back, each preset keeps it with each call, also an empty one, and writes no
// message of the assistant.
func TestReasoningThatIsAskedBack(t *testing.T) {
	for _, body := range [...]string{`"model":"deepseek-v4"`, `"model":"kimi-k3"`,
		`"model":"kimi-k3","thinking":{"type":"enabled","keep":"all"}`} {
		for _, preset := range policy.Presets() {
			for _, closed := range [...]bool{false, true} {
				c, err := format.Parse(reasoned(body, closed), "")
				require.NoError(t, err)
				require.Equal(t, msg.OpenAIChat, c.Format)
				require.Empty(t, errorsOf(c))
				p, err := policy.Preset(preset.Name)
				require.NoError(t, err)
				env := core.Env{Force: true}
				plan, err := core.NewPlan(c, "", p, env)
				require.NoError(t, err)
				for round, state := 0, core.State(""); plan != nil && round < 4; round++ {
					out, err := core.Apply(c, state, p, env, plan, summaries(plan))
					require.NoError(t, err, "%s %s", body, preset.Name)
					requireReasoning(t, c, out.Conversation)
					c, state, plan = out.Conversation, out.State, out.Next
				}
			}
		}
	}
}

// summaries has a summary for each request of a plan.
func summaries(plan *core.Plan) (results []core.SummaryResult) {
	for i := range plan.Requests {
		results = append(results, core.SummaryResult{ID: plan.Requests[i].ID, Text: convtest.Vouched(plan.Requests[i].User, "The parser reads part by part.")})
	}
	return results
}

// reasoned is a session of calls with reasoning, of which some is empty.
func reasoned(body string, closed bool) []byte {
	messages := []string{`{"role":"system","content":"You help."}`, `{"role":"user","content":"Fix the parser."}`}
	for i := range 20 {
		n, reasoning := strconv.Itoa(i), ""
		if i%3 > 0 {
			reasoning = "I read part " + n + "."
		}
		messages = append(messages, `{"role":"assistant","content":"","reasoning_content":"`+reasoning+
			`","tool_calls":[{"id":"c`+n+`","type":"function","function":{"name":"read","arguments":"{\"part\":`+n+`}"}}]}`,
			`{"role":"tool","tool_call_id":"c`+n+`","content":"`+strings.Repeat("line "+n+" of the part. ", 200)+`"}`)
	}
	if closed {
		messages = append(messages, `{"role":"assistant","content":"Fixed.","reasoning_content":""}`,
			`{"role":"user","content":"Now the tests."}`)
	}
	return []byte("{" + body + `,"messages":[` + strings.Join(messages, ",") + "]}")
}

// requireReasoning asserts that after is valid, and that each of its messages of the assistant has the reasoning that
// it has in before.
func requireReasoning(t *testing.T, before, after *msg.Conversation) {
	t.Helper()
	require.Empty(t, errorsOf(after))
	written, err := format.Render(after)
	require.NoError(t, err)
	again, err := format.Parse(written, msg.OpenAIChat)
	require.NoError(t, err)
	was := map[string]string{}
	for i := range before.Messages {
		m := &before.Messages[i]
		for b := range m.Blocks {
			if m.Blocks[b].Kind == msg.KindToolUse {
				was[m.Blocks[b].ID] = string(m.Raw.Member("reasoning_content"))
			}
		}
	}
	for i := range again.Messages {
		m := &again.Messages[i]
		if m.Role != msg.Assistant {
			continue
		}
		require.NotNil(t, m.Raw.Member("reasoning_content"), "%s", m.Raw)
		for b := range m.Blocks {
			if m.Blocks[b].Kind == msg.KindToolUse {
				require.Equal(t, was[m.Blocks[b].ID], string(m.Raw.Member("reasoning_content")))
			}
		}
	}
}
