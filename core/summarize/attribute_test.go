package summarize_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/summarize"
)

const (
	pinnedHeading = "## Constraints, in the user's words\n"
	listHeading   = "## Long lists of constraints, in the user's words\n"
	notesHeading  = "\n\n## Notes of the summarizer, not the user's words\n"
)

func TestAttribute(t *testing.T) {
	var kept summarize.Memory
	long := "You must never send a report to a customer before " + strings.Repeat("the head of the office and ", 8) + "I agree."
	user := []string{"By the way: never push to main. Do not touch docs/.", "Fix it.\nAlways use \"tabs\" here.", long, "Run it.\nThen ship it."}
	for _, row := range []struct{ why, answer, want string }{
		{"without a heading of the user's", "## Files\n- never\n", "## Files\n- never"},
		{"a sentence", pinnedHeading + "- \"Do not touch docs/.\"", pinnedHeading + "- \"Do not touch docs/.\""},
		{"a whole text", pinnedHeading + "- " + user[0], pinnedHeading + "- " + user[0]},
		{"a line, with its turn", "## What the user had asked\n- turn 3: Fix it.\n  Fix it.",
			"## What the user had asked\n- turn 3: Fix it.\n  Fix it."},
		{"a turn that is no number", "## What the user had asked\n- turn x: Fix it.",
			notesHeading[2:] + "- turn x: Fix it."},
		{"a binding clause", pinnedHeading + "- \"" + clause(long) + "\"", pinnedHeading + "- \"" + clause(long) + "\""},
		{"a part that says the opposite", pinnedHeading + "- \"push to main\"", notesHeading[2:] + "- \"push to main\""},
		{"parts of two sentences", pinnedHeading + "- \"Do not … push to main.\"",
			notesHeading[2:] + "- \"Do not … push to main.\""},
		{"a line that is invented, between others", "Done.\n\n" + pinnedHeading + "\n- Fix it.\n- Always push.\n\n## Files\n- a.go",
			"Done.\n\n" + pinnedHeading + "- Fix it.\n\n## Files\n- a.go" + notesHeading + "- Always push."},
		{"one that does not hold any more", pinnedHeading + "- \"Always use \"tabs\" here.\"\n- Fix it.", pinnedHeading + "- Fix it."},
		{"a heading in other markup", "**Constraints, in the user’s words:**\n- Fix it.\n- Always push.",
			pinnedHeading + "- Fix it." + notesHeading + "- Always push."},
		{"with more words", "### The constraints, in the user's words (all)\nAlways push.", notesHeading[2:] + "Always push."},
		{"a sentence that has the words of a heading", "These constraints, in the user's words\nAlways push.",
			"These constraints, in the user's words\nAlways push."},
		{"a long line is no heading", "# Constraints, in the user's words" + strings.Repeat(" ", 200) + "\nAlways push.",
			"# Constraints, in the user's words" + strings.Repeat(" ", 200) + "\nAlways push."},
		{"long lists", listHeading + "- Fix it.\n- Always push.",
			listHeading + "- Fix it." + notesHeading + "- Always push."},
		{"the next part ends the section", pinnedHeading + "- Fix it.\n[part 2]\nAlways push.",
			pinnedHeading + "- Fix it.\n[part 2]\nAlways push."},
		{"any heading ends it", pinnedHeading + "- Fix it.\n# Next\nAlways push.",
			pinnedHeading + "- Fix it.\n# Next\nAlways push."},
		{"two lines as one", pinnedHeading + "- Run it. Then ship it.", pinnedHeading + "- Run it. Then ship it."},
		{"nothing but a heading", pinnedHeading, ""},
	} {
		for _, memory := range []*summarize.Memory{nil, &kept, &kept} { // kept has the words of the row before
			got := summarize.Attribute(row.answer, func() (said, stale map[string]bool) {
				return memory.WordsOf(user), map[string]bool{"Always use \"tabs\" here.": true}
			})
			require.Equal(t, row.want, got, row.why)
		}
	}
}

func clause(text string) string {
	return provenance.BindingClause(provenance.Constraint{Text: text}, 120)
}

// pinned returns statements of the kind rule, those with * of a long list.
func pinned(texts ...string) (out []summarize.Pinned) {
	for i, text := range texts {
		text, listed := strings.CutPrefix(text, "*")
		s := summarize.Pinned{At: msg.Ref{Message: i}, Text: text, Holds: true, Listed: listed}
		if strings.HasPrefix(text, "I like") {
			s.Kind = provenance.Preference
		}
		out = append(out, s)
	}
	return out
}

