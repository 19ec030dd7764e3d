package core_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/policy"
)

// loggedSession is a session as a log keeps it: every answer carries what the API counted, a system prompt and tools
// that the log does not hold among it.
func loggedSession(rounds, hidden, perRound int) string {
	var out strings.Builder
	out.WriteString(`{"model":"claude-opus-4-5","messages":[{"role":"user","content":"Go through the files."}`)
	for i := range rounds {
		id := strconv.Itoa(i)
		out.WriteString(`,{"role":"assistant","content":[{"type":"tool_use","id":"t` + id +
			`","name":"read","input":{"path":"f` + id + `.go"}}],` +
			`"usage":{"input_tokens":4,"cache_read_input_tokens":` + strconv.Itoa(hidden+i*perRound) + `,"output_tokens":60}}`)
		out.WriteString(`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t` + id + `","content":"` +
			strings.Repeat("word"+id+" ", 100) + `"}]}`)
	}
	out.WriteString(`]}`)
	return out.String()
}

// A log's usage knows what the log does not hold; so the trigger goes by it.
func TestTriggerGoesByTheUsageOfTheLog(t *testing.T) {
	c := parse(t, loggedSession(30, 21_000, 330))
	p, err := policy.Parse("", []byte(`{"preset":"balanced","clear":{"when":""},"trigger":{"window":40000,"bufferTokens":0}}`))
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	require.Equal(t, "soft", plan.Trigger.Kind)
	last := plan.Before - countOf(t, c, len(c.Messages)-1)
	require.Equal(t, 21_000+29*330+4+60+plan.Before-last, plan.Trigger.Used,
		"the last call, its answer, and the result after it")

	own, err := core.NewPlan(c, "", p, core.Env{Usage: &core.Usage{Input: 5000}})
	require.NoError(t, err)
	require.Equal(t, "none", own.Trigger.Kind, "what the host says comes first")

	out, err := core.Apply(c, "", p, core.Env{}, plan, answerAll(plan, core.SummaryResult{Text: "They read on."}))
	require.NoError(t, err)
	require.Less(t, out.After, out.Before)
	again, err := core.NewPlan(out.Conversation, out.State, p, core.Env{})
	require.NoError(t, err)
	require.Equal(t, out.After, again.Trigger.Used, "the usage counted a conversation that is no more")

	rendered, err := format.Render(out.Conversation)
	require.NoError(t, err)
	again, err = core.NewPlan(parse(t, string(rendered)), out.State, p, core.Env{})
	require.NoError(t, err)
	require.Equal(t, "none", again.Trigger.Kind, "nor is it believed from the file")

	inspected, err := core.Inspect(c, "", p, core.Env{})
	require.NoError(t, err)
	require.Equal(t, 30, inspected.Usage.Points)
	require.InDelta(t, 21_000, inspected.Usage.Hidden, 100) // 0.5 %: our counts are estimates
	require.Less(t, inspected.Low, inspected.Before)
	require.Greater(t, inspected.High, inspected.Before)
	require.Equal(t, "claude-before-4.7", inspected.Profile)
}

// Usage that cannot be of this conversation is not believed.
func TestUsageOfAnotherConversation(t *testing.T) {
	c := parse(t, loggedSession(30, 10, 1))
	p, err := policy.Parse("", []byte(`{"preset":"balanced","clear":{"when":""},"trigger":{"window":40000,"bufferTokens":0}}`))
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	require.Equal(t, plan.Before, plan.Trigger.Used)
}

// countOf is what one message counts, within its conversation.
func countOf(t *testing.T, c *msg.Conversation, m int) int {
	p, err := policy.Preset("clear_thinking")
	require.NoError(t, err)
	report, err := core.Inspect(c, "", p, core.Env{})
	require.NoError(t, err)
	return report.Messages[m].Tokens
}
