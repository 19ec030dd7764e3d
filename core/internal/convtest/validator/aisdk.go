package validator

import "fmt"

// The rules of the AI SDK, S1 to S3.

func aiSDK(r *Request) []Violation {
	var violations []Violation
	report := func(rule, id, why string, args ...any) {
		violations = append(violations, Violation{Rule: rule, ID: id, Why: fmt.Sprintf(why, args...)})
	}
	if len(r.Messages) == 0 {
		report("S3_schema", "", "there are no messages")
	}
	var order []string        // the calls without a result
	count := map[string]int{} // how many calls of the round have the id
	take := func(id string) bool {
		for i := range order {
			if order[i] == id {
				order = append(order[:i:i], order[i+1:]...)
				return true
			}
		}
		return false
	}
	end := func(last bool) {
		for _, id := range order {
			violations = append(violations, Violation{"S1_unanswered", id, "the tool result is missing", last})
		}
		order, count = nil, map[string]int{}
	}
	previous := ""
	for i := range r.Messages {
		m := &r.Messages[i]
		blocks, hasContent := m.content()
		if _, isString := m.Value["content"].(string); isString && (m.Role == "tool" || m.Role == "") {
			hasContent = false
		}
		if _, isString := m.Value["content"].(string); m.Role == "system" && hasContent && !isString && len(blocks) > 0 {
			report("S3_schema", "", "the content of system message %d is no string", i)
		}
		if !hasContent && m.Role != "" {
			report("S3_schema", "", "message %d has no content", i)
		}
		switch m.Role {
		case "user", "system":
			end(false)
		case "assistant":
			if previous != "assistant" {
				end(false)
			}
		case "tool":
		default:
			report("S3_schema", "", "message %d has the role %q", i, m.Role)
			end(false)
		}
		for _, block := range blocks {
			kind, id := text(block, "type"), text(block, "toolCallId")
			if kind == "" {
				report("S3_schema", "", "a part of message %d has no type", i)
			}
			allowed := map[string]bool{"text": m.Role != "tool", "tool-call": m.Role == "assistant",
				"image": m.Role != "tool", "file": m.Role != "tool", "reasoning": m.Role == "assistant",
				"tool-result": m.Role == "assistant" || m.Role == "tool"}
			if ok, listed := allowed[kind]; listed && !ok {
				report("S3_schema", id, "a %s part is in message %d of role %s", kind, i, m.Role)
				continue
			}
			_, isServer := block["providerExecuted"]
			switch {
			case kind == "tool-call" && !isServer:
				if id == "" {
					report("S3_schema", "", "a call of message %d has no id", i)
				}
				order = append(order, id)
				count[id]++
			case kind == "tool-result" && m.Role == "tool" && !take(id):
				report("S2_orphan", id, "the result in message %d answers no open call", i)
			}
		}
		previous = m.Role
	}
	end(true)
	return violations
}
