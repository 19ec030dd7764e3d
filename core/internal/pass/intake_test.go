package pass_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/pass"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
	"tamp/core/tokens"
)

func intakeRef(text string) string { return sha256.Hex(sha256.Sum([]byte(text)), 16) }

// one is a conversation of one user's text and one tool output.
func one(said, output string) *msg.Conversation {
	call := msg.Block{Kind: msg.KindToolUse, Type: "tool_use", ID: "a", Name: "run", Text: "{}"}
	return &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{
		msg.TextMessage(msg.User, said),
		{Role: msg.Assistant, Blocks: []msg.Block{call}},
		{Role: msg.User, Blocks: []msg.Block{msg.ResultBlock(&call, output, false)}},
	}}
}

func applied(c *msg.Conversation, decisions []pass.Decision) *msg.Conversation {
	messages := append([]msg.Message{}, c.Messages...)
	for _, d := range decisions {
		messages[d.Ref.Message] = messages[d.Ref.Message].WithBlocks([]msg.Block{c.At(d.Ref).WithText(d.Edit.Text)})
	}
	return c.WithMessages(messages)
}

// What intake leaves behind it leaves alone, at the same limits and at any others, and every edit makes a text smaller.
func TestIntakeIsIdempotentAtEveryLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Repeat(rapid.SampledFrom([]string{"a line\n", "x", " ", "测试输出", "😀\n", "[… 5 bytes, ",
				"[Large input saved to "}).Draw(t, "piece"),
				rapid.SampledFrom([]int{1, 10, 30, 100, 1000}).Draw(t, "times")) +
				rapid.SampledFrom([]string{"", "end", "\n"}).Draw(t, "end")
		})
		c := one(text.Draw(t, "said"), text.Draw(t, "output"))
		limits := rapid.SampledFrom([]int{0, 1, 50, 75, 99, 100, 101, 110, 130, 200, 500, 2000})
		counter := rapid.SampledFrom([]tokens.Counter{tokens.Estimate, tokens.Chars4}).Draw(t, "counter")
		var edited [2]bool // the text, the output
		for range 3 {
			p := pass.Intake{MaxBytes: limits.Draw(t, "maxBytes"), MaxChars: limits.Draw(t, "maxChars")}
			decisions := p.Run(input(c, counter), intakeRef)
			for _, d := range decisions {
				require.False(t, edited[d.Ref.Message/2], "it was cut before: %q", c.At(d.Ref).Text)
				edited[d.Ref.Message/2] = true
				require.True(t, pass.Shrinks(c.At(d.Ref).Text, d.Edit.Text))
				require.Less(t, len(d.Edit.Text), len(c.At(d.Ref).Text))
				require.LessOrEqual(t, d.Edit.After, d.Edit.Tokens)
			}
			c = applied(c, decisions)
		}
	})
}

// An output that only mentions the note of a cut is cut like any other.
func TestIntakeCutsWhatOnlyMentionsANote(t *testing.T) {
	lines := strings.Repeat("some line of the output\n", 40)
	for _, note := range []string{
		"see [… 5 bytes, 1 lines omitted; original 0123456789abcdef]\n", "[… 5 bytes, 1 lines omitted; original file]\n",
		"[… some bytes, 1 lines omitted; original 0123456789abcdef]\n",
		"[… 5 bytes, 1 lines omitted; original 0123456789abcdef] and more\n",
	} {
		require.Len(t, pass.Intake{MaxBytes: 300}.Run(input(one("go", lines+note+lines), tokens.Estimate), intakeRef), 1,
			note)
	}
	cut := lines + "[… 5 bytes, 1 lines omitted; original 0123456789abcdef]\n" + lines
	require.Empty(t, pass.Intake{MaxBytes: 300}.Run(input(one("go", cut), tokens.Estimate), intakeRef))
}
