package summarize_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/summarize"
)

// The parts of the JSON are those of the whole.
func TestJSONParts(t *testing.T) {
	parts := 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawConversation(t)
		for m := range c.Messages {
			if rapid.IntRange(0, 3).Draw(t, "changed") == 0 {
				c.Messages[m] = c.Messages[m].WithBlocks(append([]msg.Block{}, c.Messages[m].Blocks...))
			}
		}
		whole := summarize.JSON(c.Format, c.Messages)
		length := utf8.RuneCountInString(whole)
		require.Equal(t, length, summarize.JSONLength(c.Format, c.Messages))
		n := rapid.IntRange(0, length+10).Draw(t, "n")
		require.Equal(t, summarize.First(whole, n), summarize.JSONStart(c.Format, c.Messages, n))
		require.Equal(t, summarize.Last(whole, n), summarize.JSONEnd(c.Format, c.Messages, n))
		if n > 0 && n < length {
			parts++
		}
	})
	require.NotZero(t, parts)
}

// Only a line of a log is an envelope of its message.
func TestJSONOfMemberMessage(t *testing.T) {
	raw := rawjson.Value(`{"role":"user","content":"a","message":{"id":1}}`)
	messages := []msg.Message{{Role: msg.User, Raw: raw}}
	require.Equal(t, "["+string(raw)+"]", summarize.JSON(msg.Anthropic, messages))
	require.Equal(t, `[{"id":1}]`, summarize.JSON(msg.ClaudeCode, messages))
}
