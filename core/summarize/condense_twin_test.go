package summarize

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/words"
)

// drawSummaries draws summaries as Apply writes them, and a message behind them that keeps some of their names.
func drawSummaries(t *rapid.T) (*msg.Conversation, int) {
	names := []string{"core/read.go", "core/write.go", "docs/size.md", "parseHeader", "max_length", "readConfig",
		"row_limit", "mergeRows", "dropEmpty", "session_cache", "web/page.js", "loadSome", "night_report", "8080", "12ms",
		"1.4.0", "3f2a9c1b7d", "https://example.org/a", "because", "the", "cache", "fails", "원인", "因为", "of", "a request",
		"12", "x"}
	names = names[:rapid.IntRange(3, len(names)).Draw(t, "vocabulary")]
	text := func() string {
		most := rapid.SampledFrom([]int{2, 8, 14}).Draw(t, "most")
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(names), 1, most).Draw(t, "words"), " ")
	}
	turn := func() string { return "turn " + strconv.Itoa(rapid.IntRange(1, 9).Draw(t, "turn")) + ": " }
	lines := func(write func() string) string {
		out := ""
		for range rapid.IntRange(1, 6).Draw(t, "lines") {
			out += write() + "\n"
		}
		return out
	}
	some := func(texts ...string) string { return rapid.SampledFrom(texts).Draw(t, "form") }
	sections := []func() string{
		func() string {
			return lines(func() string { return some("- "+turn(), "  ") + text() + some("", " · "+text(), ". "+text()+".") })
		},
		func() string {
			return lines(func() string {
				return some("- core/read.go (read)", "- core/read.go (read ×2, edited)", "- docs/size.md (written)",
					"- a/b.go (deleted)", "  "+text(), "  14: "+text(), "  names: "+text(), "- notes.txt ()")
			})
		},
		func() string {
			return lines(func() string {
				return some("- `make check`", "- `make check` → exit 2", "- `"+text()+"` → ok", "- called: Read ×3", "  "+text(),
					"  names: "+text())
			})
		},
		func() string { return lines(func() string { return "- " + turn() + text() }) },
		func() string { return "names: " + text() + "\n" },
		func() string { return lines(func() string { return some("- ", "  ") + text() }) },
	}
	titles := []string{"What the assistant found, decided and did", "Files",
		"Commands and tools, with results", "Errors seen", "Other names", "In progress at that point"}
	c := &msg.Conversation{Format: msg.Anthropic}
	n := rapid.IntRange(1, 3).Draw(t, "summaries")
	for range n {
		summary := "[compacted summary of turns 1-9]\n"
		if rapid.Bool().Draw(t, "words") {
			summary += words.Section([]words.Said{{Turn: 1, Text: text() + "\n## Files\n- " + text()}, {Turn: 2, Text: text()}})
		}
		for i := range titles {
			if rapid.Bool().Draw(t, titles[i]) {
				summary += "## " + titles[i] + "\n" + sections[i]() + "\n"
			}
		}
		m := msg.TextMessage(msg.User, summary)
		m.Blocks[0].Summary = true
		c.Messages = append(c.Messages, m)
	}
	c.Messages = append(c.Messages, msg.TextMessage(msg.Assistant, text()))
	return c, n
}

func TestCondensingIsTheSlowOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, n := drawSummaries(t)
		counter, _ := tokens.Lookup(rapid.SampledFrom(tokens.Names()).Draw(t, "counter"))
		maxTokens := rapid.IntRange(0, rapid.SampledFrom([]int{100, 500}).Draw(t, "large")).Draw(t, "budget")
		want := slowCondense(c, n, maxTokens, counter)
		require.Equal(t, want, Summarize(c, msg.Span{End: n}, Options{Counter: counter, MaxTokens: maxTokens}))
	})
}
