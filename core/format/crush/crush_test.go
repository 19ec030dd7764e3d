package crush_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/validity"
)

func message(role, more string, parts ...string) string {
	return `{"id":"m","role":"` + role + `","created":"2026-02-04T10:51:42Z",` + more + `"parts":[` +
		strings.Join(append(parts, `{"type":"finish","reason":"stop"}`), ",") + `]}`
}

func session(messages ...string) string {
	return `{"meta":{"id":"a","uuid":"b","cost":0.1},"messages":[` + strings.Join(messages, ",") + "]}\n"
}

func blocks(c *msg.Conversation) (all []string) {
	for it := c.Walk(); it.Next(); {
		b := it.Block
		role := c.Messages[it.Ref.Message].Role
		all = append(all, strings.Join([]string{string(role), string(b.Kind), b.ID, b.Name, b.Text}, " "))
	}
	return all
}

// What the command of Crush writes is read, and written only without a change.
func TestRead(t *testing.T) {
	exported := session(message("user", "", `{"type":"text","text":"go"}`),
		message("assistant", `"model":"claude-opus-4-5","provider":"x",`, `{"type":"reasoning","thinking":"hm"}`,
			`{"type":"text","text":"I look."}`, `{"type":"tool_call","tool_call_id":"t1","name":"bash","input":"{\"command\":\"ls\"}"}`),
		message("tool", "", `{"type":"tool_result","tool_call_id":"t1","name":"bash","content":"none","is_error":true}`))
	for _, text := range []string{exported} {
		c, err := format.Parse([]byte(text), "")
		require.NoError(t, err)
		require.Equal(t, msg.Crush, c.Format)
		require.Equal(t, "claude-opus-4-5", c.Model)
		require.Equal(t, []string{"user text   go", "assistant thinking   hm", "assistant text   I look.",
			`assistant tool_use t1 bash {"command":"ls"}`, "user tool_result t1 bash none"}, blocks(c))
		require.True(t, c.Messages[2].Blocks[0].IsError)
		require.Empty(t, validity.Check(c))
		same, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, text, string(same))
		_, err = format.Render(c.WithMessages(c.Messages[1:]))
		require.ErrorContains(t, err, "does not write")
		for _, to := range []string{msg.Anthropic, msg.OpenAIChat, msg.OpenAIResponses, msg.Gemini, msg.AISDK} {
			made, _, err := format.Convert(c, to)
			require.NoError(t, err)
			out, err := format.Render(made)
			require.NoError(t, err)
			require.Contains(t, string(out), "none", to)
		}
	}
}

// The newest summary begins the conversation, as a message of the user.
func TestSummary(t *testing.T) {
	text := session(message("user", "", `{"type":"text","text":"old"}`),
		message("assistant", `"is_summary_message":1,`, `{"type":"text","text":"so far"}`),
		message("user", `"is_summary_message":0,`, `{"type":"text","text":"go on"}`))
	c, err := format.Parse([]byte(text), "")
	require.NoError(t, err)
	require.Equal(t, []string{"user summary   so far", "user text   go on"}, blocks(c))
	same, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, text, string(same))
}
