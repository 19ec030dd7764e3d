package fake

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// The rules on the texts, names and ids of a request, in the words of the providers.

var (
	idPattern   = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	unicodeUnit = regexp.MustCompile(`\\(u[0-9a-fA-F]{4}|[^u])`)
)

// lone returns the offset of an escape that is half of a surrogate pair, -1 if there is none.
func lone(body []byte) int {
	open := -1 // the end of a high half that waits for its low one
	start := 0
	for _, at := range unicodeUnit.FindAllIndex(body, -1) {
		text := strings.ToLower(string(body[at[0]:at[1]]))
		high := len(text) == 6 && text[2] == 'd' && strings.IndexByte("89ab", text[3]) >= 0
		low := len(text) == 6 && text[2] == 'd' && strings.IndexByte("cdef", text[3]) >= 0
		switch {
		case low && open == at[0]:
			open = -1
		case open >= 0:
			return start
		case low:
			return at[0]
		case high:
			open, start = at[1], at[0]
		}
	}
	if open >= 0 {
		return start
	}
	return -1
}

// badMembers checks the blocks of the Messages API by themselves.
func (in *input) badMembers() (problems []string) {
	say := func(format string, values ...any) { problems = append(problems, fmt.Sprintf(format, values...)) }
	known := map[string]bool{}
	for i, t := range in.Tools {
		if known[t.Name] = true; t.Name != "" && (!idPattern.MatchString(t.Name) || len(t.Name) > 128) {
			say("tools.%d.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'", i)
		}
	}
	runs, _ := in.runs()
	for _, r := range runs {
		for _, b := range r.blocks {
			switch {
			case b.Type == "":
				say("%s.type: Field required", b.at)
			case b.Type == "text" && b.Text != "" && strings.TrimSpace(b.Text) == "":
				say("messages: text content blocks must contain non-whitespace text")
			case b.Type == "tool_use" && b.ID != "" && !idPattern.MatchString(b.ID):
				say("%s.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", b.at)
			case b.Type == "tool_use" && len(b.Name) > 200:
				say("%s.tool_use.name: String should have at most 200 characters", b.at)
			}
			parts, _ := blocksOf(b.Content)
			for k, part := range parts {
				var reference struct {
					Name string `json:"tool_name"`
				}
				_ = json.Unmarshal(part.raw, &reference)
				switch {
				case part.Type == "":
					say("%s.tool_result.content.%d.type: Field required", b.at, k)
				case part.Type == "tool_reference" && len(in.Tools) > 0 && !known[reference.Name]:
					say("Tool reference '%s' not found in available tools", reference.Name)
				}
			}
		}
	}
	return problems
}

// badChat checks the messages of Chat Completions by themselves.
func (in *input) badChat() (problems []string) {
	say := func(format string, values ...any) { problems = append(problems, fmt.Sprintf(format, values...)) }
	asked := strings.Contains(in.Model, "deepseek-v4") || strings.Contains(in.Model, "kimi-k3")
	for i, m := range in.Messages {
		var list []any
		if json.Unmarshal(m.Calls, &list) == nil && list != nil && len(list) == 0 {
			say("Invalid 'messages[%d].tool_calls': empty array. Expected an array with minimum length 1, but got an empty "+
				"array instead.", i)
		}
		for k, call := range m.ToolCalls {
			if call.Function.Name != "" && !idPattern.MatchString(call.Function.Name) {
				say("Invalid 'messages[%d].tool_calls[%d].function.name': string does not match pattern.", i, k)
			}
		}
		if asked && len(m.ToolCalls) > 0 && m.Reasoning == nil && in.Thinking.Type != "disabled" {
			say("The reasoning_content in the thinking mode must be passed back to the API.")
		}
		if m.Role == "tool" && m.ToolCallID == "" {
			say("Missing required parameter: 'messages[%d].tool_call_id'.", i)
		}
		var parts []map[string]any
		_ = json.Unmarshal(m.Content, &parts)
		for k, part := range parts {
			if part["type"] == nil {
				say("Missing required parameter: 'messages[%d].content[%d].type'.", i, k)
			}
		}
	}
	return problems
}

// badItems checks the items of Responses by themselves.
func (in *input) badItems() (problems []string) {
	open := map[string]bool{}
	for i, it := range in.items {
		switch {
		case isOutput(it.Type):
			delete(open, it.CallID)
		case outputOf[it.Type] != "" && open[it.CallID]:
			problems = append(problems, "Duplicate 'call_id': "+it.CallID)
		case outputOf[it.Type] != "":
			open[it.CallID] = true
		}
		if it.Name != "" && !idPattern.MatchString(it.Name) {
			problems = append(problems, fmt.Sprintf("Invalid 'input[%d].name': string does not match pattern.", i))
		}
	}
	return problems
}
