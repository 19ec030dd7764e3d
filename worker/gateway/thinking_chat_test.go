//go:build !js

package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// signedPrefix is the signature of a thinking that is bound to messages, which count without their own thinking.
func signedPrefix(t *testing.T, messages []map[string]any) string {
	bare := make([]map[string]any, len(messages))
	for i, m := range messages {
		bare[i] = map[string]any{}
		for name, value := range m {
			if name != "reasoning" && name != "reasoning_content" && name != "reasoning_details" && name != "thinking_blocks" {
				bare[i][name] = value
			}
		}
	}
	data, err := json.Marshal(bare)
	require.NoError(t, err)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// boundChat is a provider of Chat Completions that passes thinking on with its signature, in the member of that name,
// and refuses one that is bound to another prefix.
func boundChat(t *testing.T, member string, refused *int) *provider {
	calls := 0
	return newProvider(t, func(w http.ResponseWriter, _ *http.Request, body []byte) {
		var request struct{ Messages []map[string]any }
		require.NoError(t, json.Unmarshal(body, &request))
		w.Header().Set("Content-Type", "application/json")
		for i, m := range request.Messages {
			list, _ := m[member].([]any)
			for _, element := range list {
				if element.(map[string]any)["signature"] != signedPrefix(t, request.Messages[:i]) {
					*refused++
					w.WriteHeader(http.StatusBadRequest)
					raw := fmt.Sprintf(`{"type":"error","error":{"type":"invalid_request_error","message":"messages.%d.content.0: `+
						"Invalid `signature` in `thinking` block. The block is bound to a different conversation."+`"}}`, i/2)
					_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": 400,
						"message": "Provider returned error", "metadata": map[string]any{"raw": raw}}})
					return
				}
			}
		}
		calls++
		signature := signedPrefix(t, request.Messages)
		message := map[string]any{"role": "assistant", "content": "", "reasoning": "go on", "reasoning_details": []any{
			map[string]any{"type": "reasoning.text", "text": "go on", "signature": signature}}}
		if member == "thinking_blocks" {
			message = map[string]any{"role": "assistant", "content": "", "reasoning_content": "go on", "thinking_blocks": []any{
				map[string]any{"type": "thinking", "thinking": "go on", "signature": signature}}}
		}
		message["tool_calls"] = []any{map[string]any{"id": fmt.Sprintf("call_%d", calls), "type": "function",
			"function": map[string]any{"name": "read", "arguments": "{}"}}}
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": message}}})
	})
}

// A model that binds its thinking behind Chat Completions: what a compaction removes is the whole thinking, the
// readable text and its signature. A history with the thinking of another one is refused once, and then goes without
// it.
func TestBoundThinkingOfChat(t *testing.T) {
	for _, member := range []string{"reasoning_details", "thinking_blocks"} {
		t.Run(member, func(t *testing.T) {
			refused, compacted := 0, 0
			s := start(t, boundChat(t, member, &refused).URL, "GATEWAY_POLICY", `{"trigger":{"window":20000}}`)
			messages := []any{map[string]any{"role": "system", "content": "You are an agent."},
				map[string]any{"role": "user", "content": "Read all parts."}}
			call := func(round int) {
				body, err := json.Marshal(map[string]any{"model": "anthropic/claude-opus-5.5", "messages": messages,
					"tools": []any{map[string]any{"type": "function", "function": map[string]any{"name": "read"}}}})
				require.NoError(t, err)
				response, text := s.post(t, "/up/v1/chat/completions", string(body))
				require.Equal(t, http.StatusOK, response.StatusCode, "round %d: %s", round, text)
				if strings.HasPrefix(response.Header.Get("X-Tamp"), "before=") {
					compacted++
				}
				require.Empty(t, response.Header.Get("Anthropic-Beta"))
				var answer struct {
					Choices []struct{ Message map[string]any }
				}
				require.NoError(t, json.NewDecoder(strings.NewReader(text)).Decode(&answer))
				message := answer.Choices[0].Message
				id := message["tool_calls"].([]any)[0].(map[string]any)["id"]
				messages = append(messages, message, map[string]any{"role": "tool", "tool_call_id": id,
					"content": strings.Repeat(fmt.Sprintf("part %d has a line. ", round), 150)})
			}
			for round := range 40 {
				call(round)
			}
			require.Zero(t, refused)
			require.Positive(t, compacted, "else the test shows nothing")
			messages[1] = map[string]any{"role": "user", "content": "Another history."}
			call(40)
			require.Equal(t, 1, refused)
		})
	}
}
