package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type object = map[string]any

// messagesAPI is Anthropic's POST /v1/messages, version 2023-06-01.
var messagesAPI = protocol{
	key: func(h http.Header) string {
		if key := h.Get("X-Api-Key"); key != "" {
			return key
		}
		return bearer(h)
	},
	verify: func(r *http.Request, key string, in *input, keyless bool) (int, []string) {
		status, problems := verifyBoth(r, key, in, keyless)
		if len(problems) > 0 {
			return status, problems
		}
		if r.Header.Get("Anthropic-Version") != "2023-06-01" {
			problems = append(problems, "anthropic-version: header is required")
		}
		if in.MaxTokens == nil || *in.MaxTokens < 1 {
			problems = append(problems, "max_tokens: Field required")
		}
		problems = append(problems, in.unknown("model max_tokens system messages stream metadata stop_sequences temperature top_k top_p tools "+
			"tool_choice thinking service_tier container context_management mcp_servers output_config cache_control")...)
		if len(in.System) > 0 {
			var text string
			var blocks []inputBlock
			if json.Unmarshal(in.System, &text) != nil && json.Unmarshal(in.System, &blocks) != nil {
				problems = append(problems, "system: Input should be a valid string or list")
			}
		}
		for i, m := range in.Messages {
			if m.Role != "user" && m.Role != "assistant" && (m.Role != "system" || i == 0) {
				problems = append(problems, fmt.Sprintf("messages.%d.role: Input should be 'user' or 'assistant'", i))
			}
		}
		if in.Messages[0].Role == "assistant" {
			problems = append(problems, "messages: first message must use the \"user\" role")
		}
		return status, append(problems, in.unpairedBlocks()...)
	},
	err: func(status int, message string) any {
		return object{"type": "error", "error": object{"type": errorType(status), "message": message}, "request_id": "req_fake"}
	},
	answer: func(r reply) any {
		content := []any{}
		if r.text != "" {
			content = append(content, object{"type": "text", "text": r.text})
		}
		if r.tool != "" {
			content = append(content, object{"type": "tool_use", "id": "toolu_" + r.id, "name": r.tool, "input": r.input})
		}
		m := message(r, content)
		m["stop_reason"] = stopReason(r.ending)
		m["usage"] = object{"input_tokens": r.in, "output_tokens": r.out}
		return m
	},
	stream: func(r reply) []event {
		events := []event{}
		add := func(kind string, data object) {
			data["type"] = kind
			events = append(events, event{kind, data})
		}
		add("message_start", object{"message": message(r, []any{})})
		index := 0
		if r.text != "" {
			add("content_block_start", object{"index": index, "content_block": object{"type": "text", "text": ""}})
			add("ping", object{})
			for _, piece := range pieces(r.text) {
				add("content_block_delta", object{"index": index, "delta": object{"type": "text_delta", "text": piece}})
			}
			add("content_block_stop", object{"index": index})
			index++
		}
		if r.tool != "" {
			add("content_block_start", object{"index": index, "content_block": object{
				"type": "tool_use", "id": "toolu_" + r.id, "name": r.tool, "input": object{}}})
			for _, piece := range pieces(string(r.input)) {
				add("content_block_delta", object{"index": index, "delta": object{"type": "input_json_delta", "partial_json": piece}})
			}
			add("content_block_stop", object{"index": index})
		}
		add("message_delta", object{"delta": object{"stop_reason": stopReason(r.ending), "stop_sequence": nil},
			"usage": object{"input_tokens": r.in, "output_tokens": r.out}})
		add("message_stop", object{})
		return events
	},
}

func message(r reply, content []any) object {
	return object{"id": "msg_fake", "type": "message", "role": "assistant", "model": r.model, "content": content,
		"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": r.in, "output_tokens": 1}}
}

func stopReason(e ending) string {
	return [...]string{finished: "end_turn", refused: "refusal", called: "tool_use", tooLong: "max_tokens"}[e]
}

// pieces cuts a text in two where that does not split a character.
func pieces(text string) []string {
	runes := []rune(text)
	if len(runes) < 2 {
		return []string{text}
	}
	return []string{string(runes[:len(runes)/2]), string(runes[len(runes)/2:])}
}
