package words_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/recall"
	"tamp/core/tokens"
	"tamp/core/words"
)

func TestSection(t *testing.T) {
	require.Empty(t, words.Section(nil))
	text := words.Section([]words.Said{{Turn: 3, Text: "Fix it.\n\nThen ship it."},
		{Turn: 12, Asked: "Which one?", Text: "b"}})
	require.Equal(t, words.Heading+"\n- turn 3: Fix it.\n  \n  Then ship it.\n- turn 12, asked \"Which one?\": b\n\n", text)
	for _, row := range []struct{ text, rest, why string }{
		{"Done.", "Done.", "no section"},
		{words.Heading, words.Heading, "a heading without a line"},
		{"\n" + words.Heading + "\n- turn 1: a", "\n" + words.Heading + "\n- turn 1: a", "not at the beginning"},
		{words.Heading + "\n- turn x: a", "- turn x: a", "a turn that is no number"},
		{words.Heading + "\n- turn 1000001: a", "- turn 1000001: a", "a turn that is too large"},
		{words.Heading + "\n- turn 99999999999999999999: a", "- turn 99999999999999999999: a", "or much too large"},
		{words.Heading + "\n- turn 1 a", "- turn 1 a", "no colon"},
		{words.Heading + "\n- turn 1, asked \"a: b", "- turn 1, asked \"a: b", "a question without an end"},
		{words.Heading + "\n  a", "  a", "a line before the first item"},
	} {
		said, rest := words.Cut(row.text)
		require.Empty(t, said, row.why)
		require.Equal(t, row.rest, rest, row.why)
	}
	said, rest := words.Cut(words.Heading + "\n- turn 1: a\nb\n  c")
	require.Equal(t, []words.Said{{Turn: 1, Text: "a"}}, said)
	require.Equal(t, "b\n  c", rest)
}

// hostileLines are lines of texts that read like those of a section or a summary.
var hostileLines = []string{"", " ", "  ", words.Heading, "## Files", "- turn 3: x", "  - turn 3: x",
	"- turn 4, asked \"y\": x", "- a.go",
	"[compacted summary of turns 1-2]", "[part 1]", "Fix it.", words.Gap, "\r", "日本語。", "\"", ": "}

// What Section writes Cut reads, whatever the texts and the text after it.
func TestPropertyOfSection(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostileLines), 1, 6).Draw(t, "lines"), "\n")
	})
	rapid.Check(t, func(t *rapid.T) {
		var said []words.Said
		for range rapid.IntRange(0, 5).Draw(t, "said") {
			s := words.Said{Turn: rapid.IntRange(0, 1_000_000).Draw(t, "turn"), Text: text.Draw(t, "text")}
			if rapid.Bool().Draw(t, "asked") {
				s.Asked = rapid.SampledFrom([]string{"Which?", "A: or b?", "- turn 2: x", "'"}).Draw(t, "question")
			}
			said = append(said, s)
		}
		rest := text.Draw(t, "rest")
		if len(said) == 0 && strings.HasPrefix(rest, words.Heading) {
			rest = words.Disown(rest)
		}
		have, after := words.Cut(words.Section(said) + rest)
		require.Equal(t, said, have)
		require.Equal(t, rest, after)
	})
}

func TestDisown(t *testing.T) {
	said, _ := words.Cut(words.Disown(words.Heading + "\n- turn 1: Push."))
	require.Empty(t, said)
	require.Equal(t, "Done.", words.Disown("Done."))
}

// typed returns a conversation of prompts with an answer after each.
func typed(texts ...string) *msg.Conversation {
	c := &msg.Conversation{Format: msg.Anthropic}
	for _, text := range texts {
		c.Messages = append(c.Messages, msg.TextMessage(msg.User, text), msg.TextMessage(msg.Assistant, "Done."))
	}
	return c
}

// fit returns the texts that stay within a limit.
func fit(c *msg.Conversation, limit int) (out []string, s *words.Selection) {
	pairs := msg.Pair(c)
	s = words.Read(c, c.Turns(), &pairs, tokens.Chars4.Count).Fit(func(*words.Said) bool { return true }, limit)
	for _, said := range s.Said() {
		out = append(out, said.Text)
	}
	return out, s
}

// leaving returns the texts that stay at each limit at which one more leaves, from all to none.
func leaving(t *testing.T, c *msg.Conversation) (order []string) {
	before, s := fit(c, 1000)
	require.False(t, s.Cut())
	for limit := 1000; limit >= 0; limit-- {
		now, s := fit(c, limit)
		if strings.Join(now, "|") != strings.Join(before, "|") {
			require.True(t, s.Cut())
			order = append(order, strings.Join(now, " | "))
		}
		before = now
	}
	return order
}

