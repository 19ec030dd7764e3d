package forward

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// A breakpoint of OpenAI on what a compaction removed or changed is at the nearest earlier part that can hold one;
// those that are left stay.
func TestExplicitBreakpointsMove(t *testing.T) {
	const mark = `,"prompt_cache_breakpoint":{"mode":"explicit","ttl":"12h"}`
	user := func(text, mark string) string {
		return `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"` + mark + `}]}`
	}
	call := `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`
	result := `{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"r"` + mark + `}]}`
	for _, row := range []struct{ name, format, before, after, want string }{
		{"kept", msg.OpenAIResponses, user("a", mark) + "," + user("b", mark), user("s", "") + "," + user("b", mark),
			user("s", mark) + "," + user("b", mark)},
		{"cleared", msg.OpenAIResponses, user("a", "") + "," + call + "," + result + "," + user("b", ""),
			user("a", "") + "," + call + `,{"type":"function_call_output","call_id":"c","output":"gone"},` + user("b", ""),
			user("a", "") + "," + call + "," + strings.Replace(result, `"r"`, `"gone"`, 1) + "," + user("b", "")},
		{"before a call", msg.OpenAIResponses, user("a", "") + "," + user("x", mark) + "," + call,
			user("a", "") + "," + call, user("a", mark) + "," + call},
		{"nothing before", msg.OpenAIResponses, user("x", mark) + "," + call, call, call},
		{"chat", msg.OpenAIChat, `{"role":"user","content":[{"type":"text","text":"a"` + mark + `}]},{"role":"user","content":"b"}`,
			`{"role":"user","content":"s"},{"role":"user","content":"b"}`,
			`{"role":"user","content":[{"type":"text","text":"s"` + mark + `}]},{"role":"user","content":"b"}`},
	} {
		list := map[string]string{msg.OpenAIResponses: "input", msg.OpenAIChat: "messages"}[row.format]
		body := func(items string) []byte { return []byte(`{"` + list + `":[` + items + `],"model":"gpt-6.1"}`) }
		require.Equal(t, string(body(row.want)), string(moveExplicit(body(row.before), body(row.after), row.format)),
			row.name)
		require.Equal(t, string(body(row.after)), string(moveExplicit(body(row.after), body(row.after), row.format)))
	}
}
