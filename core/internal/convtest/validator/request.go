package validator

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Violation is one reason to refuse a request.
type Violation struct {
	Rule string // the id of the rule: "A2_unanswered"
	ID   string // of the call or the result; "" if the violation is not about one
	Why  string // the position in the request and the reason
	// Last says that the violation is at the end of the request and that a message which is still to come would repair it:
	// a call that waits for its result. The provider refuses the request all the same.
	Last bool
}

func (b Violation) String() string { return fmt.Sprintf("%s %q: %s", b.Rule, b.ID, b.Why) }

// The names of the formats.
const (
	Anthropic  = "anthropic"
	OpenAIChat = "openai-chat"
	ClaudeCode = "claude-code"
	Gemini     = "gemini"
	AISDK      = "ai-sdk"
	Items      = "openai-responses"
	Rollout    = "codex"
	Pi         = "pi"
	OpenCode   = "opencode"
	GeminiCLI  = "gemini-cli"
	AISDKUI    = "ai-sdk-ui"
	Cline      = "cline"
	QwenCode   = "qwen-code"
	KimiCLI    = "kimi-cli"
	CopilotCLI = "copilot-cli"
	VSCodeChat = "vscode-chat"
)

// Request is a decoded request body. A bare array of messages has nothing but Format and Messages.
type Request struct {
	Format   string
	Messages []Message
	Model    string
	System   any // a string, an array of blocks, or nil
	Tools    any
	Cache    any // the cache_control next to the messages
	// Stateless says that the provider keeps nothing of a Responses request.
	Stateless bool
	Others    []any // the other members of a body
	Budget    bool  // thinking has the type "enabled", with a budget of tokens
}

// Message is one decoded message. In a log, all lines of one message are joined.
type Message struct {
	Role  string
	Value map[string]any
}

// decode reads one JSON value. Numbers keep their digits.
func decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var value any
	err := d.Decode(&value)
	return value, err
}

// Canonical writes a decoded value so that equal values have equal texts.
func Canonical(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic("validator: cannot encode a decoded value: " + err.Error())
	}
	return string(text)
}

// content lists the blocks of a message; a string is one text block. ok is false where the message has no content at
// all: none, null, or a value of another type.
func (m *Message) content() (blocks []map[string]any, ok bool) {
	switch content := m.Value["content"].(type) {
	case string:
		if content == "" {
			return nil, true
		}
		return []map[string]any{{"type": "text", "text": content}}, true
	case []any:
		for _, element := range content {
			block, _ := element.(map[string]any)
			blocks = append(blocks, block)
		}
		return blocks, true
	}
	return nil, false
}

func text(block map[string]any, name string) string {
	value, _ := block[name].(string)
	return value
}
