package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/msg"
)

// What a log says about its agent is read, whatever comes between: each compaction with the name that the log has for
// it, and the newest window. The text of a message that looks alike is none.
func TestAgentOf(t *testing.T) {
	const fake = `compact_boundary {\"type\":\"compacted\"} model_context_window`
	logs := map[format.Name]struct {
		prompt, compaction, window string
		want                       msg.Compaction
	}{
		msg.Codex: {
			`{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":"` + fake + `"}}`,
			`{"timestamp":"t","type":"compacted","payload":{"message":"S","replacement_history":[]}}`,
			`{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":9},` +
				`"model_context_window":%d}}}`, msg.Compaction{Name: "compacted"}},
		msg.ClaudeCode: {
			`{"type":"user","uuid":"u%d","parentUuid":null,"message":{"role":"user","content":"` + fake + `"}}`,
			`{"type":"system","subtype":"compact_boundary","uuid":"u%d","parentUuid":null,"compactMetadata":{"trigger":"auto",` +
				`"preTokens":167000,"postTokens":9000}}`, "",
			msg.Compaction{Name: "compact_boundary", Trigger: "auto", Before: 167_000}},
		msg.Pi: {
			`{"type":"message","id":"u%d","parentId":null,"message":{"role":"user","content":"` + fake + `"}}`,
			`{"type":"compaction","id":"u%d","parentId":null,"summary":"S","firstKeptEntryId":"u0","tokensBefore":5000}`, "",
			msg.Compaction{Name: "compaction", Before: 5000}},
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]format.Name{msg.Codex, msg.ClaudeCode, msg.Pi}).Draw(t, "format")
		log, lines := logs[name], []string{}
		want := msg.Agent{Compactions: []msg.Compaction{}}
		write := func(line string, number int) {
			if strings.Contains(line, "%d") {
				line = fmt.Sprintf(line, number)
			}
			lines = append(lines, line)
		}
		write(log.prompt, 0)
		for i := range rapid.IntRange(0, 12).Draw(t, "lines") {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				c := log.want
				c.Path = fmt.Sprintf("/%d", len(lines))
				want.Compactions = append(want.Compactions, c)
				write(log.compaction, i+1)
			case 1:
				if log.window != "" {
					want.Window = rapid.IntRange(1, 1_050_000).Draw(t, "window")
					write(log.window, want.Window)
				}
			default:
				write(log.prompt, i+1)
			}
		}
		c, err := format.Parse([]byte(strings.Join(lines, "\n")), name)
		require.NoError(t, err)
		got := c.Agent
		if name == msg.ClaudeCode && len(want.Compactions) > 0 {
			want.Limit = 200_000 // it compacted by itself below that
		}
		if want.Window == 0 && len(want.Compactions) == 0 {
			require.Nil(t, got)
			return
		}
		require.Equal(t, &want, got)
		require.Equal(t, &want, c.WithMessages(nil).Agent, "of the log, not of the messages")
	})
	c, err := format.Parse([]byte(`[{"role":"user","content":"compacted"}]`), "")
	require.NoError(t, err)
	require.Nil(t, c.Agent)
}