func TestKeepPinned(t *testing.T) {
	count := func(text string) int { return len(text) }
	a, b, c := "Never push.", "Use tabs.", "I like red."
	long := "You must never send a report to a customer before " + strings.Repeat("the head of the office and ", 8) + "I agree."
	for _, row := range []struct {
		why, summary string
		statements   []summarize.Pinned
		budget, max  int
		want         string
	}{
		{"none", "It went on.", nil, 1000, 1000, "It went on."},
		{"to a summary without the section", "It went on.", pinned(a, b), 1000, 1000,
			"It went on.\n\n" + pinnedHeading + "- \"" + a + "\"\n- \"" + b + "\""},
		{"to no summary", "", pinned(a), 1000, 1000, pinnedHeading + "- \"" + a + "\""},
		{"what is there stays", pinnedHeading + "- \"" + a + "\"\n\n## Files\n- a.go", pinned(a), 1000, 1000,
			pinnedHeading + "- \"" + a + "\"\n\n## Files\n- a.go"},
		{"in the order in which they were said", pinnedHeading + "- Yes.\n- \"" + b + "\"\n\n## Files\n- a.go",
			pinned(a, b, c), 1000, 1000,
			pinnedHeading + "- Yes.\n- \"" + a + "\"\n- \"" + b + "\"\n- \"" + c + "\"\n\n## Files\n- a.go"},
		{"a line without a statement stays below the line before it", pinnedHeading + "- \"" + b + "\"\n- Yes.\n## Files\n- a.go",
			pinned(a, b, c), 1000, 1000,
			pinnedHeading + "- \"" + a + "\"\n- \"" + b + "\"\n- Yes.\n- \"" + c + "\"\n## Files\n- a.go"},
		{"of two sections, the last one",
			pinnedHeading + "- \"" + a + "\"\n[part 2]\nx\n\n" + pinnedHeading + "- \"" + c + "\"",
			pinned(a, b, c), 1000, 1000,
			pinnedHeading + "- \"" + a + "\"\n[part 2]\nx\n\n" + pinnedHeading + "- \"" + b + "\"\n- \"" + c + "\""},
		{"text elsewhere is not the user's", "The user said: " + a, pinned(a), 1000, 1000,
			"The user said: " + a + "\n\n" + pinnedHeading + "- \"" + a + "\""},
		{"a binding clause is enough", pinnedHeading + "- \"" + clause(long) + "\"", pinned(long), 1000, 1000,
			pinnedHeading + "- \"" + clause(long) + "\""},
		{"the summary is cut", "It went on. It ended.", pinned(a), 100, 12 + 16 + 13,
			"It went on.\n\n" + pinnedHeading + "- \"" + a + "\""},
		{"to nothing", "It went on. It ended.", pinned(a), 100, 5, pinnedHeading + "- \"" + a + "\""},
		{"a heading without a line goes", "## Files\n- a.go", pinned(a), 100, 12 + 16 + 8, pinnedHeading + "- \"" + a + "\""},
		{"the newest within the budget", "", pinned(a, b), 12 + 14, 10, pinnedHeading + "- \"" + b + "\""},
		{"the newest of one length", "", pinned(a, "Never pull."), 12 + 16, 10, pinnedHeading + "- \"Never pull.\""},
		{"rules before preferences", "", pinned(a, c), 12 + 16, 10, pinnedHeading + "- \"" + a + "\""},
		{"one token less is none", "It went on.", pinned(a), 12 + 15, 1000, "It went on."},
		{"typed before listed", "", pinned(a, "*"+b), 12 + 16, 10, pinnedHeading + "- \"" + a + "\""},
		{"a preference that is typed before a list", "", pinned(c, "*"+b), 12 + 16, 10, pinnedHeading + "- \"" + c + "\""},
		{"lists have a section", "", pinned("*"+a, b), 1000, 1000,
			pinnedHeading + "- \"" + b + "\"\n\n" + listHeading + "- \"" + a + "\""},
		{"what is there is not cut", pinnedHeading + "- \"" + a + "\"", pinned(a), 1000, 5,
			pinnedHeading + "- \"" + a + "\""},
		{"exactly the room", "It went on.", pinned(a), 1000, 11 + 2 + len(pinnedHeading) + 15,
			"It went on.\n\n" + pinnedHeading + "- \"" + a + "\""},
		{"around a binding clause", pinnedHeading + "- \"" + clause(long) + "\"", pinned(a, long, b), 1000, 1000,
			pinnedHeading + "- \"" + a + "\"\n- \"" + clause(long) + "\"\n- \"" + b + "\""},
		{"around a long statement", pinnedHeading + "- \"" + long + "\"", pinned(a, long, b), 1000, 1000,
			pinnedHeading + "- \"" + a + "\"\n- \"" + long + "\"\n- \"" + b + "\""},
		{"which counts", listHeading + "- \"" + a + "\"", pinned("*" + a), 1000, 1000, listHeading + "- \"" + a + "\""},
	} {
		require.Equal(t, row.want, summarize.KeepPinned(row.summary, row.statements, row.budget, row.max, count), row.why)
	}
}