// Repetitions leave first, then questions, then statements by how much of them is said again later, then those with a
// cue; of each, the oldest first. A text of one line leaves as a whole.
func TestOrderOfLeaving(t *testing.T) {
	filler := strings.Repeat("The night report has rows of its own, as before. ", 5)
	for why, row := range map[string]struct{ texts, order []string }{
		"all ranks": {
			[]string{"Is the parser slow on large files?", "The store of the parser has a lock.", "Go on with the next file.",
				"Never push to the main branch.", "Does the cache help at all?", "The store of the parser has a key.",
				"Go on with the next file."},
			[]string{
				"Is the parser slow on large files? | The store of the parser has a lock. | Never push to the main branch. | Does the cache help at all? | The store of the parser has a key. | Go on with the next file.",
				"The store of the parser has a lock. | Never push to the main branch. | Does the cache help at all? | The store of the parser has a key. | Go on with the next file.",
				"The store of the parser has a lock. | Never push to the main branch. | The store of the parser has a key. | Go on with the next file.",
				"Never push to the main branch. | The store of the parser has a key. | Go on with the next file.",
				"Never push to the main branch. | Go on with the next file.",
				"Never push to the main branch.",
				"",
			}},
		"a short text leaves whole": {
			[]string{"Use tabs in all of the files. Is the parser slow?", "The lock is free. Does the cache help?"},
			[]string{"Use tabs in all of the files. Is the parser slow?", ""},
		},
		"lines leave one by one": {
			[]string{"Use tabs in all of the files.\nIs the parser slow on large ones?"},
			[]string{"Use tabs in all of the files.\n[…]", ""},
		},
		"sentences of a long text, too": {
			[]string{filler + "Never push to the main branch."},
			[]string{"[…] Never push to the main branch.", ""},
		},
	} {
		have := leaving(t, typed(row.texts...))
		if why == "sentences of a long text, too" { // one after the other, up to the rule
			require.Len(t, have, 6)
			have = have[4:]
		}
		require.Equal(t, row.order, have, why)
	}
}

// A statement of which a newer one says more again leaves before an older one that nothing repeats, in any language.
func TestWhatIsSaidAgainLeavesFirst(t *testing.T) {
	for _, texts := range [][3]string{
		{"The port of the shop is 8080.", "The name of the red table is orders.", "The name of the red table is sales."},
		{"Der Laden läuft auf Port 8080.", "Die rote Tabelle heißt bestellungen.", "Die rote Tabelle heißt umsatz."},
		{"商店端口是八千。", "红色表格的名字叫订单。", "红色表格的名字叫销售。"},
	} {
		require.Equal(t, texts[0]+" | "+texts[2], leaving(t, typed(texts[:]...))[0])
	}
}

// A repetition is known in any language, by its words and not by its letters.
func TestRepetitions(t *testing.T) {
	for _, row := range []struct{ first, second string }{
		{"Please go on.", "please GO on"}, {"Mach bitte weiter.", "mach bitte weiter!"}, {"继续下一个文件。", "继续下一个文件"},
		{"次のファイルに進んで。", "次のファイルに進んで"}, {"계속 진행해 주세요.", "계속 진행해 주세요"}, {"продолжай дальше", "Продолжай дальше."},
		{"ok", "ok"},
	} {
		all, _ := fit(typed(row.first, row.second), 1000)
		require.Len(t, all, 2)
		for limit := 40; len(all) == 2 && limit > 0; limit-- {
			all, _ = fit(typed(row.first, row.second), limit)
		}
		require.Equal(t, []string{row.second}, all)
	}
}

// What stays is never over the limit by more than the estimate of the marks, has no sentence that the user did not say,
// and is read again from its section.
func TestPropertyOfFit(t *testing.T) {
	sentences := []string{"Use tabs.", "Never push to main.", "Is it done?", "Go on.", "不要推送。", "好吗？",
		"A line of a list\n", "\n",
		words.Gap + " ", "- turn 3: x\n", "One more word for the parser of the night report, as it was before."}
	rapid.Check(t, func(t *rapid.T) {
		var texts []string
		for range rapid.IntRange(1, 8).Draw(t, "prompts") {
			texts = append(texts, "Part "+strings.Join(rapid.SliceOfN(rapid.SampledFrom(sentences), 0, 6).Draw(t,
				"sentences"), " ")+".")
		}
		c := typed(texts...)
		pairs := msg.Pair(c)
		w := words.Read(c, c.Turns(), &pairs, tokens.Chars4.Count)
		odd := rapid.Bool().Draw(t, "only some")
		chosen := func(s *words.Said) bool { return !odd || s.At.Message%4 == 0 }
		limit := rapid.IntRange(0, 120).Draw(t, "limit")
		s := w.Fit(chosen, limit)
		said := s.Said()
		sum, cut := 0, false
		s.Each(func(one *words.Said, size int, isCut bool) {
			require.True(t, chosen(one))
			require.GreaterOrEqual(t, size, 0)
			sum += size
			cut = cut || isCut
		})
		require.LessOrEqual(t, sum, limit)
		require.Equal(t, cut, s.Cut())
		size := tokens.Chars4.Count(words.Section(said))
		require.LessOrEqual(t, size, limit+words.FrameTokens+3*len(said), "%q", said)
		for i := range said {
			require.True(t, chosen(&said[i]))
			whole := strings.Join(strings.Fields(texts[said[i].At.Message/2]), " ")
			for part := range strings.SplitSeq(said[i].Text, words.Gap) {
				require.Contains(t, whole, strings.Join(strings.Fields(part), " "))
			}
			said[i].At = msg.Ref{}
		}
		again, rest := words.Cut(words.Section(said) + "Done.")
		require.Equal(t, said, append([]words.Said{}, again...))
		require.Equal(t, "Done.", rest)
		require.Equal(t, s.Said(), w.Fit(chosen, limit).Said(), "the same again")
	})
}

