package convtest

import (
	"bytes"

	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Where a document of each format has its messages. Break, Damage and the tests that cut documents use it.

// layout names the members of a format.
type layout struct {
	list    string   // the list of messages of a body
	line    string   // the member of a line that has the message; "" for the line itself
	content string   // the list of parts of a message
	role    string   // the member that has the role of a message
	roles   []string // values of it
	part    string   // a part without content
}

func layoutOf(format string) layout {
	l := layout{list: "messages", line: "message", content: "content", role: "role",
		roles: []string{"user", "assistant", "system"}, part: `{"type":"text","text":""}`}
	switch format {
	case msg.VSCodeChat:
		l.list, l.content, l.role, l.part = "requests", "response", "message", `{"value":"x"}`
	case msg.KimiCLI:
		l.line = ""
	case msg.CopilotCLI:
		l.line = "data"
	case msg.QwenCode:
		l.content, l.roles, l.part = "parts", []string{"user", "model", "robot"}, `{"text":""}`
	case msg.Gemini:
		l.list, l.content, l.roles, l.part = "contents", "parts", []string{"user", "model", "function", "robot"}, `{"text":""}`
	case msg.Interactions:
		l.list, l.role, l.part = "input", "type", `{"type":"text","text":""}`
	case msg.OpenAIResponses:
		l.list, l.part = "input", `{"type":"input_text","text":""}`
	case msg.Codex:
		l.line, l.part = "payload", `{"type":"input_text","text":""}`
	case msg.AISDKUI:
		l.content = "parts"
	case msg.OpenCode:
		l.content, l.role = "parts", ""
	case msg.Pi:
		l.roles = []string{"user", "assistant", "custom", "bashExecution", "robot"}
	case msg.GeminiCLI:
		l.line, l.role, l.roles, l.part = "", "type", []string{"user", "gemini", "info", "robot"}, `{"text":""}`
	}
	return l
}

// empty lists contents with nothing in them.
func (l layout) empty() []string {
	if l.content == "parts" {
		return []string{`[]`, `null`, `[` + l.part + `]`}
	}
	return []string{`""`, `[]`, `[` + l.part + `]`}
}

// The members that have the id of a call, in a message and in a part.
var (
	messageIDs = []string{"tool_call_id", "call_id", "toolCallId"}
	partIDs    = []string{"id", "tool_use_id", "toolCallId", "callID"}
)

// List returns the name of the member of a request body that holds the messages.
func List(format string) string { return layoutOf(format).list }

// IsLines reports whether a document that Conversation made is JSON Lines.
func IsLines(format string, doc []byte) bool {
	switch format {
	case msg.ClaudeCode, msg.Codex, msg.Pi, msg.QwenCode, msg.KimiCLI, msg.CopilotCLI, msg.Aider:
		return true
	case msg.GeminiCLI:
		return rawjson.Value(bytes.TrimSpace(doc)).Member("messages").Kind() != '['
	}
	return false
}

// inDocument changes one message of a document, or its list of messages. In JSON Lines only a message is changed, since
// lines are tied to each other by more than their order.
func inDocument(t *rapid.T, format string, doc []byte, list func([]rawjson.Value) []rawjson.Value,
	message func(m rawjson.Value, others []rawjson.Value) rawjson.Value) []byte {
	l := layoutOf(format)
	if format == msg.Aider {
		return doc // no JSON
	}
	if IsLines(format, doc) {
		lines := bytes.Split(bytes.TrimSuffix(doc, []byte("\n")), []byte("\n"))
		n := between(t, "line", 0, len(lines)-1)
		line := rawjson.Value(lines[n])
		if l.line == "" {
			lines[n] = rawjson.Value(message(line, nil)).Line()
		} else if m := line.Member(l.line); m != nil {
			lines[n] = line.With(l.line, rawjson.Value(message(m, nil).Line()))
		}
		return append(bytes.Join(lines, []byte("\n")), '\n')
	}
	top := rawjson.Value(bytes.TrimSpace(doc))
	all := top
	if top.Kind() == '{' {
		all = top.Member(l.list)
	}
	messages := elements(all)
	if changed := list(messages); changed != nil {
		messages = changed
	} else if len(messages) > 0 {
		n := between(t, "message", 0, len(messages)-1)
		messages[n] = message(messages[n], messages)
	}
	all = all.WithElements(messages)
	if top.Kind() == '{' {
		return top.With(l.list, all)
	}
	return all
}

// withFirst returns an object with the first of the named members that it has changed; false if it has none.
func withFirst(object rawjson.Value, names []string, value rawjson.Value) (rawjson.Value, bool) {
	for _, name := range names {
		if object.Member(name) != nil {
			return object.With(name, value), true
		}
	}
	return object, false
}
