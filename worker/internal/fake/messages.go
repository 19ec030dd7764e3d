package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"tamp/core/msg"
)

// The versions of the Messages API. The vendor's clients send the newer one since October 2026. It accepts no sampling
// parameters, no documents in assistant messages and no citations in user messages. Its responses are the same.
const (
	version2023 = "2023-06-01"
	version2026 = "2026-10-21"
)

// messagesAPI is Anthropic's POST /v1/messages.
var messagesAPI = protocol{
	threads: true,
	key: func(h http.Header) string {
		if key := h.Get("X-Api-Key"); key != "" {
			return key
		}
		return bearer(h)
	},
	verify: func(r *http.Request, key string, in *input, keyless bool) (int, []string) {
		status, problems := verifyCommon(r, key, in, keyless)
		if len(problems) > 0 {
			return status, problems
		}
		sampling := " temperature top_k top_p"
		switch r.Header.Get("Anthropic-Version") {
		case version2023:
		case version2026:
			sampling = ""
			problems = append(problems, in.removedIn2026()...)
		case "":
			problems = append(problems, "anthropic-version: header is required")
		default:
			problems = append(problems, "anthropic-version: is not a valid version")
		}
		if in.MaxTokens == nil || *in.MaxTokens < 1 {
			problems = append(problems, "max_tokens: Field required")
		}
		problems = append(problems,
			in.unknown("model max_tokens system messages stream metadata stop_sequences tools tool_choice thinking "+
				"service_tier container context_management mcp_servers output_config cache_control fallbacks"+sampling)...)
		if len(in.System) > 0 {
			var text string
			var blocks []inputBlock
			if json.Unmarshal(in.System, &text) != nil && json.Unmarshal(in.System, &blocks) != nil {
				problems = append(problems, "system: Input should be a valid string or list")
			}
		}
		problems = append(append(problems, in.broken(msg.Anthropic)...), in.badSchema()...)
		problems = append(problems, in.betas(r.Header)...)
		return status, append(append(problems, in.badThinking()...), in.boundThinking()...)
	},
	tooLong: func(size, window int) string {
		return fmt.Sprintf("prompt is too long: %d tokens > %d maximum", size, window)
	},
	err: func(status int, message string) any {
		e := object{"type": errorType(status), "message": message}
		if strings.HasPrefix(message, threadLost) {
			e["details"] = object{"error_code": "thread_not_found"}
		}
		return object{"type": "error", "error": e, "request_id": "req_fake"}
	},
	answer: func(r reply) any {
		content := []any{}
		if r.thinking != "" {
			content = append(content, object{"type": "thinking", "thinking": r.thinking, "signature": r.signature})
		}
		if r.text != "" {
			content = append(content, object{"type": "text", "text": r.text, "citations": nil})
		}
		for i, c := range r.calls {
			content = append(content, object{"type": "tool_use", "id": "toolu_" + r.callID(i), "name": c.Tool,
				"input": c.Input, "caller": direct})
		}
		m := message(r, content)
		m["stop_reason"] = stopReason(r.ending)
		m["usage"] = usage(r, r.out)
		return m
	},
	stream: func(r reply) []event {
		events := []event{}
		add := func(kind string, data object) {
			data["type"] = kind
			events = append(events, event{kind, data})
		}
		index := 0
		block := func(start object, deltas ...object) {
			add("content_block_start", object{"index": index, "content_block": start})
			if index == 0 {
				add("ping", object{})
			}
			for _, delta := range deltas {
				add("content_block_delta", object{"index": index, "delta": delta})
			}
			add("content_block_stop", object{"index": index})
			index++
		}
		add("message_start", object{"message": message(r, []any{})})
		if r.thinking != "" {
			deltas := inPieces(r.thinking, "thinking_delta", "thinking")
			deltas = append(deltas, object{"type": "signature_delta", "signature": r.signature})
			block(object{"type": "thinking", "thinking": "", "signature": ""}, deltas...)
		}
		if r.text != "" {
			block(object{"type": "text", "text": "", "citations": nil}, inPieces(r.text, "text_delta", "text")...)
		}
		for i, c := range r.calls {
			block(object{"type": "tool_use", "id": "toolu_" + r.callID(i), "name": c.Tool, "input": object{}, "caller": direct},
				inPieces(string(c.Input), "input_json_delta", "partial_json")...)
		}
		add("message_delta", object{
			"delta": object{"stop_reason": stopReason(r.ending), "stop_sequence": nil}, "usage": usage(r, r.out),
		})
		add("message_stop", object{})
		return events
	},
}

func message(r reply, content []any) object {
	m := object{"id": "msg_" + r.id, "type": "message", "role": "assistant", "model": r.model, "content": content,
		"stop_reason": nil, "stop_sequence": nil, "usage": usage(r, 1)}
	if r.reports {
		m["input_transformations"] = r.dropped
	}
	return m
}

// direct means that the model made the call itself, not a program that it wrote.
var direct = object{"type": "direct"}

func usage(r reply, out int) object {
	return object{"input_tokens": r.in - r.read - r.wrote, "cache_read_input_tokens": r.read,
		"cache_creation_input_tokens": r.wrote, "output_tokens": out}
}

func stopReason(e ending) string {
	return [...]string{finished: "end_turn", refused: "refusal", called: "tool_use", tooLong: "max_tokens"}[e]
}

func inPieces(text, kind, name string) []object {
	var deltas []object
	for _, piece := range pieces(text) {
		deltas = append(deltas, object{"type": kind, name: piece})
	}
	return deltas
}

// threadLost begins the message of the error with the code thread_not_found.
const threadLost = "thread: there is no thread with the message "
