package fake

import (
	"encoding/json"
	"net/http"
	"strings"

	"tamp/core/msg"
)

// interactionsMembers are the members of a step that the API knows, by its type (@google/genai 3.3.0).
var interactionsMembers = map[string]string{
	"user_input": "content", "model_output": "content error", "thought": "signature summary",
	"function_call": "arguments id name", "function_result": "call_id is_error name result",
}

// readInteractions reads the members of Google's Interactions API: each step becomes a message with the step as its
// block.
func (in *input) readInteractions() {
	in.System = in.fields["system_instruction"]
	list := in.fields["input"]
	if prompt := ""; json.Unmarshal(list, &prompt) == nil {
		list = marshal([]object{{"type": "user_input", "content": []object{{"type": "text", "text": prompt}}}})
	}
	var steps []json.RawMessage
	if in.err = json.Unmarshal(list, &steps); in.err != nil {
		return
	}
	for _, raw := range steps {
		role, kind := "assistant", in.stepType(raw)
		if kind == "user_input" || kind == "function_result" {
			role = "user"
		}
		in.Messages = append(in.Messages, inputMessage{Role: role, Content: marshal([]json.RawMessage{raw})})
	}
	var generation struct {
		Summaries string `json:"thinking_summaries"`
	}
	if json.Unmarshal(in.fields["generation_config"], &generation) == nil && generation.Summaries == "auto" {
		in.Thinking.Type = "enabled"
	}
}

func (in *input) stepType(raw json.RawMessage) string {
	var step struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(raw, &step)
	return step.Type
}

// badSteps returns errors for steps that the API does not know, and for members of them.
func (in *input) badSteps() (problems []string) {
	for _, m := range in.Messages {
		var steps []map[string]json.RawMessage
		_ = json.Unmarshal(m.Content, &steps)
		for _, step := range steps {
			kind := in.stepType(marshal(step))
			known, ok := interactionsMembers[kind]
			if !ok {
				problems = append(problems, "unknown step type "+kind)
			}
			for name := range step {
				if !strings.Contains(" type "+known+" ", " "+name+" ") {
					problems = append(problems, "unknown parameter '"+name+"' of a step "+kind)
				}
			}
		}
	}
	return problems
}

// interactionsAPI is Google's POST /v1beta/interactions, without stored state.
var interactionsAPI = protocol{
	automatic: true,
	key:       func(h http.Header) string { return h.Get("X-Goog-Api-Key") },
	read:      (*input).readInteractions,
	verify: func(r *http.Request, key string, in *input, keyless bool) (int, []string) {
		status, problems := verifyCommon(r, key, in, keyless)
		if len(problems) > 0 {
			return status, problems
		}
		problems = in.unknown("model agent input system_instruction tools store stream background generation_config " +
			"response_format response_mime_type response_modalities previous_interaction_id safety_settings service_tier " +
			"labels cached_content continuation_token environment webhook_config")
		return status, append(append(problems, in.badSteps()...), in.broken(msg.Interactions)...)
	},
	tooLong: geminiAPI.tooLong,
	err:     geminiAPI.err,
	answer:  func(r reply) any { return interaction(&r, "completed", r.steps()) },
	stream: func(r reply) []event {
		var events []event
		add := func(kind string, data object) {
			data["event_type"] = kind
			events = append(events, event{kind, data})
		}
		add("interaction.created", object{"interaction": interaction(&r, "in_progress", nil)})
		for i, step := range r.steps() {
			add("step.start", object{"index": i, "step": step})
			add("step.stop", object{"index": i})
		}
		add("interaction.completed", object{"interaction": interaction(&r, "completed", nil)})
		return events
	},
}

// steps are those of the answer: a thought, which is signed, the text, calls.
func (r *reply) steps() []any {
	steps := []any{}
	if r.thinking != "" || len(r.calls) > 0 {
		steps = append(steps, object{"type": "thought", "signature": "c2ln",
			"summary": []any{object{"type": "text", "text": r.thinking}}})
	}
	if r.text != "" {
		steps = append(steps, object{"type": "model_output", "content": []any{object{"type": "text", "text": r.text}}})
	}
	for i, c := range r.calls {
		steps = append(steps, object{"type": "function_call", "id": "call_" + r.callID(i), "name": c.Tool,
			"arguments": c.Input})
	}
	return steps
}

func interaction(r *reply, status string, steps []any) object {
	body := object{"id": "int_" + r.id, "object": "interaction", "created": "2026-11-29T00:00:00Z",
		"updated": "2026-11-29T00:00:00Z", "model": r.model, "status": status}
	if steps != nil {
		body["steps"] = steps
	}
	if status == "completed" {
		body["usage"] = object{"total_input_tokens": r.in, "total_cached_tokens": r.read, "total_output_tokens": r.out,
			"total_tokens": r.in + r.out}
	}
	return body
}
