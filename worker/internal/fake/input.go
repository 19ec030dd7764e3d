package fake

import (
	"encoding/json"
	"fmt"
	"strings"
)

// input is a request's body as both protocols have it.
type input struct {
	err    error
	fields map[string]json.RawMessage

	Model               string          `json:"model"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	System              json.RawMessage `json:"system"`
	Messages            []inputMessage  `json:"messages"`
	Stream              bool            `json:"stream"`
	StreamOptions       struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type inputMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []struct {
		ID string `json:"id"`
	} `json:"tool_calls"`
	Refusal string `json:"refusal"`
}

type inputBlock struct {
	Type      string `json:"type"`
	Text      string `json:"text"`
	ID        string `json:"id"`
	ToolUseID string `json:"tool_use_id"`
}

func parseInput(body []byte) input {
	var in input
	if in.err = json.Unmarshal(body, &in); in.err == nil {
		in.err = json.Unmarshal(body, &in.fields)
	}
	return in
}

// blocks lists the content of a message; a string is one text block.
func (m *inputMessage) blocks() ([]inputBlock, error) {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return []inputBlock{{Type: "text", Text: text}}, nil
	}
	var blocks []inputBlock
	err := json.Unmarshal(m.Content, &blocks)
	return blocks, err
}

// prompt is the text of the last user message.
func (in *input) prompt() string {
	for i := len(in.Messages) - 1; i >= 0; i-- {
		if m := &in.Messages[i]; m.Role == "user" {
			text := ""
			blocks, _ := m.blocks()
			for _, b := range blocks {
				text += b.Text
			}
			return text
		}
	}
	return ""
}

// unknown names the fields of the body that are not in known, a list with spaces. Strict providers refuse them.
func (in *input) unknown(known string) []string {
	var problems []string
	for name := range in.fields {
		if !strings.Contains(" "+known+" ", " "+name+" ") {
			problems = append(problems, name+": Extra inputs are not permitted")
		}
	}
	return problems
}

// unpairedBlocks checks that calls and results of the Messages API stand together. It is written apart from the engine's own
// check on purpose.
func (in *input) unpairedBlocks() []string {
	var problems []string
	open := map[string]bool{}
	for i := range in.Messages {
		m := &in.Messages[i]
		blocks, err := m.blocks()
		if err != nil || len(blocks) == 0 {
			problems = append(problems, fmt.Sprintf("messages.%d: all messages must have non-empty content", i))
		}
		calls, text := map[string]bool{}, false
		for _, b := range blocks {
			switch b.Type {
			case "text":
				text = true
				if b.Text == "" {
					problems = append(problems, fmt.Sprintf("messages.%d: text content blocks must be non-empty", i))
				}
			case "tool_use":
				calls[b.ID] = true
			case "tool_result":
				if text {
					problems = append(problems, fmt.Sprintf("messages.%d: tool results must come first", i))
				}
				if !open[b.ToolUseID] {
					problems = append(problems, fmt.Sprintf("messages.%d: unexpected `tool_use_id` found in `tool_result` blocks: %s", i, b.ToolUseID))
				}
				delete(open, b.ToolUseID)
			}
		}
		for id := range open {
			problems = append(problems, fmt.Sprintf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s", i-1, id))
		}
		open = calls
	}
	for id := range open {
		problems = append(problems, "messages: `tool_use` ids were found without `tool_result` blocks immediately after: "+id)
	}
	return problems
}

// unpairedMessages does so for Chat Completions.
func (in *input) unpairedMessages() []string {
	var problems []string
	open := map[string]bool{}
	unanswered := func() {
		for id := range open {
			problems = append(problems, "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "+id)
		}
		open = map[string]bool{}
	}
	for i := range in.Messages {
		m := &in.Messages[i]
		if m.Role == "tool" {
			if !open[m.ToolCallID] {
				problems = append(problems, fmt.Sprintf("messages.%d: messages with role 'tool' must be a response to a preceding message with 'tool_calls'", i))
			}
			delete(open, m.ToolCallID)
			continue
		}
		unanswered()
		for _, call := range m.ToolCalls {
			open[call.ID] = true
		}
		empty := len(m.Content) == 0 || string(m.Content) == "null"
		if empty && (m.Role != "assistant" || len(m.ToolCalls) == 0 && m.Refusal == "") {
			problems = append(problems, fmt.Sprintf("messages.%d: content or tool_calls must be set", i))
		}
	}
	unanswered()
	return problems
}
