package claudecode_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

// The system prompt and the tools are those of the newest logged request of the conversation.
func TestLoggedRequests(t *testing.T) {
	shape := func(hash, system, tools string) string {
		return `{"type":"api-request-shape","sessionId":"s","shapeHash":"` + hash + `","shape":{"system":` + system + `,"tools":` + tools + `}}` + "\n"
	}
	request := func(hash, source string) string {
		return `{"type":"api-request","sessionId":"s","querySource":"` + source + `","shapeHash":"` + hash + `","keep":0,"tail":["b"]}` + "\n"
	}
	const tools = `[{"name":"Bash","description":"d","input_schema":{}},{"name":"mcp__x__y","description":"d","input_schema":{}}]`
	log := `{"type":"user","uuid":"1","parentUuid":null,"message":{"role":"user","content":"x"}}` + "\n" +
		shape("a", `[{"type":"text","text":"one"},{"type":"text","text":"two","cache_control":{"type":"ephemeral"}}]`, tools) + request("a", "sdk") +
		`{"type":"assistant","uuid":"2","parentUuid":"1","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"y"}]}}` + "\n" +
		shape("b", `"a title"`, `[]`) + request("b", "title") + shape("c", `"of an agent"`, `[{"name":"Read","input_schema":{}}]`) + request("c", "agent:x")
	c, err := format.Parse([]byte(log), "")
	require.NoError(t, err)
	require.Equal(t, []string{"one", "two"}, []string{c.System[0].Text, c.System[1].Text})
	require.Equal(t, []string{"Bash", "mcp__x__y"}, []string{c.Tools[0].Name, c.Tools[1].Name})
	require.Equal(t, "/1/shape/tools/1", c.Tools[1].Path)
	out, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, log, string(out))
	out, err = format.Render(c.WithMessages(append(c.Messages[:2:2], msg.TextMessage(msg.User, "new"))))
	require.NoError(t, err)
	require.Contains(t, string(out), strings.SplitN(log, "\n", 2)[0])
	made, _, err := format.Convert(c, msg.Anthropic)
	require.NoError(t, err)
	require.Len(t, made.Tools, 2)
	c.System = append(c.System, msg.TextBlock("more"))
	_, err = format.Render(c)
	require.ErrorContains(t, err, "no place for a system prompt")
	for _, bad := range []string{shape("a", `3`, `{}`), shape("a", `[3]`, `[3]`)} {
		_, err := format.Parse([]byte(log+bad+request("a", "sdk")), "")
		if err != nil {
			require.ErrorAs(t, err, new(*msg.Error))
		}
	}
}
