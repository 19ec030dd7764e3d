package summarize

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/msg"
)

// The lines that a result keeps are those with names that the conversation uses again, word for word and in order.
func TestBestLines(t *testing.T) {
	result := "$ grep -rn total .\n" + strings.Repeat("lorem ipsum dolor sit amet\n", 40) +
		"billing.go:12: invoiceTotal counts cents\n" + strings.Repeat("consectetur adipiscing elit\n", 40) +
		"error: cannot read ledger.csv\n" + strings.Repeat("sed do eiusmod tempor\n", 40)
	use := msg.Block{Kind: msg.KindToolUse, ID: "1", Name: "grep", Text: `{"pattern":"total"}`}
	c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{
		msg.TextMessage(msg.User, "Why is the sum wrong?"), {Role: msg.Assistant, Blocks: []msg.Block{use}},
		{Role: msg.User, Blocks: []msg.Block{msg.ResultBlock(&use, result, false)}},
		msg.TextMessage(msg.Assistant, "invoiceTotal in billing.go is the reason. invoiceTotal must round."),
	}}
	kept, omittedBytes, omittedLines := New(c, nil, nil).BestLines(result, 200)
	require.Equal(t, "$ grep -rn total .\nlorem ipsum dolor sit amet\nlorem ipsum dolor sit amet\n"+
		"lorem ipsum dolor sit amet\n[…]\nbilling.go:12: invoiceTotal counts cents\n[…]\n"+
		"error: cannot read ledger.csv\n", kept, "the first lines fill what is left")
	require.Equal(t, 117, omittedLines)
	require.Equal(t, len(result)-len(strings.ReplaceAll(kept, Gap+"\n", "")), omittedBytes)
	kept, _, omittedLines = New(c, nil, nil).BestLines(result, len(result))
	require.Equal(t, result, kept)
	require.Zero(t, omittedLines)
	kept, _, _ = New(c, nil, nil).BestLines("one\ntwo\n", 200)
	require.Empty(t, kept, "few lines")
	lines := strings.Repeat("a line\n", 9) + Gap + "\nloadUser reads billing.go\n"
	kept, _, omittedLines = New(c, nil, nil).BestLines(lines, 60)
	require.Equal(t, 1, strings.Count(kept, Gap), kept)
	require.Equal(t, 10-strings.Count(kept, "\n")+1, omittedLines)
	kept, _, _ = New(c, nil, nil).BestLines(result, 10)
	require.Empty(t, kept, "no line fits")
}

// In any text, the kept lines are lines of it in their order, and fit.
func TestBestLinesAreLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := []string{"", "a.go", "loadUser", "4711", "error: x.go failed", "plain words", Gap, "日本語 b.go", "\xff"}
		lines := rapid.SliceOfN(rapid.SampledFrom(words), 0, 60).Draw(t, "lines")
		text := strings.Join(lines, "\n")
		c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.Assistant, text)}}
		limit := rapid.IntRange(0, 400).Draw(t, "limit")
		kept, _, omitted := New(c, nil, nil).BestLines(text, limit)
		require.LessOrEqual(t, len(kept), limit)
		left, n := lines, 0
		for line := range strings.SplitSeq(strings.TrimSuffix(kept, "\n"), "\n") {
			if line == Gap || kept == "" {
				continue
			}
			i := slices.Index(left, line)
			require.GreaterOrEqual(t, i, 0, "%q is no later line", line)
			left, n = left[i+1:], n+1
		}
		if kept != "" && !slices.Contains(lines, Gap) {
			require.Equal(t, strings.Count(strings.TrimRight(text, "\n"), "\n")+1, n+omitted)
		}
	})
}
