package fake

import (
	"encoding/json"
	"net/http"
	"strings"

	"tamp/core/msg"
)

// item is an input item of the Responses API.
type item struct {
	Type  string `json:"type"`
	Role  string `json:"role"`
	Tools []tool `json:"tools"` // of additional_tools
}

// readResponses reads the members of the Responses API: each item becomes a message with the item as its block.
func (in *input) readResponses() {
	in.System = in.fields["instructions"]
	var prompt string
	list := in.fields["input"]
	if json.Unmarshal(list, &prompt) == nil {
		list = marshal([]object{{"type": "message", "role": "user", "content": prompt}})
	}
	var items []json.RawMessage
	if in.err = json.Unmarshal(list, &items); in.err != nil {
		return
	}
	for _, raw := range items {
		var it item
		if in.err = json.Unmarshal(raw, &it); in.err != nil {
			return
		}
		role := "assistant"
		switch {
		case it.Role != "":
			role = it.Role
		case strings.HasSuffix(it.Type, "_output"):
			role = "tool"
		}
		in.Tools, in.triggers = append(in.Tools, it.Tools...), it.Type == "compaction_trigger"
		in.Messages = append(in.Messages, inputMessage{Role: role, Content: marshal([]json.RawMessage{withoutIDs(raw)})})
	}
	if kind := in.fields["reasoning"]; len(kind) > 0 && kind[0] == '{' {
		in.Thinking.Type = "enabled"
	}
}

// withoutIDs returns an item without the members that are not in the prompt of the model, which has no identifiers.
// Source: cookbook.openai.com, OpenAI harmony response format. Clients differ in them: Codex gives each output an ID.
func withoutIDs(item json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(item, &members) != nil {
		return item
	}
	for name, value := range members {
		if name == "id" || name == "call_id" || name == "status" || string(value) == "null" {
			delete(members, name)
		}
	}
	return marshal(members)
}

// responsesAPI is OpenAI's POST /v1/responses, without stored state.
var responsesAPI = protocol{
	automatic: true,
	late:      true,
	key:       bearer,
	read:      (*input).readResponses,
	verify: func(r *http.Request, key string, in *input, keyless bool) (int, []string) {
		status, problems := verifyCommon(r, key, in, keyless)
		if len(problems) > 0 {
			return status, problems
		}
		problems = in.unknown("model input instructions tools tool_choice parallel_tool_calls reasoning store stream " +
			"include max_output_tokens temperature top_p text truncation user metadata service_tier " +
			"previous_response_id conversation " +
			"prompt_cache_key prompt_cache_retention safety_identifier client_metadata background stream_options")
		if len(in.fields["previous_response_id"]) > 0 && string(in.fields["previous_response_id"]) != "null" {
			problems = append(problems, "Previous response not found.")
		}
		return status, append(problems, in.broken(msg.OpenAIResponses)...)
	},
	tooLong: func(int, int) string {
		return "Your input exceeds the context window of this model. Please adjust your input and try again."
	},
	err: func(status int, message string) any {
		return object{"error": object{"message": message, "type": errorType(status), "param": nil, "code": nil}}
	},
	answer: func(r reply) any { return responseObject(&r, "completed", r.items()) },
	stream: func(r reply) []event {
		var events []event
		add := func(kind string, data object) {
			data["type"], data["sequence_number"] = kind, len(events)
			events = append(events, event{kind, data})
		}
		add("response.created", object{"response": responseObject(&r, "in_progress", []any{})})
		add("response.in_progress", object{"response": responseObject(&r, "in_progress", []any{})})
		if r.failed != "" {
			failed := responseObject(&r, "failed", []any{})
			failed["error"] = object{"code": "context_length_exceeded", "message": r.failed}
			add("response.failed", object{"response": failed})
			return events
		}
		items := r.items()
		for i, it := range items {
			it := it.(object)
			at := func(more object) object {
				more["output_index"], more["item_id"] = i, it["id"]
				return more
			}
			opened := object{}
			for name, value := range it {
				opened[name] = value
			}
			switch it["type"] {
			case "message":
				opened["content"], opened["status"] = []any{}, "in_progress"
			case "function_call":
				opened["arguments"], opened["status"] = "", "in_progress"
			case "custom_tool_call":
				opened["input"], opened["status"] = "", "in_progress"
			}
			add("response.output_item.added", object{"output_index": i, "item": opened})
			switch it["type"] {
			case "message":
				part := object{"type": "output_text", "text": "", "annotations": []any{}}
				add("response.content_part.added", at(object{"content_index": 0, "part": part}))
				for _, piece := range pieces(r.text) {
					add("response.output_text.delta", at(object{"content_index": 0, "delta": piece}))
				}
				add("response.output_text.done", at(object{"content_index": 0, "text": r.text}))
				add("response.content_part.done", at(object{"content_index": 0, "part": object{"type": "output_text",
					"text": r.text, "annotations": []any{}}}))
			case "function_call":
				arguments := it["arguments"].(string)
				for _, piece := range pieces(arguments) {
					add("response.function_call_arguments.delta", at(object{"delta": piece}))
				}
				add("response.function_call_arguments.done", at(object{"arguments": arguments}))
			case "custom_tool_call":
				text := it["input"].(string)
				for _, piece := range pieces(text) {
					add("response.custom_tool_call_input.delta", at(object{"delta": piece}))
				}
				add("response.custom_tool_call_input.done", at(object{"input": text}))
			}
			add("response.output_item.done", object{"output_index": i, "item": it})
		}
		add("response.completed", object{"response": responseObject(&r, "completed", items)})
		return events
	},
}

// items are the output items of a response: reasoning, text, calls.
func (r *reply) items() []any {
	if r.compacts {
		return []any{object{"type": "compaction", "id": "cmp_" + r.id, "encrypted_content": "fake." + r.id}}
	}
	items := []any{}
	if r.thinking != "" {
		items = append(items, object{"type": "reasoning", "id": "rs_" + r.id, "summary": []any{},
			"encrypted_content": r.signature})
	}
	if r.text != "" {
		items = append(items, object{"type": "message", "id": "msg_" + r.id, "role": "assistant", "status": "completed",
			"content": []any{object{"type": "output_text", "text": r.text, "annotations": []any{}}}})
	}
	for i, c := range r.calls {
		call := object{"type": "function_call", "id": "fc_" + r.callID(i), "call_id": "call_" + r.callID(i),
			"name": c.Tool, "arguments": string(c.Input), "status": "completed"}
		if text := ""; json.Unmarshal(c.Input, &text) == nil { // of a custom tool
			call = object{"type": "custom_tool_call", "id": "ctc_" + r.callID(i), "call_id": "call_" + r.callID(i),
				"name": c.Tool, "input": text, "status": "completed"}
		}
		items = append(items, call)
	}
	return items
}

func responseObject(r *reply, status string, output []any) object {
	body := object{"id": "resp_" + r.id, "object": "response", "created_at": 1, "model": r.model, "status": status,
		"output": output, "error": nil, "incomplete_details": nil, "usage": nil}
	if status == "completed" {
		body["usage"] = object{"input_tokens": r.in, "input_tokens_details": object{"cached_tokens": r.read},
			"output_tokens": r.out, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": r.in + r.out}
	}
	return body
}