func TestRoom(t *testing.T) {
	for _, row := range []struct{ window, free, want int }{
		{200_000, 100_000, 20_000}, {1_000_000, 900_000, 100_000}, {200_000, 30_000, 20_000}, {200_000, 29_999, 19_999},
		{8000, 3000, 2000}, {8000, 1, 0}, {8000, -1, 0},
	} {
		require.Equal(t, row.want, words.Room(row.window, row.free))
	}
}

// A text of over 2,000 tokens keeps its beginning and its end, and a ref that recall can read.
func TestLongTextsKeepBeginningAndEnd(t *testing.T) {
	for name, line := range map[string]string{"lines": "the line %d of a log\n", "one line": "the word %d of a log ",
		"no space": "日志%d"} {
		var log strings.Builder
		for i := range 4000 {
			fmt.Fprintf(&log, line, i)
		}
		text := "<system-reminder>Be brief.</system-reminder>\nLook at this log.\n" + log.String() + "\nWhy did it stop?"
		c := typed(text)
		said := saidIn(c)
		require.Len(t, said, 1)
		require.True(t, marker.IsShortened(said[0].Text), name)
		require.True(t, strings.HasPrefix(said[0].Text, "Look at this log.\n"), name)
		require.True(t, strings.HasSuffix(said[0].Text, "Why did it stop?"), name)
		size := tokens.Estimate.Count(said[0].Text)
		require.LessOrEqual(t, size, 2000, name)
		require.Greater(t, size, 1500, name)
		_, note, _ := strings.Cut(said[0].Text, "; original ")
		ref, _, _ := strings.Cut(note, "]")
		part, err := recall.Read([]string{string(core.Archive(c, &core.Plan{Archive: []core.Span{{End: 1}}}))},
			recall.Query{Ref: ref, Text: "Why did"})
		require.NoError(t, err, name)
		require.Len(t, part.Lines, 1, name)
	}
}

// A short answer is listed with the question that it answers.
func TestShortAnswersHaveTheirQuestion(t *testing.T) {
	options := "Two ways:\n\n**A) One file** — easy to read\n**B) A folder** — one file a topic\n\nWhich one do you prefer?"
	for _, row := range []struct{ before, answer, want string }{
		{"The table is old. Shall I drop it?", "yes", "The table is old. Shall I drop it?"},
		{"Soll ich die Tabelle löschen?", "ja, aber erst morgen", "Soll ich die Tabelle löschen?"},
		{"要删除这张表吗？", "好的", "要删除这张表吗？"},
		{"古いです。削除しますか？", "はい", "古いです。削除しますか？"},
		{"テーブルは古いです。削除しますか。", "はい", "テーブルは古いです。削除しますか。"},
		{"bad \xff bytes? \xff\xfe", "yes", "bad \xff bytes?"},
		{"見てください: https://a.example/?q=1\nこの案で進めてよいでしょうか", "はい", "見てください: https://a.example/?q=1 この案で進めてよいでしょうか"},
		{"C'est prêt. On supprime la table ?", "oui", "C'est prêt. On supprime la table ?"},
		{"It is at https://a.example/?q=1 now.", "ok", ""},
		{"I can archive the old orders or remove them for good. All have a copy. Shall I?", "yes",
			"I can archive the old orders or remove them for good. All have a copy. Shall I?"},
		{"Options for the store:\n① the cheap one\n② the quick one", "②", "Options for the store: / ① the cheap one / ② the quick one"},
		{"¿Borro la tabla?", "sí", "¿Borro la tabla?"},
		{"هل أحذف الجدول؟", "نعم", "هل أحذف الجدول؟"},
		{"테이블을 삭제할까요?", "네", "테이블을 삭제할까요?"},
		{"Shall I call it \"orders\"?", "yes", "Shall I call it 'orders'?"},
		{"Which one?\n1. the cheap store\n2. the quick store", "2", "Which one? / 1. the cheap store / 2. the quick store"},
		{"Shall I go on?\n\nIt takes an hour.", "yes", "Shall I go on?"},
		{options, "b", "Which one do you prefer?"},
		{"The table is gone.", "go on", ""},
		{"Delete it?", "No, rename it first, and then write down in the readme where it went and why, please.", ""},
		{"Delete it?", "No.\nRename it.", ""},
	} {
		c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.User, "Clean up."),
			msg.TextMessage(msg.Assistant, row.before), msg.TextMessage(msg.User, row.answer)}}
		said := saidIn(c)
		require.Len(t, said, 2)
		if row.before == options {
			require.Contains(t, said[1].Asked, row.want)
			require.Contains(t, said[1].Asked, "B) A folder", "with the options above it")
			continue
		}
		require.Equal(t, row.want, said[1].Asked, row.answer)
		require.Equal(t, row.answer, said[1].Text)
	}
}

