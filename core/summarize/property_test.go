package summarize_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// drawConversation draws a conversation of a random format, or one that no codec produces.
func drawConversation(t *rapid.T) *msg.Conversation {
	if rapid.Bool().Draw(t, "valid") {
		f := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		c, err := format.Parse(convtest.Conversation(t, f), f)
		require.NoError(t, err)
		return c
	}
	c := &msg.Conversation{Format: msg.Anthropic}
	kinds := []msg.Kind{msg.KindText, msg.KindToolUse, msg.KindToolResult, msg.KindThinking, msg.KindImage,
		msg.KindSummary, msg.KindOther}
	tools := []string{"Read", "edit_file", "apply_patch", "Bash", "TodoWrite", "Grep", "", "x__y"}
	pieces := []string{"/a/b.go", "fooBar", "12ms", "**", "\n", " ", "*** Update File: a/b.go\n", "+", "-", "error: ",
		`{"path":"`, `"}`, "{", "→", "1", "。", "must ",
		"\xff", "a=b", "'", "| ", "> x.go", "FAIL ", "```", "🙂", `","command":"`, "<system-reminder>", "</system-reminder>",
		"panic: ", "\\"}
	for range rapid.IntRange(0, 12).Draw(t, "messages") {
		m := msg.Message{Role: rapid.SampledFrom([]msg.Role{msg.User, msg.Assistant, msg.Tool, "odd"}).Draw(t, "role")}
		for range rapid.IntRange(0, 3).Draw(t, "blocks") {
			m.Blocks = append(m.Blocks, msg.Block{
				Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Name: rapid.SampledFrom(tools).Draw(t, "tool"),
				ID: rapid.SampledFrom([]string{"1", "2", ""}).Draw(t, "id"), IsError: rapid.Bool().Draw(t, "failed"),
				Text: strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "text"), ""),
			})
		}
		c.Messages = append(c.Messages, m)
	}
	return c
}

// drawSpans draws sorted spans that do not overlap.
func drawSpans(t *rapid.T, n int) []msg.Span {
	var spans []msg.Span
	for at := 0; at < n; {
		start := rapid.IntRange(at, n).Draw(t, "start")
		end := rapid.IntRange(start, n).Draw(t, "end")
		if end > start {
			spans = append(spans, msg.Span{Start: start, End: end})
		}
		at = end + 1
	}
	return spans
}

func TestSummaryKeepsItsBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConversation(t)
		spans := drawSpans(t, len(c.Messages))
		name := rapid.SampledFrom(tokens.Names()).Draw(t, "counter")
		counter, _ := tokens.Lookup(name)
		x := summarize.New(c, spans, nil)
		for i := range spans {
			o := summarize.Options{Counter: counter, MaxTokens: rapid.IntRange(-5, 400).Draw(t, "budget"),
				Focus: rapid.SampledFrom([]string{"", "fooBar error"}).Draw(t, "focus")}
			text := x.Summarize(i, o)
			require.LessOrEqual(t, counter.Count(text), max(o.MaxTokens, 0))
			require.Equal(t, text, x.Summarize(i, o), "the second call returns the same text")
			require.Equal(t, text, summarize.New(c, spans, nil).Summarize(i, o),
				"a new index gives the same text, whatever was summarized before")
			require.True(t, utf8.ValidString(text) || !validTexts(c), "no code point is cut")
		}
	})
}

func validTexts(c *msg.Conversation) bool {
	for _, block := range c.Blocks() {
		if !utf8.ValidString(block.Text) {
			return false
		}
	}
	return true
}

// Atoms are substrings of the text, visited in order and without overlap.
func TestAtomsAreSubstrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-a-zA-Z0-9_$./@~+%#: ]{0,80}`)).Draw(t, "text")
		rest := text
		summarize.Atoms(text, func(_ summarize.FactKind, s string) {
			i := strings.Index(rest, strings.TrimSuffix(s, "%"))
			require.GreaterOrEqual(t, i, 0, "%q in %q", s, rest)
			rest = rest[i:]
		})
	})
}

// Hostile input takes linear time: with texts of 1 MB, a quadratic step would take minutes. Wasm takes the same steps,
// so an eighth is enough there.
func TestHostileInputIsLinear(t *testing.T) {
	size := 1 << 20
	if convtest.Fewer() {
		size /= 8
	}
	for name, piece := range map[string]string{
		"a range without end": "1-", "dots": "a.", "slashes": "a/b/", "spaces": " ", "line breaks": "\n",
		"no break at all": "A", "errors": "rror",
		"error words": "Error: ", "quotes": "'", "binding words": "must not ", "Chinese": "必须", "sentences": "a. ",
		"urls":    "http://",
		"patches": "*** Update File: a.go\n", "hashes": "0a", "shell": "rm a.go; ", "names": "aB ", "todo": "- next: x\n",
		"arrows": "1→x\n",
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(piece, size/len(piece))
			input := `{"command":` + string(rawjson.Quote(text)) + `,"path":` + string(rawjson.Quote(text)) + `,"new_string":` +
				string(rawjson.Quote(text)) + `}`
			c := &msg.Conversation{Messages: []msg.Message{
				{Role: msg.User, Blocks: []msg.Block{{Kind: msg.KindText, Text: text}}},
				{Role: msg.Assistant, Blocks: []msg.Block{{Kind: msg.KindText, Text: text},
					{Kind: msg.KindToolUse, ID: "1", Name: "Bash", Text: input},
					{Kind: msg.KindToolUse, ID: "2", Name: "Edit", Text: input}}},
				{Role: msg.User, Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: "1", Text: text, IsError: true},
					{Kind: msg.KindToolResult, ID: "2", Text: text}}},
			}}
			out := summarize.Summarize(c, msg.Span{Start: 0, End: 3}, summarize.Options{MaxTokens: 2000, Focus: text[:1000]})
			require.LessOrEqual(t, tokens.Estimate.Count(out), 2000)
		})
	}
}

// The cost of a summary depends on its span, not on the whole conversation.
func TestManySpansAreLinear(t *testing.T) {
	c := &msg.Conversation{}
	var spans []msg.Span
	for i := range 20000 {
		c.Messages = append(c.Messages, msg.TextMessage(msg.User, "Go on."),
			msg.TextMessage(msg.Assistant, "I changed fileNumber"+string(rune('A'+i%26))+"X because of it."))
		spans = append(spans, msg.Span{Start: 2*i + 1, End: 2*i + 2})
	}
	x := summarize.New(c, spans, nil)
	for i := range spans {
		budget := (1 << 20) / len(spans)
		x.Summarize(i, summarize.Options{MaxTokens: budget})
	}
}
