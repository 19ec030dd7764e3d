package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

// Newer versions of Gemini CLI write each result twice: with its call, and as a record of the user. It counts once, and
// a copy goes with its result, which Gemini CLI would send again.
func TestCopiesOfResults(t *testing.T) {
	response := func(id string) string {
		return `{"functionResponse":{"id":"` + id + `","name":"f","response":{"output":"out of ` + id + `"}}}`
	}
	call := func(id string) string {
		return `{"id":"` + id + `","name":"f","args":{},"result":[` + response(id) + `]}`
	}
	lines := []string{`{"sessionId":"s","projectHash":"p"}`, `{"id":"1","type":"user","content":"go"}`,
		`{"id":"2","type":"gemini","content":"","toolCalls":[` + call("a") + `,` + call("b") + `]}`,
		`{"id":"3","type":"user","content":[` + response("a") + `,` + response("b") + `]}`,
		`{"id":"4","type":"gemini","content":"","toolCalls":[` + call("c") + `]}`,
		`{"id":"5","type":"user","content":[` + response("c") + `]}`, `{"id":"6","type":"gemini","content":"done"}`}
	doc := strings.Join(lines, "\n") + "\n"
	c, err := format.Parse([]byte(doc), "")
	require.NoError(t, err)
	require.Len(t, c.Messages, 6)
	require.Equal(t, 3, answered(c))
	same, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, doc, string(same))

	messages := append([]msg.Message(nil), c.Messages...)
	results := append([]msg.Block(nil), messages[2].Blocks...)
	results[1] = results[1].WithText("cleared")
	messages[2] = messages[2].WithBlocks(results)
	out, err := format.Render(c.WithMessages(messages))
	require.NoError(t, err)
	require.NotContains(t, string(out), "out of b")
	require.Contains(t, string(out), lines[5], "the copy of another result stays")
	again, err := format.Parse(out, "")
	require.NoError(t, err)
	require.Len(t, again.Messages, 6)
	require.Equal(t, "cleared", again.Messages[2].Blocks[1].Text)

	out, err = format.Render(c.WithMessages(append(messages[:1:1], messages[3:]...)))
	require.NoError(t, err)
	require.NotContains(t, string(out), "out of a", "removed with its copy")
}
