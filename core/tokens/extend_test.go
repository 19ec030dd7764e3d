package tokens_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/tokens"
)

// Counts that grow in parts, and go back to fewer messages, are those of the whole conversation: the tokens of some
// blocks depend on messages before or after them.
func TestCountsGrowInParts(t *testing.T) {
	const code = `{"type":"code_execution_20260120","tool_id":"s"}`
	kinds := []string{`{"role":"user","content":"Go on."}`, `{"role":"assistant","content":"Yes."}`,
		`{"role":"system","content":"Only for now.","clear_at":"next_user_message"}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{},"caller":` + code + `}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"xyz"}]}`}
	rapid.Check(t, func(t *rapid.T) {
		messages := rapid.SliceOfN(rapid.SampledFrom(kinds), 1, 20).Draw(t, "messages")
		c, err := format.Parse([]byte(`{"model":"claude-opus-5-5","system":"Be brief.","messages":[`+
			strings.Join(messages, ",")+`]}`), "anthropic")
		require.NoError(t, err)
		meter := tokens.NewMeter(rapid.SampledFrom([]tokens.Counter{tokens.Estimate, tokens.Chars3}).Draw(t, "counter"), c)
		counts := meter.Conversation(c.WithMessages(nil))
		for range 8 {
			n := rapid.IntRange(0, len(c.Messages)).Draw(t, "to")
			if n < len(counts.Messages) {
				counts.Truncate(c.Messages, n)
			}
			meter.Extend(&counts, c.WithMessages(c.Messages[:n]))
			require.Equal(t, meter.Conversation(c.WithMessages(c.Messages[:n])), counts)
		}
	})
}
