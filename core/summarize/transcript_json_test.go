package summarize_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
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

// The data of a screenshot is not text; a long word of a text stays.
func TestJSONLeavesDataOut(t *testing.T) {
	data, word := strings.Repeat("iVBORw0K", 500), strings.Repeat("a", 5000)
	for _, row := range []struct{ format, in, want string }{
		{msg.Anthropic, `[{"role":"user","content":[{"type":"text","text":"` + word + `"}]}]`, word},
		{msg.Anthropic, `[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png",` +
			`"data":"` + data + `"}},{"type":"text","text":"the labels overlap"}]}]`, `"data":"(data)"}},`},
		{msg.Anthropic, `[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"look","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":` +
			`{"type":"base64","media_type":"image/png","data":"` + data + `"}}]}]}]`, `"data":"(data)"}}]}]}`},
		{msg.OpenAIChat, `[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` + data +
			`"}}]}]`, `"data:image/png;base64,(data)"`},
	} {
		c, err := format.Parse([]byte(row.in), row.format)
		require.NoError(t, err)
		out := summarize.JSON(c.Format, c.Messages)
		require.Contains(t, out, row.want)
		require.NotContains(t, out, data)
		require.True(t, json.Valid([]byte(out)))
		require.Equal(t, utf8.RuneCountInString(out), summarize.JSONLength(c.Format, c.Messages))
	}
}
