package fake_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A message thread is answered as the whole conversation is, with the system prompt and the tools that it began with.
func TestThreads(t *testing.T) {
	f, url := serve(t, "tool:tool=a,ok")
	const tools = `"system":"Be kind.","tools":[{"name":"a","input_schema":{"type":"object"}}],`
	send := func(more, messages string, header ...string) (int, string, string) {
		status, answer, err := post(t, url+"/v1/messages", `{"model":"m","max_tokens":9,`+more+`"messages":[`+messages+`]}`,
			append(header, "X-Api-Key", "k", "Anthropic-Version", "2023-06-01")...)
		require.NoError(t, err)
		var message struct {
			ID      string
			Content []struct{ ID string }
		}
		require.NoError(t, json.Unmarshal([]byte(answer), &message))
		if n := len(message.Content); n > 0 && message.Content[n-1].ID != "" {
			return status, message.ID, message.Content[n-1].ID
		}
		return status, answer, ""
	}
	const create, hello = `"thread":{"type":"create"},`, `{"role":"user","content":"hello"}`
	beta := []string{"Anthropic-Beta", "message-threads-2026-08-12"}
	status, id, call := send(create+tools, hello, beta...)
	require.Equal(t, 200, status, id)
	next := fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"done"}]}`, call)
	more := fmt.Sprintf(`"thread":{"type":"continue","previous_message_id":%q},`, id)
	for _, row := range []struct {
		more, messages, want string
		status               int
		header               []string
	}{
		{create, hello, "thread: Extra inputs", 400, nil},
		{`"thread":{"type":"fork"},`, hello, "thread.type", 400, beta},
		{`"thread":7,`, hello, "thread: Input", 400, beta},
		{`"thread":{"type":"continue","previous_message_id":"msg_other"},`, next, `"error_code":"thread_not_found"`, 400, beta},
		{more + tools, next, "are those of the thread", 400, beta},
		{more, hello, "tool_use", 400, beta},
		{more, next, "The summary of", 200, beta},
	} {
		status, answer, _ := send(row.more, row.messages, row.header...)
		require.Equal(t, row.status, status, answer)
		require.Contains(t, answer, row.want)
	}
	calls := f.Calls()
	require.Greater(t, calls[len(calls)-1].In, calls[0].In, "the prompt is the whole conversation")
}
