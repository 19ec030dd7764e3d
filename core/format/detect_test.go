package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

func TestDepth(t *testing.T) {
	for _, data := range []string{strings.Repeat("[", 5000), `[{"role":"user","content":` + strings.Repeat(`{"a":`, 1000) +
		`1` + strings.Repeat("}", 1000) + `}]`} {
		_, err := format.Parse([]byte(data), "")
		require.ErrorContains(t, err, "deeper than 1000")
		require.Equal(t, msg.TooLarge, err.(*msg.Error).Code)
	}
}

func TestUnknownNames(t *testing.T) {
	_, err := format.Parse([]byte("[]"), "bedrock")
	require.ErrorContains(t, err,
		`cannot use the format "bedrock": it is unknown; accepted are `+strings.Join(format.Names(), ", "))
	_, err = format.Render(&msg.Conversation{})
	require.Equal(t, msg.UnknownFormat, err.(*msg.Error).Code)
	_, _, err = format.Convert(&msg.Conversation{Format: msg.Anthropic}, msg.Codex)
	require.Equal(t, msg.UnknownFormat, err.(*msg.Error).Code)
}

// A conversation that was made and not read is written in the format's plainest shape.
func TestRenderMade(t *testing.T) {
	for _, row := range []struct{ format, want string }{
		{msg.Anthropic, `[{"role":"user","content":"hi"}]`},
		{msg.OpenAIChat, `[{"role":"user","content":"hi"}]`},
	} {
		c := &msg.Conversation{Format: row.format, Messages: []msg.Message{msg.TextMessage(msg.User, "hi")}}
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, row.want, string(out))
	}
	c := &msg.Conversation{Format: msg.ClaudeCode,
		Messages: []msg.Message{msg.TextMessage(msg.User, "hi"), msg.TextMessage(msg.Assistant, "ho")}}
	out, err := format.Render(c)
	require.NoError(t, err)
	back, err := format.Parse(out, "")
	require.NoError(t, err)
	require.Equal(t, told(c.Messages), told(back.Messages))
}
