package fake

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	"tamp/core/msg"
)

// chatAPI is OpenAI's POST /v1/chat/completions.
var chatAPI = protocol{
	automatic: true,
	key:       bearer,
	verify: func(r *http.Request, key string, in *input, keyless bool) (int, []string) {
		status, problems := verifyCommon(r, key, in, keyless)
		if len(problems) > 0 {
			return status, problems
		}
		if in.MaxTokens != nil && in.MaxCompletionTokens != nil {
			problems = append(problems, "max_tokens and max_completion_tokens cannot both be set")
		}
		for _, limit := range []*int{in.MaxTokens, in.MaxCompletionTokens} {
			if limit != nil && *limit < 1 {
				problems = append(problems, "max_tokens: must be at least 1")
			}
		}
		thinking := "" // a member of Moonshot's API
		if strings.HasPrefix(in.Model, "kimi") {
			thinking = " thinking"
		}
		if in.asksReasoning() { // members of OpenRouter's API
			thinking, problems = " reasoning usage", append(problems, in.badDetails()...)
		}
		problems = append(problems,
			in.unknown("model messages max_tokens max_completion_tokens stream stream_options temperature top_p n stop tools "+
				"tool_choice parallel_tool_calls response_format seed user metadata store reasoning_effort service_tier "+
				"presence_penalty "+
				"frequency_penalty logit_bias logprobs top_logprobs modalities audio prediction verbosity prompt_cache_key "+
				"safety_identifier"+thinking)...)
		return status, append(problems, in.broken(msg.OpenAIChat)...)
	},
	tooLong: func(size, window int) string {
		return fmt.Sprintf("This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. "+
			"Please reduce the length of the messages.", window, size)
	},
	err: func(status int, message string) any {
		kind := errorType(status)
		code := map[int]any{401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}[status]
		if strings.HasPrefix(message, "This model's maximum context length") {
			code = "context_length_exceeded"
		}
		return object{"error": object{"message": message, "type": kind, "param": nil, "code": code}}
	},
	answer: func(r reply) any {
		m := object{"role": "assistant", "content": nil, "refusal": nil}
		if r.text != "" {
			m["content"] = r.text
		}
		if r.routed {
			maps.Copy(m, r.details())
		} else if r.thinking != "" {
			m["reasoning_content"] = r.thinking
		}
		if r.ending == refused {
			m["content"], m["refusal"] = nil, "I cannot help with that."
		}
		if len(r.calls) > 0 {
			calls := []any{}
			for i, c := range r.calls {
				calls = append(calls, toolCall(&r, i, string(c.Input)))
			}
			m["tool_calls"] = calls
		}
		return chatBody(r, "chat.completion", object{"index": 0, "message": m, "logprobs": nil,
			"finish_reason": finishReason(r.ending)}, true)
	},
	stream: func(r reply) []event {
		chunk := func(delta object, finish any) event {
			return event{data: chatBody(r, "chat.completion.chunk",
				object{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}, false)}
		}
		events := []event{chunk(object{"role": "assistant", "content": ""}, nil)}
		if r.routed {
			events = append(events, chunk(r.details(), nil))
		} else if r.thinking != "" {
			events = append(events, chunk(object{"reasoning_content": r.thinking}, nil))
		}
		if r.ending == refused {
			events = append(events, chunk(object{"refusal": "I cannot help with that."}, nil))
		} else if r.text != "" {
			for _, piece := range pieces(r.text) {
				events = append(events, chunk(object{"content": piece}, nil))
			}
		}
		for i, c := range r.calls {
			call := toolCall(&r, i, "")
			call["index"] = i
			events = append(events, chunk(object{"tool_calls": []any{call}}, nil))
			for _, piece := range pieces(string(c.Input)) {
				events = append(events, chunk(object{"tool_calls": []any{object{"index": i,
					"function": object{"arguments": piece}}}}, nil))
			}
		}
		events = append(events, chunk(object{}, finishReason(r.ending)))
		if r.usage {
			events = append(events, event{data: chatBody(r, "chat.completion.chunk", nil, true)})
		}
		return append(events, event{data: done})
	},
}

// done ends a stream of chat completions.
const done literal = "[DONE]"

func chatBody(r reply, kind string, choice object, usage bool) object {
	body := object{"id": "chatcmpl-" + r.id, "object": kind, "created": 1, "model": r.model, "choices": []any{}}
	if choice != nil {
		body["choices"] = []any{choice}
	}
	if usage {
		body["usage"] = object{"prompt_tokens": r.in, "completion_tokens": r.out, "total_tokens": r.in + r.out,
			"prompt_tokens_details": object{"cached_tokens": r.read}}
	}
	return body
}

func toolCall(r *reply, i int, arguments string) object {
	return object{"id": "call_" + r.callID(i), "type": "function",
		"function": object{"name": r.calls[i].Tool, "arguments": arguments}}
}

// finishReason returns "stop" for a refusal of the model, as OpenAI does; "content_filter" means a filter.
func finishReason(e ending) string {
	return [...]string{finished: "stop", refused: "stop", called: "tool_calls", tooLong: "length"}[e]
}
