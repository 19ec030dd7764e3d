package summarize_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

func complete(answer string, maxTokens int, messages ...msg.Message) string {
	c := &msg.Conversation{Messages: messages}
	return summarize.New(c, []msg.Span{{End: len(messages)}}, nil).Complete(0, answer,
		summarize.Options{Counter: tokens.Estimate, MaxTokens: maxTokens})
}

func TestAnAnswerGetsWhatItLacks(t *testing.T) {
	messages := []msg.Message{
		msg.TextMessage(msg.User, "Never push to release_2026. Look at the night_report."),
		call("1", "Bash", `{"command":"make report"}`), answer("1", "exit code 2\nerror: no row_limit in order_store", false),
		msg.TextMessage(msg.Assistant, "We keep batch_size at 500 because staging_db is slow."),
		msg.TextMessage(msg.Assistant, "The port is fine."),
	}
	lacks := complete("The night_report failed: make report found no row_limit in order_store.", 300, messages...)
	require.Contains(t, lacks, "We keep batch_size at 500 because staging_db is slow.")
	require.NotContains(t, lacks, "make report", "the answer has its names")
	require.NotContains(t, lacks, "night_report")
	require.NotContains(t, lacks, "release_2026", "the user's words have a section of their own")
	require.NotContains(t, lacks, "The port is fine.", "no name is lacking")
	require.Contains(t, complete("Nothing.", 300, messages...), "`make report` → exit 2: error: no row_limit in order_store")
	whole := "batch_size 500 staging_db order_store row_limit night_report release_2026"
	require.Empty(t, complete(whole, 300, messages...))
}

// What is added has a name that the answer lacks, is not longer than asked for, and is of the summary without an answer
// if there is room for all.
func TestPropertyOfComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var messages []msg.Message
		var names []string
		for i := range rapid.IntRange(1, 8).Draw(t, "messages") {
			name := string(rune('a'+i)) + "_name"
			names = append(names, name)
			text := "The value of " + name + rapid.SampledFrom([]string{" is right.", " fails because of it."}).Draw(t, "rest")
			messages = append(messages, msg.TextMessage(msg.Assistant, text), msg.TextMessage(msg.User, "Go on with it."))
		}
		known := rapid.IntRange(0, len(names)).Draw(t, "known")
		maxTokens := rapid.IntRange(0, 400).Draw(t, "maxTokens")
		lacks := complete(strings.Join(names[:known], " "), maxTokens, messages...)
		require.LessOrEqual(t, tokens.Estimate.Count(lacks), maxTokens)
		for _, name := range names {
			if strings.Contains(lacks, name) {
				require.NotContains(t, names[:known], name)
			}
		}
		for line := range strings.SplitSeq(lacks, "\n") {
			require.True(t, line == "" || line[0] == '#' || strings.Contains(line, "_"), line)
		}
	})
}