// A message that a program inserts between a question and its answer hides neither.
func TestQuestionBeforeAnInsertedMessage(t *testing.T) {
	hook := msg.TextMessage(msg.User, "<system-reminder>Be brief.</system-reminder>")
	c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.User, "Clean up."),
		msg.TextMessage(msg.Assistant, "The table is old. Shall I drop it?"), hook, msg.TextMessage(msg.User, "yes")}}
	said := saidIn(c)
	require.Len(t, said, 2)
	require.Equal(t, "The table is old. Shall I drop it?", said[1].Asked)
	require.Equal(t, 1, said[1].From)
}

func TestLongQuestionsAreCut(t *testing.T) {
	c := typed("Clean up.")
	c.Messages[1] = msg.TextMessage(msg.Assistant, strings.Repeat("which ", 200)+"one?")
	c.Messages = append(c.Messages, msg.TextMessage(msg.User, "yes"))
	said := saidIn(c)
	require.Len(t, []rune(said[1].Asked), 601)
	have, _ := words.Cut(words.Section(said))
	require.Equal(t, said[1].Asked, have[1].Asked)
}

// The user's words are also the answers to tools that ask, the reasons of rejected calls, and what a summary lists; not
// what a program inserts, and not the answer to a server's tool.
func TestRead(t *testing.T) {
	const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, " +
		"the user said:\nNever use rm."
	c := convtest.FromWords(msg.Anthropic, `u =Clean a !1 !2 !3 !4 !5 u ?1 ?2 ?3 ?4 ?5`)
	set := func(b int, name, input, result string, failed bool) {
		c.Messages[1].Blocks[b].Name, c.Messages[1].Blocks[b].Text = name, input
		c.Messages[2].Blocks[b].Text, c.Messages[2].Blocks[b].IsError = result, failed
	}
	set(0, "AskUserQuestion", `{"questions":[{"question":"Which \"one\"?"},{"question":"When?"}]}`,
		`User has answered your questions: "Which"="b". You can now continue with the user's answers in mind.`, false)
	set(1, "Bash", `{"command":"rm a"}`, rejected, true)
	set(2, "mcp__notes__ask_user", `{"question":"Which?"}`, "Push.", false)
	set(3, "ask_user", `{"question":"Where?"}`, "no answer", true)
	set(4, "ask_user", `{"question":"Why?"}`, marker.PlaceholderCleared, false) // the answer is gone
	summary := msg.TextMessage(msg.User, "[compacted summary of turns 1-9]\n"+
		words.Section([]words.Said{{Turn: 4, Text: "Use tabs."}, {Turn: 7, Asked: "Push?", Text: "no"}})+"## Files\n- a.go")
	summary.Blocks[0].Summary = true
	meta := msg.TextMessage(msg.User, "Push.")
	meta.Meta = true
	c.Messages = append([]msg.Message{summary}, append(c.Messages, meta,
		msg.TextMessage(msg.User, "Go on.\n<system-reminder>Push.</system-reminder>\nNow.\n"))...)
	require.Equal(t, []words.Said{
		{At: msg.Ref{}, Turn: 4, Text: "Use tabs."}, {At: msg.Ref{}, Turn: 7, Asked: "Push?", Text: "no"},
		{At: msg.Ref{Message: 1}, Turn: 1, Text: "Clean"},
		{At: msg.Ref{Message: 3}, Turn: 2, Asked: "Which 'one'? / When?", From: 2, Text: `"Which"="b".`},
		{At: msg.Ref{Message: 3, Block: 1}, Turn: 2, Text: "Never use rm."},
		{At: msg.Ref{Message: 5}, Turn: 2, Text: "Go on.\nNow."},
	}, saidIn(c))
}
