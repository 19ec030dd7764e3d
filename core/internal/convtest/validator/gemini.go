package validator

import (
	"fmt"
	"strings"
)

// The rules of the Gemini API, G1 to G4.

func gemini(r *Request) []Violation {
	var violations []Violation
	report := func(rule, id, why string, args ...any) {
		violations = append(violations, Violation{Rule: rule, ID: id, Why: fmt.Sprintf(why, args...)})
	}
	if len(r.Messages) == 0 {
		report("G4_empty", "", "there are no contents")
	}
	var open []*openCall // the calls of the content before, or of the one before the responses before
	for i := range r.Messages {
		parts := r.Messages[i].parts()
		isModel := r.Messages[i].Role == "model"
		switch r.Messages[i].Role {
		case "", "user", "function", "model":
		default:
			report("G1_order", "", "content %d has the role %q", i, r.Messages[i].Role)
		}
		if len(parts) == 0 {
			report("G4_empty", "", "content %d has no parts", i)
		}
		for _, part := range parts {
			if !hasData(part) {
				report("G4_empty", "", "content %d has a part without data", i)
			}
		}
		if i == 0 && isModel {
			report("G1_order", "", "the first content is the model's")
		}
		if i > 0 && isModel && r.Messages[i-1].Role == "model" &&
			(hasCall(parts) || len(open) > 0 && open[0].content == i-1) {
			report("G1_order", "", "the call turn at %d comes after a model turn", i)
		}
		var calls []*openCall
		for _, part := range namedFirst(parts) {
			switch kind, value := functionOf(part); {
			case kind == "call" && !isModel:
				report("G1_order", text(value, "id"), "the user calls a function in content %d", i)
			case kind == "call":
				calls = append(calls, &openCall{i, text(value, "id"), text(value, "name")})
			case kind == "response":
				k := matching(open, value)
				if k < 0 || isModel || open[k].content != i-1 {
					report("G2_count", text(value, "id"), "the response in content %d answers no call of the content before", i)
					continue
				}
				open = append(open[:k:k], open[k+1:]...)
			}
		}
		if next := i + 1; len(open) > 0 && !isModel && next < len(r.Messages) && r.Messages[next].Role != "model" &&
			onlyResponses(parts) && onlyResponses(r.Messages[next].parts()) {
			for _, call := range open {
				call.content = i // the others are in the next content
			}
			continue
		}
		for _, call := range open {
			why := fmt.Sprintf("the content after the call turn at %d has no response for %q", call.content, call.name)
			last := i == len(r.Messages)-1 && !isModel && !asks(parts)
			violations = append(violations, Violation{"G2_count", call.id, why, last})
		}
		open = calls
	}
	for _, call := range open {
		violations = append(violations, Violation{"G2_count", call.id, "the request ends before the response", true})
	}
	list, _ := r.Tools.([]any)
	for _, element := range list {
		tool, _ := element.(map[string]any)
		violations = append(violations, names("G5_name", tool["functionDeclarations"], nil, function)...)
	}
	return append(violations, unsigned(r)...)
}

// onlyResponses reports a content of nothing but responses.
func onlyResponses(parts []map[string]any) bool {
	for _, part := range parts {
		if kind, _ := functionOf(part); kind != "response" {
			return false
		}
	}
	return len(parts) > 0
}

// hasData reports a part with a member that does not only describe it.
func hasData(part map[string]any) bool {
	for name, value := range part {
		switch name {
		case "thought", "thoughtSignature", "thought_signature", "videoMetadata", "mediaResolution", "partMetadata":
		default:
			if value != nil {
				return true
			}
		}
	}
	return false
}

// asks reports whether the parts hold more than responses and reminders of the client: no response can come after that.
func asks(parts []map[string]any) bool {
	for _, part := range parts {
		kind, _ := functionOf(part)
		if kind != "response" && part["thought"] != true && !isReminder(text(part, "text")) {
			return true
		}
	}
	return false
}

// namedFirst moves responses without an id to the end: those with an id take their calls first.
func namedFirst(parts []map[string]any) []map[string]any {
	var named, rest []map[string]any
	for _, part := range parts {
		if kind, value := functionOf(part); kind == "response" && text(value, "id") == "" {
			rest = append(rest, part)
		} else {
			named = append(named, part)
		}
	}
	return append(named, rest...)
}

type openCall struct {
	content  int
	id, name string
}

func hasCall(parts []map[string]any) bool {
	for _, part := range parts {
		if kind, _ := functionOf(part); kind == "call" {
			return true
		}
	}
	return false
}

// functionOf returns the call or the response in a part.
func functionOf(part map[string]any) (kind string, value map[string]any) {
	for _, name := range [...][2]string{{"functionCall", "call"}, {"function_call", "call"},
		{"functionResponse", "response"}, {"function_response", "response"}} {
		if value, ok := part[name[0]].(map[string]any); ok {
			return name[1], value
		}
	}
	return "", nil
}

// matching finds the call that a response answers: by id, or else by name and order.
func matching(open []*openCall, response map[string]any) int {
	id, name := text(response, "id"), text(response, "name")
	for i, call := range open {
		if id != "" && call.id == id || id == "" && call.name == name {
			return i
		}
	}
	return -1
}

// unsigned finds the steps of the current turn whose first call has no signature, on the models that want one.
func unsigned(r *Request) (violations []Violation) {
	if !strings.HasPrefix(r.Model, "gemini-3") {
		return nil
	}
	start := 0
	for i := range r.Messages {
		for _, part := range r.Messages[i].parts() {
			if kind, _ := functionOf(part); kind != "response" && r.Messages[i].Role != "model" {
				start = i
			}
		}
	}
	for i := start; i < len(r.Messages); i++ {
		for _, part := range r.Messages[i].parts() {
			kind, value := functionOf(part)
			if kind != "call" || r.Messages[i].Role != "model" {
				continue
			}
			if text(part, "thoughtSignature")+text(part, "thought_signature") == "" {
				violations = append(violations, Violation{Rule: "G3_signature", ID: text(value, "id"), Why: "no signature"})
			}
			break
		}
	}
	return violations
}

func (m *Message) parts() (parts []map[string]any) {
	list, _ := m.Value["parts"].([]any)
	for _, element := range list {
		part, _ := element.(map[string]any)
		parts = append(parts, part)
	}
	return parts
}
