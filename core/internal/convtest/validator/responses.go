package validator

import (
	"bytes"
	"strings"
)

// The rules of OpenAI's Responses, R1 to R3, over the items as they are sent.

// Responses lists the rules that a list of input items breaks. stateless says that the request has store: false.
func Responses(items []any, stateless bool) []Violation {
	var violations []Violation
	open := map[string][]int{} // by the id: the places of the calls without an output
	last := lastResponse(items)
	ids := map[string]bool{}
	var calls []map[string]any
	for i, element := range items {
		item, _ := element.(map[string]any)
		kind := text(item, "type")
		id := text(item, "id")
		isOutput := strings.HasSuffix(kind, "_output")
		if id != "" && !isOutput {
			if ids[id] {
				violations = append(violations, Violation{Rule: "R3_sealed", ID: id, Why: "the item is there twice"})
			}
			ids[id] = true
		}
		if kind == "function_call" || kind == "custom_tool_call" {
			calls = append(calls, item)
		}
		if call := text(item, "call_id"); call != "" && strings.HasSuffix(kind, "_call") {
			if len(open[call]) > 0 {
				violations = append(violations, Violation{Rule: "R9_duplicate", ID: call, Why: "another open call has it"})
			}
		}
		if typeless(item["content"]) && (kind == "" || kind == "message") {
			violations = append(violations, Violation{Rule: "R11_type", ID: id, Why: "a part has no type"})
		}
		if role := text(item, "role"); role != "" && (kind == "" || kind == "message") && item["content"] == nil {
			violations = append(violations, Violation{Rule: "R8_content", ID: id, Why: "the message has no content"})
		}
		switch call := text(item, "call_id"); {
		case isOutput:
			if call == "" {
				call = id
			}
			if len(open[call]) == 0 {
				violations = append(violations, Violation{Rule: "R1_orphan", ID: call, Why: "no call before it"})
			} else {
				open[call] = open[call][:len(open[call])-1]
			}
		case needsID[kind] && call == "" && (kind != "local_shell_call" || id == ""):
			violations = append(violations, Violation{Rule: "R7_id", Why: "the call has no id"})
		case (strings.HasSuffix(kind, "_call") || kind == "program") && call != "":
			open[call] = append(open[call], i)
		case kind == "reasoning" && id != "":
			if stateless && text(item, "encrypted_content") == "" {
				violations = append(violations, Violation{Rule: "R3_stored", ID: id, Why: "it has no encrypted content"})
			}
			if i+1 == len(items) || !produced(items[i+1]) {
				violations = append(violations, Violation{Rule: "R2_reasoning", ID: id, Why: "no item follows that it produced"})
			}
		}
	}
	violations = append(violations, names("R10_name", nil, calls, idChars)...)
	for call, places := range open {
		for _, i := range places {
			if item := items[i].(map[string]any); item["type"] == "program" || item["async"] == true {
				continue
			}
			violations = append(violations, Violation{"R1_unanswered", call, "no output answers the call", i >= last})
		}
	}
	return violations
}

// needsID has the calls that the client runs, and programs: the API requires their call_id.
var needsID = map[string]bool{"program": true,
	"function_call": true, "custom_tool_call": true, "local_shell_call": true,
	"shell_call": true, "apply_patch_call": true, "computer_call": true}

// lastResponse returns the first of the items that the model made last.
func lastResponse(items []any) int {
	i := len(items) - 1
	for i >= 0 && !produced(items[i]) {
		i--
	}
	for i > 0 && produced(items[i-1]) {
		i--
	}
	return i
}

// produced reports an item that a response can have.
func produced(element any) bool {
	item, _ := element.(map[string]any)
	kind, role := text(item, "type"), text(item, "role")
	if kind == "" || kind == "message" {
		return role == "assistant" || role == "" && kind == ""
	}
	switch kind {
	case "program_output":
		return true
	case "configuration_update", "additional_tools", "compaction_trigger":
		return false
	}
	return !strings.HasSuffix(kind, "_output") // an item of another type has no role, whatever it says
}

// rollout reads the items of a log of Codex, a line each.
func rollout(document []byte) (*Request, error) {
	request := &Request{Format: Rollout, Stateless: true}
	for _, line := range bytes.Split(bytes.TrimSpace(document), []byte("\n")) {
		value, err := decode(line)
		if err != nil {
			return nil, err
		}
		entry, _ := value.(map[string]any)
		item, _ := entry["payload"].(map[string]any)
		switch entry["type"] {
		case "turn_context":
			request.Model = text(item, "model")
		case "response_item":
			request.Messages = append(request.Messages, Message{Role: text(item, "role"), Value: item})
		case "compacted": // the history begins again with its list
			request.Messages = nil
			list, _ := item["replacement_history"].([]any)
			for _, element := range list {
				kept, _ := element.(map[string]any)
				request.Messages = append(request.Messages, Message{Role: text(kept, "role"), Value: kept})
			}
		}
	}
	return request, nil
}
