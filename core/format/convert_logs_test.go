package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

// The signed parts of a log go to the API that they came from, as the agents send them (`make test-agents` compares
// with their requests).
func TestConvertLogsOfAgents(t *testing.T) {
	answer := func(api, model, content string) string {
		return `{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[` + content +
			`],"api":"` + api + `","provider":"x","model":"` + model + `","stopReason":"toolUse"}}`
	}
	pi := func(lines ...string) string {
		first := `{"type":"session","version":3,"id":"s","timestamp":"2026-11-22T17:52:53.580Z","cwd":"/"}` + "\n" +
			`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"Go."}]}}` + "\n"
		return first + strings.Join(lines, "\n") + "\n"
	}
	result := func(id string) string {
		return `{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"` + id +
			`","toolName":"bash","content":[{"type":"text","text":"ok"}],"isError":false}}`
	}
	again := func(model string) string {
		return strings.Replace(strings.Replace(answer("anthropic-messages", model, `{"type":"text","text":"Done."}`),
			`"id":"b"`, `"id":"d"`, 1), `"parentId":"a"`, `"parentId":"c"`, 1)
	}
	const thinking = `{"type":"thinking","thinking":"Hm.","thinkingSignature":"sig"},{"type":"thinking",` +
		`"thinking":"[Reasoning redacted]","thinkingSignature":"data","redacted":true},` +
		`{"type":"toolCall","id":"t1","name":"bash","arguments":{ "command": "ls" }}`
	const sealed = `{"type":"thinking","thinking":"","thinkingSignature":"{\"id\":\"rs_1\",\"type\":\"reasoning\"}"},` +
		`{"type":"text","text":"Look.","textSignature":"{\"v\":1,\"id\":\"msg_1\",\"phase\":\"commentary\"}"},` +
		`{"type":"toolCall","id":"call_1|fc_1","name":"bash","arguments":{"command":"ls"}}`
	for _, row := range []struct{ name, log, to, want string }{
		{"pi, Messages", pi(answer("anthropic-messages", "m", thinking), result("t1")), msg.Anthropic,
			`{"type":"thinking","thinking":"Hm.","signature":"sig"},{"type":"redacted_thinking","data":"data"},` +
				`{"type":"tool_use","id":"t1","name":"bash","input":{"command":"ls"}}`},
		{"pi, another model", pi(answer("anthropic-messages", "m", thinking), result("t1"), again("other")), msg.Anthropic,
			`{"role":"assistant","content":[{"type":"tool_use","id":"t1"`},
		{"pi, Responses", pi(answer("openai-responses", "m", sealed), result("call_1|fc_1")), msg.OpenAIResponses,
			`{"id":"rs_1","type":"reasoning"},{"type":"message","role":"assistant","status":"completed","content":[` +
				`{"type":"output_text","text":"Look.","annotations":[]}],"id":"msg_1","phase":"commentary"},{"type":"function_call",` +
				`"id":"fc_1","call_id":"call_1","name":"bash","arguments":"{\"command\":\"ls\"}"},` +
				`{"type":"function_call_output","call_id":"call_1","output":"ok"}`},
		{"Codex", `{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":[` +
			`{"type":"input_text","text":"Go."}],"internal_chat_message_metadata_passthrough":{"turn_id":"1"}}}` + "\n" +
			`{"timestamp":"t","type":"response_item","payload":{"type":"reasoning","id":"rs_1","summary":[],` +
			`"encrypted_content":"x","internal_chat_message_metadata_passthrough":{"turn_id":"1"}}}` + "\n" +
			`{"timestamp":"t","type":"response_item","payload":{"type":"message","id":"msg_1","role":"assistant","content":[` +
			`{"type":"output_text","text":"Hi."}],"internal_chat_message_metadata_passthrough":{"turn_id":"1"}}}`,
			msg.OpenAIResponses, `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"},{"type":"message",` +
				`"id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"Hi."}]}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, err := format.Parse([]byte(row.log), "")
			require.NoError(t, err)
			next, losses, err := format.Convert(c, row.to)
			require.NoError(t, err)
			body, err := format.Render(next)
			require.NoError(t, err)
			require.Contains(t, string(body), row.want)
			require.NotContains(t, string(body), "passthrough")
			if row.name != "pi, another model" {
				require.Empty(t, losses)
			}
			same, err := format.Render(c)
			require.NoError(t, err)
			require.Equal(t, row.log, string(same))
		})
	}
}
