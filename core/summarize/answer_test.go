package summarize_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// An answer that says nothing alone has the option or the question that it answers.
func TestAnswersHaveTheirQuestion(t *testing.T) {
	options := "Two ways:\n\n**A) One file** — easy to read\n\n**B) A folder** — one file a topic\n\n" +
		"Which one do you prefer?"
	for _, row := range []struct{ asked, answer, want string }{
		{options, "b", "B) A folder — one file a topic The user answered: b"},
		{options, "A.", "A) One file — easy to read The user answered: A."},
		{options, "both", "Which one do you prefer? The user answered: both"},
		{"1. the cheap store\n2. the quick store", "2", "2. the quick store The user answered: 2"},
		{"1. the cheap store\n2. the quick store", "2, but without the tests for now, they take too long",
			"2. the quick store The user answered: 2, but without the tests for now, they take too long"},
		{"Soll ich die Tabelle löschen?", "ja", "Soll ich die Tabelle löschen? The user answered: ja"},
		{"要删除这张表吗？", "好的", "要删除这张表吗？ The user answered: 好的"},
		{"The table is gone.", "go on", ""},
		{"Delete it?", "No, rename it first, and then write down where it went.", ""},
	} {
		out := summaryOf(400, msg.TextMessage(msg.User, "Store the notes of each meeting."),
			msg.TextMessage(msg.Assistant, row.asked), msg.TextMessage(msg.User, row.answer),
			msg.TextMessage(msg.Assistant, "Done."))
		if row.want == "" {
			require.NotContains(t, out, "The user answered")
			continue
		}
		require.Contains(t, out, row.want)
	}
}
