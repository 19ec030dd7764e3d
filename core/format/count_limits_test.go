package format_test

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// A conversation of more messages, blocks or lines than the limits allow is refused with the place of the first one
// over, before memory is taken for it. At the limit it is read.
func TestCountLimits(t *testing.T) {
	list := func(n int, element string) string { return strings.TrimSuffix(strings.Repeat(element+",", n), ",") }
	user := func(content string) string { return `{"role":"user","content":` + content + `}` }
	tool := func(content string) string { return `{"role":"tool","tool_call_id":"1","content":` + content + `}` }
	line := func(uuid, content string) string {
		return `{"type":"user","uuid":"` + uuid + `","message":{"role":"user","content":` + content + `}}` + "\n"
	}
	const text = `{"type":"text","text":"a"}`
	tests := []struct {
		why, format, path, what string
		limit                   int
		doc                     func(n int) string
	}{
		{"messages of an array", msg.Anthropic, "/" + strconv.Itoa(msg.MaxMessages), "messages", msg.MaxMessages,
			func(n int) string { return "[" + list(n, user(`""`)) + "]" }},
		{"messages of a body", msg.OpenAIChat, "/messages/" + strconv.Itoa(msg.MaxMessages), "messages", msg.MaxMessages,
			func(n int) string { return `{"messages":[` + list(n, user(`[]`)) + "]}" }},
		{"messages of a log", msg.ClaudeCode, "/" + strconv.Itoa(msg.MaxMessages), "messages", msg.MaxMessages,
			func(n int) string {
				var b strings.Builder
				for i := range n {
					b.WriteString(line(strconv.Itoa(i), `"a"`))
				}
				return b.String()
			}},
		{"blocks of two messages", msg.Anthropic, "/1/content/" + strconv.Itoa(msg.MaxBlocks-1), "blocks", msg.MaxBlocks,
			func(n int) string { return "[" + user("["+text+"]") + "," + user("["+list(n-1, text)+"]") + "]" }},
		{"parts of a result", msg.Anthropic, "/0/content/0/content/" + strconv.Itoa(msg.MaxBlocks-1), "blocks", msg.MaxBlocks,
			func(n int) string {
				return "[" + user(`[{"type":"tool_result","tool_use_id":"1","content":[`+list(n-1, text)+"]}]") + "]"
			}},
		{"parts of a tool message", msg.OpenAIChat, "/0/content/" + strconv.Itoa(msg.MaxBlocks), "blocks", msg.MaxBlocks,
			func(n int) string { return "[" + tool("["+list(n, text)+"]") + "]" }},
		{"calls of a message", msg.OpenAIChat, "/0/tool_calls/" + strconv.Itoa(msg.MaxBlocks), "blocks", msg.MaxBlocks,
			func(n int) string { return `[{"role":"assistant","tool_calls":[` + list(n, `{"id":"1"}`) + "]}]" }},
		{"blocks of a line", msg.ClaudeCode, "/0/message/content/" + strconv.Itoa(msg.MaxBlocks), "blocks", msg.MaxBlocks,
			func(n int) string { return line("a", "["+list(n, text)+"]") }},
		{"lines", msg.ClaudeCode, "/" + strconv.Itoa(msg.MaxLines), "lines", msg.MaxLines,
			func(n int) string { return line("a", `"a"`) + strings.Repeat("\n", n-1) }},
		{"tools", msg.Anthropic, "/tools/" + strconv.Itoa(msg.MaxBlocks), "tools", msg.MaxBlocks,
			func(n int) string { return `{"messages":[],"tools":[` + list(n, "{}") + "]}" }},
	}
	seen := map[string]bool{}
	for _, test := range convtest.InTurn(tests) {
		if convtest.Fewer() && seen[test.what] {
			continue // as wasm one of each, since all take long: a count has no other limit
		}
		seen[test.what] = true
		t.Run(test.why, func(t *testing.T) {
			if test.what != "blocks" && !convtest.Fewer() || test.format == msg.Anthropic && test.what == "blocks" {
				_, err := format.Parse([]byte(test.doc(test.limit)), test.format)
				require.NoError(t, err, "at the limit")
			}
			over := test.limit + 1
			if test.what == "lines" {
				over++ // a line break at the end begins no line
			}
			_, err := format.Parse([]byte(test.doc(over)), test.format)
			var known *msg.Error
			require.True(t, errors.As(err, &known), "one more")
			require.Equal(t, msg.TooLarge, known.Code)
			require.Equal(t, test.path, known.Path)
			require.Contains(t, known.Msg, "more than "+strconv.Itoa(test.limit)+" "+test.what)
		})
	}
}

// A result inside the parts of a result has no parts: their paths would take many times the memory of the input.
func TestResultsInsideResultsAreNotTakenApart(t *testing.T) {
	inner := `{"type":"tool_result","tool_use_id":"2","content":[{"type":"text","text":"deep"}]}`
	doc := `[{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[` + inner + `]}]}]`
	c, err := format.Parse([]byte(doc), msg.Anthropic)
	require.NoError(t, err)
	parts := c.Messages[0].Blocks[0].Parts
	require.Len(t, parts, 1)
	require.Empty(t, parts[0].Parts)
	require.Equal(t, "deep", parts[0].Text)
	out, err := format.Render(c)
	require.NoError(t, err)
	require.True(t, bytes.Equal([]byte(doc), out))
}
