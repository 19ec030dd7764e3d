// Package validator reports whether a provider would accept a request, and which rules it violates. It is a second
// opinion for tests: written from the rules of the providers over decoded JSON, it shares no code with the rules in
// core/msg and with the codecs, so that an error in one of them shows as a disagreement. Only tests import it.
//
// Start with Decode and Check for one request, and with Compare for the two rules that need the request before.
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

// Check lists the rules that the request breaks; none means that the provider accepts it.
func (r *Request) Check() []Violation { return append(r.check(), r.halves()...) }

func (r *Request) check() []Violation {
	switch r.Format {
	case OpenAIChat, KimiCLI:
		return openAI(r)
	case Gemini:
		return gemini(r)
	case AISDK:
		return aiSDK(r)
	case Items, Rollout:
		var items []any
		for i := range r.Messages {
			items = append(items, r.Messages[i].Value)
		}
		return Responses(items, r.Stateless)
	case Pi, OpenCode, GeminiCLI, AISDKUI, Cline, QwenCode, CopilotCLI, VSCodeChat:
		return client(r)
	}
	return anthropic(r)
}

// Decode reads a document of the format: the request body, or the request that a session log leads to. A
// document that is no JSON of the format's shape is an error.
func Decode(format string, document []byte) (*Request, error) {
	document = mark(document)
	if format == ClaudeCode {
		return project(document)
	}
	if format == Rollout {
		return rollout(document)
	}
	if format == Pi {
		return piLog(document)
	}
	if format == QwenCode || format == KimiCLI || format == CopilotCLI {
		return messageLog(format, document)
	}
	value, err := decode(document)
	if body, _ := value.(map[string]any); format == GeminiCLI && body["messages"] == nil {
		return geminiLog(document)
	}
	if err != nil {
		return nil, err
	}
	request := &Request{Format: format}
	list, isList := value.([]any)
	if body, ok := value.(map[string]any); ok {
		member := "messages"
		switch format {
		case Gemini:
			member = "contents"
		case VSCodeChat:
			member = "requests"
		case Items:
			member = "input"
			request.Stateless = body["store"] == false
		}
		list, isList = body[member].([]any)
		request.Model, _ = body["model"].(string)
		request.System, request.Tools, request.Cache = body["system"], body["tools"], body["cache_control"]
		if thinking, ok := body["thinking"].(map[string]any); ok {
			request.Budget = thinking["type"] == "enabled"
		}
		for name, value := range body {
			if request.Others = append(request.Others, name); name != member {
				request.Others = append(request.Others, value)
			}
		}
	}
	if !isList {
		return nil, fmt.Errorf("the document has no messages")
	}
	for i := range list {
		message, ok := list[i].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("message %d is not an object", i)
		}
		role, _ := message["role"].(string)
		request.Messages = append(request.Messages, Message{Role: role, Value: message})
	}
	return request, nil
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
