package format

import (
	"bytes"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/msg"
)

// Detect uses only the shape of the input, in this order:
//  1. one object a line, any of them with uuid and type           claude-code
//  2. an array, or an object with a messages array, in which
//     role tool or function, tool_calls or function_call is found  openai-chat
//     a block of a type that only Anthropic has is found           anthropic, at once if it is a tool's
//     a part of a type that only OpenAI has is found               openai-chat
//  3. next to the messages: system, or tools with input_schema     anthropic
//     tools with function                                          openai-chat
//  4. a first message of role system or developer                  openai-chat
//  5. any other messages, also none at all                         anthropic

// Detect returns the format of data by its shape, "" if Parse does not read it.
func Detect(data []byte) Name {
	if document.Size(data) != nil {
		return ""
	}
	name, _, _ := recognize(data)
	return name
}

// recognize is Detect, and returns the reason if there is no format, and the document if data is one JSON value.
func recognize(data []byte) (Name, *document.Document, error) {
	lines := firstLines(data)
	if lines.isLog {
		return msg.ClaudeCode, nil, nil
	}
	d, err := document.Read(data)
	if err != nil {
		if lines.isLines {
			return "", nil, unrecognized(seenLines(lines.first))
		}
		if restIsLog(data) {
			return msg.ClaudeCode, nil, nil // its first line is broken: Parse returns the error
		}
		return "", nil, err
	}
	if lines.isOne && isLogObject(d) {
		return msg.ClaudeCode, nil, nil
	}
	name, err := recognizeDocument(d)
	return name, d, err
}

// isLogObject reports whether an object is a line in the tree of a Claude Code log: it has a type and a uuid.
func isLogObject(d *document.Document) bool {
	return d.Fields.Type.Kind() == '"' && d.Fields.UUID.Kind() == '"' && d.Fields.Messages.Kind() != '['
}

func recognizeDocument(d *document.Document) (Name, error) {
	top, list := d.Top, d.Top
	switch top.Kind() {
	case '[':
	case '{':
		if list = d.Fields.Messages; list == nil {
			return "", unrecognized(seen(top))
		}
		if list.Kind() != '[' {
			return "", msg.NewError(msg.BadMessage, "/messages", "cannot read the conversation: messages is "+
				document.What(list)+", it must be an array")
		}
	default:
		return "", unrecognized(seen(top))
	}
	first := msg.Raw(nil)
	var votes votes
	for _, m := range list.Elements() {
		if first == nil {
			first = m
		}
		if votes.message(m); votes.openai {
			return msg.OpenAIChat, nil
		}
		if votes.tools {
			return msg.Anthropic, nil
		}
	}
	switch {
	case votes.foreign || first != nil && !votes.messages:
		if list.Kind() == '[' && top.Kind() == '{' && first != nil && !votes.foreign {
			return msg.Anthropic, nil // a valid body with invalid messages: Parse returns the error
		}
		return "", unrecognized(seen(top))
	case votes.anthropic:
		return msg.Anthropic, nil
	case votes.openaiPart:
		return msg.OpenAIChat, nil
	}
	if top.Kind() == '{' {
		if !d.Fields.System.IsNull() {
			return msg.Anthropic, nil
		}
		for _, tool := range d.Fields.Tools.Elements() {
			if tool.Member("input_schema") != nil {
				return msg.Anthropic, nil
			}
			if tool.Member("function") != nil || tool.Member("custom") != nil {
				return msg.OpenAIChat, nil
			}
		}
	}
	if role := first.Member("role").Text(); role == "system" || role == "developer" {
		return msg.OpenAIChat, nil
	}
	return msg.Anthropic, nil
}

// votes are the signs of a format in the messages.
type votes struct {
	messages   bool // at least one looks like a message
	openai     bool // decisive
	tools      bool // decisive
	anthropic  bool
	openaiPart bool
	foreign    bool // of a known format that Parse does not read
}

func (v *votes) message(m msg.Raw) {
	var role string
	var content, parts, kind msg.Raw
	for name, value := range m.Members() {
		switch name {
		case "role":
			role = value.Text()
			v.messages = true
		case "content":
			content = value
		case "parts":
			parts = value
		case "type":
			kind = value
		case "tool_calls", "function_call":
			v.openai = v.openai || !value.IsNull()
		}
	}
	if role == "tool" || role == "function" {
		v.openai = true
	}
	switch kind.Text() {
	case "function_call", "function_call_output", "reasoning", "item_reference", "custom_tool_call", "custom_tool_call_output":
		v.foreign = v.foreign || role == "" // items of OpenAI's Responses API
	}
	v.foreign = v.foreign || parts.Kind() == '[' && content == nil // Gemini, AI SDK
	for _, block := range content.Elements() {
		switch kind := block.Member("type").Text(); kind {
		case "tool_use", "tool_result":
			v.tools = true
		case "thinking", "redacted_thinking", "image", "document", "search_result",
			"server_tool_use", "mcp_tool_use", "container_upload", "compaction":
			v.anthropic = true
		case "image_url", "input_audio", "file", "refusal":
			v.openaiPart = true
		case "input_text", "output_text", "input_image":
			v.foreign = true
		default:
			v.anthropic = v.anthropic || strings.HasSuffix(kind, "_tool_result")
		}
	}
}

// head describes the first lines of a file.
type head struct {
	isOne   bool    // there is one line, which was not parsed
	first   msg.Raw // the first line, if it is a JSON value
	isLines bool    // at least two lines are JSON values
	isLog   bool
}

// firstLines reports whether a file is JSON Lines. It reads no further than needed.
func firstLines(data []byte) (h head) {
	start, end := document.Trim(data)
	rest, values := data[start:end], 0
	for len(rest) > 0 {
		line := rest
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			line, rest = rest[:n], rest[n+1:]
		} else {
			rest = nil
		}
		from, to := document.Trim(line)
		text := msg.Raw(line[from:to])
		if len(text) == 0 {
			continue
		}
		if h.isOne = values == 0 && len(rest) == 0; h.isOne {
			return h
		}
		if msg.Validate(text) != nil {
			if values == 0 {
				return h
			}
			continue
		}
		values++
		if h.first == nil {
			h.first = text
		}
		h.isLines = values > 1
		if h.isLog = isLogLine(text); h.isLog {
			return h
		}
	}
	return h
}

// restIsLog reports whether the lines after a broken first line are a log.
func restIsLog(data []byte) bool {
	const enough = 16 // the first lines of a log are enough to recognize it
	for n := 0; n < enough && len(data) > 0; n++ {
		line := data
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			line, data = data[:end], data[end+1:]
		} else {
			data = nil
		}
		from, to := document.Trim(line)
		if text := msg.Raw(line[from:to]); text.Kind() == '{' && msg.Validate(text) == nil && isLogLine(text) {
			return true
		}
	}
	return false
}

// isLogLine is isLogObject for a line that is valid JSON.
func isLogLine(line msg.Raw) bool { return isLogObject(document.ReadValid(line, nil)) }
