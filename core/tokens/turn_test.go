package tokens_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/tokens"
)

// A system message with clear_at has no tokens once a user message follows, one with tool results too.
func TestSystemMessagesOfATurn(t *testing.T) {
	const system = `{"role":"system","content":"Only for now.","clear_at":"next_user_message"}`
	const call = `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]}`
	for messages, want := range map[string]bool{
		system: true,
		system + `,{"role":"assistant","content":"ok"}`:                                                             true,
		system + `,{"role":"assistant","content":"ok"},{"role":"user","content":"go"}`:                              false,
		system + "," + call + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}`: false,
		`{"role":"system","content":"Always."},{"role":"assistant","content":"ok"},{"role":"user","content":"go"}`:  true,
	} {
		c, err := format.Parse([]byte(`{"model":"claude-opus-5-5","messages":[{"role":"user","content":"hi"},`+messages+`]}`), "")
		require.NoError(t, err)
		counts := tokens.NewMeter(nil, c).Conversation(c)
		require.Equal(t, want, counts.Messages[1].Tokens > 0, messages)
		sum := 0
		for i := range counts.Messages {
			sum += counts.Messages[i].Tokens
		}
		require.Equal(t, counts.Total, sum, messages)
	}
}
