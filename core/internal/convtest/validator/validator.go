// Package validator reports whether a provider would accept a request, and which rules it violates. It is a second
// opinion for tests: written from the rules of the providers over decoded JSON, it shares no code with the rules in
// core/msg and with the codecs, so that an error in one of them shows as a disagreement. Only tests import it.
//
// Start with Decode and Check for one request, and with Compare for the two rules that need the request before.
package validator

import "fmt"

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
