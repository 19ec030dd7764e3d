package validator

import (
	"fmt"
	"regexp"
	"strings"
)

// The rules of OpenAI's Chat Completions, O1 to O5.

func openAI(r *Request) []Violation {
	var violations []Violation
	report := func(rule, id, why string, args ...any) {
		violations = append(violations, Violation{Rule: rule, ID: id, Why: fmt.Sprintf(why, args...)})
	}
	if len(r.Messages) == 0 {
		report("O3_empty", "", "there are no messages")
	}
	var round *answers
	var calls []map[string]any
	reasons := strings.HasPrefix(r.Model, "deepseek-v4") || strings.HasPrefix(r.Model, "kimi-k3")
	for i := range r.Messages {
		m := &r.Messages[i]
		list, isList := m.Value["tool_calls"].([]any)
		if isList && len(list) == 0 && m.Role == "assistant" {
			report("O7_calls", "", "message %d has an empty list of calls", i)
		}
		for _, element := range list {
			call, _ := element.(map[string]any)
			inner, ok := call["function"].(map[string]any)
			if !ok {
				inner, _ = call["custom"].(map[string]any)
			}
			if m.Role == "assistant" {
				calls = append(calls, inner)
			}
		}
		if call, ok := m.Value["function_call"].(map[string]any); ok && m.Role == "assistant" {
			calls = append(calls, call)
		}
		if len(list) > 0 && reasons && m.Value["reasoning_content"] == nil {
			report("O10_reasoning", "", "message %d has no reasoning_content", i)
		}
		if typeless(m.Value["content"]) {
			report("O9_type", "", "message %d has a part without a type", i)
		}
		if m.Role != "tool" && m.Role != "function" {
			violations = append(violations, round.missing(false)...)
			round = nil
		}
		switch m.Role {
		case "system", "developer", "user":
			if !hasContent(m) {
				report("O3_empty", "", "message %d has no content", i)
			}
		case "assistant":
			round = newAnswers(m)
			if round == nil && !hasContent(m) && m.Value["refusal"] == nil && m.Value["audio"] == nil {
				report("O3_empty", "", "message %d has no content, tool_calls, refusal or audio", i)
			}
			for _, id := range round.repeated() {
				if id == "" && r.Model != "" && !ofOpenAI.MatchString(r.Model) {
					continue // other vendors take a call without an id
				}
				report("O5_duplicate", id, "two calls of message %d have this id, or it is no id", i)
			}
		case "tool", "function":
			key, complete := "id:"+text(m.Value, "tool_call_id"), hasContent(m)
			if m.Role == "function" {
				key = "name:" + text(m.Value, "name")
				content, given := m.Value["content"]
				complete = complete || given && content == nil // the deprecated role may say null
			}
			if !complete {
				report("O3_empty", key, "message %d has no content", i)
			}
			if rule := round.answer(key); rule != "" {
				report(rule, key, "message %d answers no open call of the assistant message before", i)
			}
		default:
			report("O4_role", "", "message %d has the role %q", i, m.Role)
		}
	}
	violations = append(violations, names("O8_name", r.Tools, calls, toolName)...)
	return append(violations, round.missing(true)...)
}

func hasContent(m *Message) bool {
	switch content := m.Value["content"].(type) {
	case string:
		return true
	case []any:
		return len(content) > 0
	}
	return false
}

// answers keeps count of the calls of one assistant message. Nil: the message makes no call.
type answers struct {
	order []string
	open  map[string]int // calls without an answer
	twice []string
}

// ofOpenAI matches the names of OpenAI's models.
var ofOpenAI = regexp.MustCompile(`^(gpt|chatgpt|codex|o1|o3|o4)`)

func newAnswers(m *Message) *answers {
	a := &answers{open: map[string]int{}}
	calls, _ := m.Value["tool_calls"].([]any)
	for _, element := range calls {
		call, _ := element.(map[string]any)
		id := text(call, "id")
		if _, found := a.open["id:"+id]; found || id == "" {
			a.twice = append(a.twice, id)
		}
		a.add("id:" + id)
	}
	if call, ok := m.Value["function_call"].(map[string]any); ok {
		a.add("name:" + text(call, "name"))
	}
	if len(a.order) == 0 {
		return nil
	}
	return a
}

func (a *answers) add(key string) {
	a.order = append(a.order, key)
	a.open[key]++
}

func (a *answers) repeated() []string {
	if a == nil {
		return nil
	}
	return a.twice
}

// answer takes an answer and returns the rule that it breaks, "" for none.
func (a *answers) answer(key string) string {
	if a == nil {
		return "O2_orphan"
	}
	n, found := a.open[key]
	switch {
	case !found:
		return "O2_orphan"
	case n == 0:
		return "O5_duplicate"
	}
	a.open[key]--
	return ""
}

// missing reports the calls that have no answer.
func (a *answers) missing(last bool) []Violation {
	if a == nil {
		return nil
	}
	var violations []Violation
	for _, key := range a.order {
		if a.open[key] > 0 {
			a.open[key]--
			violations = append(violations, Violation{"O1_unanswered", key, "no tool message answers the call", last})
		}
	}
	return violations
}
