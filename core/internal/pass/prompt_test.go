package pass

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/tokens"
)

func TestFirstTask(t *testing.T) {
	const command = "<command-message>progress</command-message>\n<command-name>/progress</command-name>"
	const plan = "Implement the following plan:\n\n# Export as CSV"
	for _, test := range []struct {
		why   string
		texts string // of messages, separated by "|"; those of the assistant begin with "A:", summaries with "S:"
		want  int
	}{
		{"a prompt", "Fix it.|A:done|More.", 0},
		{"a command that the agent answers", command + "|A:done|Fix it.", 0},
		{"an approved plan", plan + "|A:done|Fix it.", 0},
		{"a command that only the client answers", command + "|Fix it.|A:done", 1},
		{"a summary replaced the answer", command + "|S:the work so far|Fix it.", 0},
		{"the last of two commands", command + "|" + plan + "|A:done|Fix it.", 1},
		{"a command after the first answer", "A:hello|" + command + "|A:done|Fix it.", 3},
		{"other inserted text", "<system-reminder>x</system-reminder>|A:done|Fix it.", 2},
		{"no prompt", "A:hello", -1},
	} {
		c := &msg.Conversation{Format: msg.Anthropic}
		for text := range strings.SplitSeq(test.texts, "|") {
			role := msg.User
			if strings.HasPrefix(text, "A:") {
				role = msg.Assistant
			}
			message := msg.TextMessage(role, text)
			message.Blocks[0].Summary = strings.HasPrefix(text, "S:")
			c.Messages = append(c.Messages, message)
		}
		require.Equal(t, test.want, FirstTask(c), test.why)
	}
}

// A task keeps its beginning, its end, its binding sentences and the best lines between, and is shortened once.
func TestShortenTask(t *testing.T) {
	const begin, rule, end = "Port all modules.\n", "Never change the port.", "Report at the end."
	text := begin + strings.Repeat("one more line\n", 500) + rule + "\n" + strings.Repeat("one more line\n", 500) + end
	shorten := func(text string) []Decision {
		c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.User, text)}}
		meter := tokens.NewMeter(tokens.Chars4, c)
		in := &Input{Conversation: c, Pairing: msg.Pair(c), Meter: meter, Counts: meter.Conversation(c)}
		return ShortenTask(in, 0, 800, func(string) string { return "0123456789abcdef" },
			func(string) []string { return []string{rule} },
			func(text string, maxBytes int) string {
				require.Less(t, maxBytes, 800*8)  // the limit in tokens, each under 8 bytes
				require.Greater(t, maxBytes, 800) // a token has more than a byte
				return "the best line\n"
			})
	}
	edits := shorten(text)
	require.Len(t, edits, 1)
	e := edits[0].Edit
	require.Equal(t, ShortenPrompt, e.Kind)
	require.True(t, strings.HasPrefix(e.Text, begin))
	require.True(t, strings.HasSuffix(e.Text, end))
	require.Equal(t, 1, strings.Count(e.Text, rule))
	require.Contains(t, e.Text, "\nthe best line\n")
	require.Contains(t, e.Text, "original 0123456789abcdef]")
	require.Less(t, e.After, 800) // the limit of ShortenTask above
	require.Empty(t, shorten(e.Text+strings.Repeat("\nmore", 2000)), "it was shortened before")
	require.Empty(t, shorten(begin+end), "it is short")
	require.Len(t, shorten(strings.Repeat("é", 9000)), 1, "no line ends")
}
