package fake

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// input is the body of a request, with the fields of all protocols.
type input struct {
	err      error
	path     string // of the request, which names the model of Gemini
	fields   map[string]json.RawMessage
	items    []item    // of Responses
	contents []content // of Gemini
	reports  bool      // the answer has input_transformations
	dropped  []transformation
	signed   *prefix // of the request as it was sent, for the signature of the answer

	Model               string          `json:"model"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	System              json.RawMessage `json:"system"`
	Messages            []inputMessage  `json:"messages"`
	Tools               []tool          `json:"tools"`
	Thinking            struct {
		Type    string `json:"type"`
		Budget  int    `json:"budget_tokens"`
		Binding struct {
			Behavior string `json:"prefix_mismatch_behavior"`
		} `json:"block_binding"`
	} `json:"thinking"`
	Cache         *cache `json:"cache_control"`
	Stream        bool   `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type inputMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tool_calls"`
	Calls     json.RawMessage `json:"-"` // tool_calls as it came
	Reasoning *string         `json:"reasoning_content"`
	ClearAt   string          `json:"clear_at"`
	Output    struct {
		Effort string `json:"effort"`
	} `json:"output_config"`
	Refusal string `json:"refusal"`
}

func (m *inputMessage) UnmarshalJSON(text []byte) error {
	type plain inputMessage
	var members struct {
		Calls json.RawMessage `json:"tool_calls"`
	}
	err := errors.Join(json.Unmarshal(text, (*plain)(m)), json.Unmarshal(text, &members))
	m.Calls = members.Calls
	return err
}

type inputBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Citations []any           `json:"citations"`
	Content   json.RawMessage `json:"content"`
	Cache     *cache          `json:"cache_control"`
	raw       json.RawMessage
}

func (b *inputBlock) UnmarshalJSON(text []byte) error {
	type plain inputBlock
	err := json.Unmarshal(text, (*plain)(b))
	b.raw = append(json.RawMessage(nil), text...)
	return err
}

// tool is the definition of a tool, in the format of either API.
type tool struct {
	Name   string          `json:"name"`
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"input_schema"`
	Cache  *cache          `json:"cache_control"`
}

type cache struct {
	Type string `json:"type"`
	TTL  string `json:"ttl"`
}

func parseInput(body []byte) input {
	var in input
	if at := lone(body); at >= 0 {
		in.err = fmt.Errorf("no low surrogate in string: line 1 column %d (char %d)", at+1, at)
		return in
	}
	if in.err = json.Unmarshal(body, &in); in.err == nil {
		in.err = json.Unmarshal(body, &in.fields)
	}
	return in
}

// blocks lists the content of a message; a string is one text block.
func (m *inputMessage) blocks() ([]inputBlock, error) { return blocksOf(m.Content) }

func blocksOf(content json.RawMessage) ([]inputBlock, error) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []inputBlock{{Type: "text", Text: text, raw: marshal(object{"type": "text", "text": text})}}, nil
	}
	var blocks []inputBlock
	err := json.Unmarshal(content, &blocks)
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

// unknown reports the fields of the body that are not in known, a list separated by spaces. Strict providers refuse
// them.
func (in *input) unknown(known string) []string {
	var problems []string
	for name := range in.fields {
		if !strings.Contains(" "+known+" ", " "+name+" ") {
			problems = append(problems, name+": Extra inputs are not permitted")
		}
	}
	return problems
}

// unpairedMessages checks that each call of Chat Completions has its result in the next messages.
func (in *input) unpairedMessages() []string {
	var problems []string
	open := map[string]bool{}
	unanswered := func() {
		for id := range open {
			problems = append(problems,
				"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "+id)
		}
		open = map[string]bool{}
	}
	for i := range in.Messages {
		m := &in.Messages[i]
		if m.Role == "tool" {
			if !open[m.ToolCallID] {
				problems = append(problems,
					fmt.Sprintf("messages.%d: messages with role 'tool' must be a response to a preceding message with "+
						"'tool_calls'", i))
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
