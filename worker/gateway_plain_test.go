//go:build !js

package worker

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// testPlain has the cases of a provider without compaction: the gateway does what the vendors' hosts do.
func testPlain(t *testing.T, s *running, u *upstream) {
	const edits = `],"context_management":{"edits":[{"type":"clear_tool_uses_20250919","trigger":{"type":"input_tokens",` +
		`"value":20000},"keep":{"type":"tool_uses","value":2}}]},"stream"`
	const first, last = "event: message_start\ndata: {\"type\":\"message_start\",\"text\":\"message_delta, 猫\"}\n\n",
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":1}}\n\n"
	post := func(path, body, kind, response string) (note, text, forwarded string) {
		u.set(func(w http.ResponseWriter, r *http.Request, _ string) {
			w.Header().Set("Content-Type", kind)
			for i := range len(response) {
				_, _ = io.WriteString(w, response[i:i+1])
				_ = http.NewResponseController(w).Flush()
			}
		})
		answer := s.send(t, "POST", path, body)
		text = readAll(t, answer)
		_, forwarded, _ = u.seen()
		require.Equal(t, 200, answer.StatusCode)
		return answer.Header.Get("X-Tamp"), text, forwarded
	}
	call := strings.Replace(agentCall(20), `],"stream"`, edits, 1)
	note, text, forwarded := post("/plain/v1/messages", call, "application/json", `{"usage":{"output_tokens":1}}`)
	require.Contains(t, note, "before=")
	require.NotContains(t, forwarded, "context_management")
	require.Regexp(t, `^{"usage":{"output_tokens":1},"context_management":{"applied_edits":\[{"type":"clear_tool_uses_20250919",`+
		`"cleared_tool_uses":1\d,"cleared_input_tokens":\d{5}}\]}}$`, text)

	_, text, _ = post("/plain/v1/messages", call, "text/event-stream; charset=utf-8", first+last)
	require.True(t, strings.HasPrefix(text, first), text)
	require.Contains(t, text, `"usage":{"output_tokens":1},"context_management":{"applied_edits":[{`)

	_, text, _ = post("/plain/v1/messages/count_tokens", call, "application/json", `{"input_tokens":7}`)
	require.Regexp(t, `^{"input_tokens":7,"context_management":{"original_input_tokens":\d{5}}}$`, text)

	few := strings.Replace(agentCall(2), `],"stream"`, edits, 1)
	note, text, forwarded = post("/plain/v1/messages", few, "application/json", `{}`)
	require.Contains(t, note, "passed reason=below_limits")
	require.NotContains(t, forwarded, "context_management")
	require.Contains(t, text, `"applied_edits":[]`)

	unknown := strings.Replace(call, "clear_tool_uses_20250919", "clear_all_20990101", 1)
	_, text, forwarded = post("/plain/v1/messages", unknown, "application/json", `{}`)
	require.Contains(t, forwarded, "clear_all_20990101", "the provider answers")
	require.Equal(t, `{}`, text)

	block := strings.Replace(agentCall(20), `],"stream"`, `],"context_management":{"edits":[{"type":"compact_20260112",`+
		`"trigger":{"type":"input_tokens","value":20000}}]},"stream"`, 1)
	_, text, forwarded = post("/plain/v1/messages", block, "application/json", `{"content":[{"type":"text","text":"猫"}]}`)
	require.Regexp(t, `^{"content":\[{"type":"compaction","content":"Record of [^"]*","encrypted_content":"tamp1:[^"]*"},`+
		`{"type":"text","text":"猫"}\],"context_management":{"applied_edits":\[\]}}$`, text)
	messages, _, _ := strings.Cut(forwarded[strings.Index(forwarded, `"messages":`):], `],"stream"`)
	content := text[len(`{"content":`):strings.Index(text, `,"context_management"`)]
	again := strings.Replace(block, `],"context_management"`, `,{"role":"assistant","content":`+content+
		`},{"role":"user","content":"Go on."}],"context_management"`, 1)
	_, text, forwarded = post("/plain/v1/messages", again, "text/event-stream", first+
		"data: {\"type\":\"content_block_start\",\"index\":0}\n\n"+last)
	require.Contains(t, forwarded, messages+`,{"role":"assistant","content":[{"type":"text","text":"猫"}]},{"role":"user",`+
		`"content":"Go on."}]`, "the provider gets what the block holds")
	require.Contains(t, text, `"content_block_start","index":0}`)
	_, text, _ = post("/plain/v1/messages", block, "text/event-stream", first+
		"data: {\"type\":\"content_block_start\",\"index\":0}\n\n"+last)
	require.Regexp(t, `(?s)^`+regexp.QuoteMeta(first)+`event: content_block_start\ndata: .*"compaction_delta".*`+
		`"content_block_stop","index":0}\n\ndata: {"type":"content_block_start","index":1}\n\nevent: message_delta`, text)
	for kind, member := range map[string]string{"application/json": "false", "text/event-stream; charset=utf-8": "true"} {
		paused := strings.Replace(strings.Replace(block, `"value":20000}`, `"value":20000},"pause_after_compaction":true`, 1),
			`"stream":true`, `"stream":`+member, 1)
		answer := s.send(t, "POST", "/plain/v1/messages", paused)
		require.Equal(t, kind, answer.Header.Get("Content-Type"))
		require.Contains(t, readAll(t, answer), `"stop_reason":"compaction"`)
	}

	_, text, _ = post("/plain/v1/responses/compact", responsesCall(20), "", "")
	var compacted struct{ Output []json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(text), &compacted), text)
	require.Len(t, compacted.Output, 1)
	_, _, calls := u.seen()
	require.Zero(t, calls, "no model is needed")
	next := `{"model":"gpt-5","input":[` + string(compacted.Output[0]) + `,{"role":"user","content":"Go on."}],"stream":true}`
	_, _, forwarded = post("/plain/v1/responses", next, "application/json", `{}`)
	require.NotContains(t, forwarded, "encrypted_content")
	require.Contains(t, forwarded, "Read all the files.")
	require.Contains(t, forwarded, `{"role":"user","content":"Go on."}],"stream":true}`)
	bad := s.send(t, "POST", "/plain/v1/responses/compact", "{")
	require.Equal(t, 400, bad.StatusCode)
	require.Contains(t, readAll(t, bad), "the conversation cannot be compacted")
}
