//go:build !js

package gateway

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// plainly is a gateway in front of a provider without compaction.
func plainly(t *testing.T, serve func(http.ResponseWriter, *http.Request, []byte)) (*started, *provider) {
	p := newProvider(t, serve)
	return start(t, p.URL, "UPSTREAMS", "up=plain:"+p.URL), p
}

// managedCall is a call of an agent that asks for edits.
func managedCall(rounds int, edits string) string {
	return strings.Replace(history(rounds, 1500, ""), `"stream":true`, `"context_management":{"edits":[`+edits+`]},"stream":true`,
		1)
}

const toolEdit = `{"type":"clear_tool_uses_20250919","trigger":{"type":"input_tokens","value":20000},"keep":` +
	`{"type":"tool_uses","value":2}}`

type managedAnswer struct {
	Context struct {
		Original int `json:"original_input_tokens"`
		Edits    []struct {
			Type   string `json:"type"`
			Uses   int    `json:"cleared_tool_uses"`
			Turns  int    `json:"cleared_thinking_turns"`
			Tokens int    `json:"cleared_input_tokens"`
		} `json:"applied_edits"`
	} `json:"context_management"`
}

// The gateway makes the edits, removes the member that the provider does not know, and reports what it did.
func TestPlainUpstreamsHaveContextManagement(t *testing.T) {
	s, p := plainly(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
		if r.Header.Get("Accept-Encoding") != "" {
			w.WriteHeader(500)
		}
		ok(w, r, body)
	})
	answer := func(path, body string) (m managedAnswer) {
		response, text := s.post(t, path, body, "Accept-Encoding", "identity")
		require.Equal(t, 200, response.StatusCode)
		require.NoError(t, json.Unmarshal([]byte(text), &m), text)
		_, forwarded := p.last()
		require.NotContains(t, string(forwarded), "context_management")
		require.Contains(t, string(forwarded), `"stream":true,"x_unknown":[1.50]}`)
		return m
	}
	m := answer("/up/v1/messages", managedCall(20, toolEdit))
	require.Len(t, m.Context.Edits, 1)
	require.Equal(t, "clear_tool_uses_20250919", m.Context.Edits[0].Type)
	_, forwarded := p.last()
	require.Equal(t, 20-strings.Count(string(forwarded), `of the file\n"`), m.Context.Edits[0].Uses)
	require.Greater(t, m.Context.Edits[0].Tokens, 1000)
	require.Positive(t, answer("/up/v1/messages/count_tokens", managedCall(20, toolEdit)).Context.Original)

	m = answer("/up/v1/messages", managedCall(3, toolEdit))
	require.NotNil(t, m.Context.Edits, "the list is empty")
	require.Empty(t, m.Context.Edits)

	// Thinking of all turns but the newest one.
	thoughts := strings.ReplaceAll(managedCall(3, `{"type":"clear_thinking_20251015","keep":{"type":"thinking_turns",`+
		`"value":1}}`), `"role":"assistant","content":[`, `"role":"assistant","content":[{"type":"thinking","thinking":"I look at `+
		`the next file.","signature":"c2ln"},`)
	thoughts = strings.Replace(thoughts, `],"context_management"`, `,{"role":"assistant","content":"Done."},`+
		`{"role":"user","content":"And now?"},{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.",`+
		`"signature":"c2ln"},{"type":"text","text":"Well."}]},{"role":"user","content":"Go on."}],"context_management"`, 1)
	m = answer("/up/v1/messages", thoughts)
	require.Len(t, m.Context.Edits, 1)
	require.Equal(t, 3, m.Context.Edits[0].Turns)

	// An edit that changed nothing is not in the list.
	m = answer("/up/v1/messages", strings.Replace(thoughts, `"edits":[`, `"edits":[`+toolEdit+",", 1))
	require.Len(t, m.Context.Edits, 1)
	require.Equal(t, "clear_thinking_20251015", m.Context.Edits[0].Type)
	m = answer("/up/v1/messages", managedCall(20, toolEdit+`,{"type":"clear_thinking_20251015"}`))
	require.Len(t, m.Context.Edits, 1)
	require.Equal(t, "clear_tool_uses_20250919", m.Context.Edits[0].Type)

	for _, unknown := range []string{`{"type":"clear_all_20990101"}`, `7`, `{"type":"compact_20260112","trigger":{"value":-1}}`} {
		body := managedCall(2, unknown)
		_, text := s.post(t, "/up/v1/messages", body)
		_, forwarded := p.last()
		require.Equal(t, body, string(forwarded), "the provider answers")
		require.NotContains(t, text, "applied_edits")
	}
}

