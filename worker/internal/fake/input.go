package fake

import (
	"encoding/json"
	"strings"
)

// input is the body of a request, with the fields of all protocols.
type input struct {
	err      error
	body     []byte
	path     string // of the request, which names the model of Gemini
	fields   map[string]json.RawMessage
	contents []content // of Gemini
	reports  bool      // the answer has input_transformations
	triggers bool      // of Responses: it ends in a compaction_trigger
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
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	ClearAt string          `json:"clear_at"`
	Output  struct {
		Effort string `json:"effort"`
	} `json:"output_config"`
}

type inputBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Input     json.RawMessage `json:"input"`
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
	in := input{body: body}
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

// names reports whether the request says which tool the model calls.
func (in *input) names() bool {
	var choice struct {
		Name     string
		Function struct{ Name string }
	}
	return json.Unmarshal(in.fields["tool_choice"], &choice) == nil && choice.Name+choice.Function.Name != ""
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

// transformation is an element of input_transformations.
type transformation struct {
	Type   string `json:"type"`
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// content is one of the contents of a request to Gemini.
type content struct {
	Role  string            `json:"role"`
	Parts []json.RawMessage `json:"parts"`
}
