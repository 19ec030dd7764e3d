package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// What the provider compacted (compact_20260112) is counted from its newest block on, in a request and in the AI SDK's
// messages, which keep the block as a text. It stays a compaction there and back.
func TestProviderCompaction(t *testing.T) {
	long := strings.Repeat("word ", 9000)
	body := `[{"role":"user","content":"` + long + `"},{"role":"assistant","content":[{"type":"compaction","content":"older"}]},` +
		`{"role":"user","content":"` + long + `"},{"role":"assistant","content":[{"type":"compaction","content":"the summary"},` +
		`{"type":"text","text":"I go on."}]},{"role":"user","content":"now"}]`
	sdk := strings.NewReplacer(`{"type":"compaction","content":"older"}`,
		`{"type":"text","text":"older","providerOptions":{"anthropic":{"type":"compaction"}}}`,
		`{"type":"compaction","content":"the summary"}`,
		`{"type":"text","text":"the summary","providerOptions":{"anthropic":{"type":"compaction"}}}`).Replace(body)
	rest := `[{"role":"assistant","content":[{"type":"compaction","content":"the summary"},{"type":"text","text":"I go on."}]},` +
		`{"role":"user","content":"now"}]`
	for text, name := range map[string]string{body: msg.Anthropic, sdk: msg.AISDK} {
		c, err := format.Parse([]byte(text), "")
		require.NoError(t, err)
		require.Equal(t, name, c.Format)
		require.Equal(t, msg.KindSummary, c.Messages[3].Blocks[0].Kind)
		meter := tokens.NewMeter(tokens.Estimate, c)
		all := meter.Conversation(c)
		require.Zero(t, all.Messages[0].Tokens+all.Messages[1].Tokens+all.Messages[2].Tokens)
		require.Less(t, all.Total, 100, name)
		if name == msg.Anthropic {
			alone, err := format.Parse([]byte(rest), "")
			require.NoError(t, err)
			require.Equal(t, meter.Conversation(alone).Total, all.Total)
		}
		counts := meter.Conversation(c.WithMessages(c.Messages[:3])) // message by message, and back
		before := counts.Total
		meter.Extend(&counts, c)
		require.Equal(t, all, counts)
		counts.Truncate(c.Messages, 3)
		meter.Extend(&counts, c.WithMessages(c.Messages[:3]))
		require.Equal(t, before, counts.Total)
		other := map[string]string{msg.Anthropic: msg.AISDK, msg.AISDK: msg.Anthropic}[name]
		made, losses, err := format.Convert(c, other)
		require.NoError(t, err)
		require.Empty(t, losses)
		out, err := format.Render(made)
		require.NoError(t, err)
		back, err := format.Parse(out, "")
		require.NoError(t, err)
		require.Equal(t, other, back.Format)
		require.Equal(t, all.Total, tokens.NewMeter(tokens.Estimate, back).Conversation(back).Total)
	}
}