func TestPlainUpstreamsReportEditsInStreams(t *testing.T) {
	const first, last = "event: message_start\ndata: {\"type\":\"message_start\",\"text\":\"message_delta\"}\n\n",
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":1}}\n\n"
	s, _ := plainly(t, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		text := first + last + "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
		for i := range len(text) {
			_, _ = io.WriteString(w, text[i:i+1])
			_ = http.NewResponseController(w).Flush()
		}
	})
	_, text := s.post(t, "/up/v1/messages", managedCall(20, toolEdit))
	require.True(t, strings.HasPrefix(text, first), text)
	require.Contains(t, text, `"usage":{"output_tokens":1},"context_management":{"applied_edits":[{"type":`+
		`"clear_tool_uses_20250919","cleared_tool_uses":`)
	require.True(t, strings.HasSuffix(text, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"))
	_, text = s.post(t, "/up/v1/messages", history(2, 100, ""))
	require.Equal(t, first+last+"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", text)
}

// The item of POST …/responses/compact comes back in the next call, and the provider gets what it holds.
func TestPlainUpstreamsHaveResponsesCompact(t *testing.T) {
	s, p := plainly(t, ok)
	response, text := s.post(t, "/up/v1/responses/compact", history(20, 1500, "/responses"))
	require.Equal(t, 200, response.StatusCode)
	var compacted struct {
		Object string
		Output []json.RawMessage
		Usage  struct {
			In  int `json:"input_tokens"`
			Out int `json:"output_tokens"`
			All int `json:"total_tokens"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &compacted))
	require.Equal(t, "response.compaction", compacted.Object)
	require.Len(t, compacted.Output, 1)
	require.Less(t, compacted.Usage.Out, compacted.Usage.In/2)
	require.Equal(t, compacted.Usage.In+compacted.Usage.Out, compacted.Usage.All)
	require.Empty(t, p.bodies, "no model is needed")

	next := `{"model":"gpt-5.5","input":[` + string(compacted.Output[0]) + `,{"role":"user","content":"Go on."}],"stream":true}`
	s.post(t, "/up/v1/responses", next)
	_, forwarded := p.last()
	require.NotContains(t, string(forwarded), "compaction")
	require.Contains(t, string(forwarded), "Read all the files.")
	require.Contains(t, string(forwarded), `{"role":"user","content":"Go on."}],"stream":true}`)

	response, text = s.post(t, "/up/v1/responses/compact", `{"model":"m","input":"Hello"}`)
	require.Equal(t, 200, response.StatusCode, text)
	for _, bad := range []string{"{", `{"model":"m","previous_response_id":"r","input":[{"role":"user","content":"x"}]}`} {
		response, _ = s.post(t, "/up/v1/responses/compact", bad)
		require.Equal(t, 400, response.StatusCode)
	}
	others := strings.Replace(next, itemPrefix, "other:", 1)
	s.post(t, "/up/v1/responses", others)
	_, forwarded = p.last()
	require.Equal(t, others, string(forwarded), "an item of another provider")

	direct := start(t, p.URL)
	direct.post(t, "/up/v1/responses/compact", "{}")
	seen, _ := p.last()
	require.Equal(t, "/v1/responses/compact", seen.RequestURI, "other upstreams have their own")
}

// The chat templates of Mistral's models take no two messages of the user in a row, and servers that run models by
// their templates are plain upstreams. The texts of tools that the gateway writes are strings, since Ollama takes no
// parts.
func TestRolesAlternate(t *testing.T) {
	up := newProvider(t, ok)
	s := start(t, up.URL, "GATEWAY_POLICY", `{"trigger":{"window":16000}}`, "UPSTREAMS", "up="+up.URL+",plain=plain:"+up.URL)
	for _, row := range []struct{ path, model string }{{"/plain", "a-model-of-mine"}, {"/up", "devstral-2512"}} {
		list := []any{map[string]any{"role": "system", "content": "Rules."}, map[string]any{"role": "user",
			"content": "Fix it."}}
		for i := range 60 {
			id := fmt.Sprintf("call%05d", i)
			if i%20 == 19 {
				list = append(list, map[string]any{"role": "assistant", "content": fmt.Sprintf("Part %d is done.", i)},
					map[string]any{"role": "user", "content": fmt.Sprintf("Go on with part %d.", i)})
			}
			list = append(list, map[string]any{"role": "assistant", "content": "", "tool_calls": []any{map[string]any{"id": id,
				"type": "function", "function": map[string]any{"name": "read", "arguments": fmt.Sprintf(`{"path":"f%d.go"}`, i)}}}},
				map[string]any{"role": "tool", "tool_call_id": id, "content": []any{map[string]any{"type": "text",
					"text": strings.Repeat(fmt.Sprintf("line of file %d\n", i), 150)}}})
		}
		body, err := json.Marshal(map[string]any{"model": row.model, "messages": list})
		require.NoError(t, err)
		response, _ := s.post(t, row.path+"/v1/chat/completions", string(body))
		require.Contains(t, response.Header.Get("X-Tamp"), "before=")
		require.NotContains(t, response.Header.Get("X-Tamp"), "summaries=0", "else no message is written")
		_, sent := up.last()
		var got struct{ Messages []map[string]any }
		require.NoError(t, json.Unmarshal(sent, &got))
		next := "user"
		for i, m := range got.Messages {
			switch {
			case m["role"] == "tool":
				if text, ok := m["content"].(string); !ok {
					require.Contains(t, fmt.Sprint(m["content"]), "line of file", "message %d: %s", i, text)
				}
			case m["role"] != "system" && m["tool_calls"] == nil:
				require.Equal(t, next, m["role"], "message %d of %s", i, row.model)
				next = map[string]string{"user": "assistant", "assistant": "user"}[next]
			}
		}
	}
}