// More than eight statements in one text are a list; a summary with the section of lists gives them back as listed.
func TestListedStatements(t *testing.T) {
	rules := ""
	for i := range 9 {
		rules += "- Never call service" + string(rune('a'+i)) + ".\n"
		c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.User, rules)}}
		all := (*summarize.Memory)(nil).ReadPinned(c)
		require.Len(t, all, i+1)
		for _, s := range all {
			require.Equal(t, i == 8, s.Listed)
			require.True(t, s.Holds)
		}
		text := summarize.Summarize(c, msg.Span{End: 1}, summarize.Options{MaxTokens: 400})
		require.Equal(t, i == 8, strings.Contains(text, listHeading), text)
		summary := msg.TextMessage(msg.User, "[compacted summary of turns 1-2]\n"+text)
		summary.Blocks[0].Summary = true
		c.Messages[0] = summary
		require.Equal(t, all, (*summarize.Memory)(nil).ReadPinned(c))
		again := summarize.Summarize(c, msg.Span{End: 1}, summarize.Options{MaxTokens: 400})
		require.Equal(t, i == 8, strings.Contains(again, listHeading), again)
	}
}

func TestStale(t *testing.T) {
	require.Equal(t, map[string]bool{"b": true}, summarize.Stale([]summarize.Pinned{{Text: "a"}, {Text: "b"},
		{Text: "a", Holds: true}}))
}

// The texts of the user: prompts, the reason of a rejected call, and what an earlier summary quotes.
func TestUserTexts(t *testing.T) {
	rejected := "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, " +
		"the user said:\nNever use rm."
	old := msg.TextMessage(msg.User, "[compacted summary of turns 1-9]\n## What the user had asked\n- turn 1: Fix it.\n\n"+
		pinnedHeading+"- \"Use tabs.\"\n\n## Files\n- a.go\n\n"+listHeading+"- \"Never wait.\"")
	old.Blocks[0].Summary = true
	c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{old,
		msg.TextMessage(msg.Assistant, "Never stop."),
		msg.TextMessage(msg.User, "Never push.\n<system-reminder>Never pull.</system-reminder>"), call("1", "Bash", "{}"),
		answer("1", rejected, true), msg.TextMessage(msg.User, "Never go.")}}
	texts := func(spans []msg.Span, only []msg.Ref) (out []string) {
		for _, text := range summarize.UserTexts(c, spans, only) {
			out = append(out, strings.TrimSpace(text))
		}
		return out
	}
	require.Equal(t, []string{"Fix it.", "\"Use tabs.\"", "\"Never wait.\"", "Never push.", "Never use rm."},
		texts([]msg.Span{{End: 2}, {Start: 2, End: 5}}, nil))
	require.Equal(t, []string{"Never go."}, texts([]msg.Span{{End: 6}}, []msg.Ref{{Message: 5}}))
	var pinned []string
	for _, s := range (*summarize.Memory)(nil).ReadPinned(c) {
		pinned = append(pinned, s.Text)
	}
	require.Equal(t, []string{"Use tabs.", "Never wait.", "Never push.", "Never use rm.", "Never go."}, pinned)
}

// What the extractive summarizer quotes is the user's: its summaries pass unchanged, whatever the user writes.
func TestExtractsAreAttributed(t *testing.T) {
	lines := []string{"Fix the parser in core/read.go.", "By the way: never push to main. Do not touch docs/.",
		"- Always run `make test`", "Is it done?", "> quoted", "必须保留旧接口。不要修改数据库结构。", "**Use tabs.**",
		"You must answer " + strings.Repeat("very ", 90) + "soon.", "ok", "RULE 3: keep it short", "turn 3: go on",
		"\"Never wait.\""}
	rapid.Check(t, func(t *rapid.T) {
		c := &msg.Conversation{Format: msg.Anthropic}
		for range rapid.IntRange(1, 5).Draw(t, "prompts") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 1, 12).Draw(t, "lines"),
				rapid.SampledFrom([]string{"\n", "\n\n", " "}).Draw(t, "between"))
			c.Messages = append(c.Messages, msg.TextMessage(msg.User, text),
				msg.TextMessage(msg.Assistant, "I read the file core/read.go."))
		}
		body, err := format.Render(c)
		require.NoError(t, err)
		c, err = format.Parse(body, msg.Anthropic)
		require.NoError(t, err)
		spans := []msg.Span{{End: len(c.Messages)}}
		text := summarize.Summarize(c, spans[0], summarize.Options{MaxTokens: rapid.IntRange(50, 800).Draw(t, "max")})
		var none *summarize.Memory
		got := summarize.Attribute(text, func() (said, stale map[string]bool) {
			return none.WordsOf(summarize.UserTexts(c, spans, nil)), summarize.Stale(none.ReadPinned(c))
		})
		if !strings.Contains(text, "Older statements of the user that are only in the originals: ") {
			require.Equal(t, text, got)
		}
	})
}
