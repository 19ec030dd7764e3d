package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/summarize"
)

// What programs write around results in real sessions is in no summary. The rules for it in core/summarize have no
// other source: a rule whose mark no session has any more fails here.
func TestSummariesHaveNoFrames(t *testing.T) {
	marks := map[string]int{ // sessions that have it
		"\x1b[":              0, // colors of terminals
		"<system-reminder>":  0, // of Claude Code, behind results
		"\nWall time: ":      0, // of Codex, above outputs
		"<tool_use_error>":   0, // of Claude Code
		"TextContent(type='": 0, // of MCP results in Python
	}
	if testing.Short() {
		t.Skip("reads all sessions")
	}
	more := false
	for _, s := range sessions(t) {
		more = more || s.set == "more"
		var results strings.Builder
		for _, b := range s.c.Blocks() {
			if b.Kind == msg.KindToolResult {
				results.WriteString(b.Text + "\n")
			}
		}
		summary := ""
		for mark := range marks {
			if !strings.Contains(results.String(), mark) {
				continue
			}
			marks[mark]++
			if summary == "" {
				summary = summarize.Summarize(s.c, msg.Span{End: len(s.c.Messages)},
					summarize.Options{Counter: counter, MaxTokens: 3000})
			}
			require.NotContains(t, summary, mark, s.name)
		}
	}
	for mark, n := range marks {
		require.True(t, n > 0 || !more, mark) // each set alone has not all of them
	}
}
