// Package format reads and writes conversations in the formats that providers and agents use. It is a table over the
// codecs below it; each keeps every byte that it does not change. Start with Parse and Render.
package format

import (
	"strings"

	"tamp/core/format/anthropic"
	"tamp/core/format/claudecode"
	"tamp/core/format/internal/document"
	"tamp/core/format/openaichat"
	"tamp/core/msg"
)

// Name is the name of a format: msg.Anthropic, msg.OpenAIChat, msg.ClaudeCode.
type Name = string

// codec is one row of the table.
type codec struct {
	name   Name
	title  string // for people
	parse  func([]byte) (*msg.Conversation, error)
	read   func(*document.Document) (*msg.Conversation, error) // parse of a document that was read already; nil for lines
	render func(*msg.Conversation) ([]byte, error)
}

var codecs = [...]codec{
	{msg.Anthropic, "an Anthropic Messages body or its messages array", anthropic.Parse, anthropic.Read, anthropic.Render},
	{msg.OpenAIChat, "an OpenAI Chat Completions body or its messages array", openaichat.Parse, openaichat.Read, openaichat.Render},
	{msg.ClaudeCode, "a Claude Code session log (JSONL)", claudecode.Parse, nil, claudecode.Render},
}

// Names lists the formats, in the order in which surfaces show them.
func Names() []Name {
	names := make([]Name, len(codecs))
	for i := range codecs {
		names[i] = codecs[i].name
	}
	return names
}

// Parse reads a conversation; an empty name means the format that Detect returns.
// The conversation shares memory with data, which must not change as long as the conversation is used.
//
// Errors are *msg.Error: bad_json with line and column, unknown_format with a description of the input and the accepted formats,
// bad_message with a JSON Pointer, too_large.
func Parse(data []byte, name Name) (*msg.Conversation, error) {
	if err := document.Size(data); err != nil {
		return nil, err
	}
	var d *document.Document
	if name == "" {
		var err error
		if name, d, err = recognize(data); err != nil {
			return nil, err
		}
	}
	return parse(data, d, name)
}

// ParseValid is Parse of a JSON value of a validated document. It does not validate value again. index is that of the document,
// or nil.
func ParseValid(value msg.Raw, name Name, index *msg.Index) (*msg.Conversation, error) {
	d := document.ReadValid(value, index)
	if value.Kind() != '[' && d.Fields.Messages.Kind() != '[' {
		return Parse(value, name) // a line of a log, or an error
	}
	if name == "" {
		var err error
		if name, err = recognizeDocument(d); err != nil {
			return nil, err
		}
	}
	return parse(value, d, name)
}

// parse reads data in the named format; d is the document if it was read already, or nil.
func parse(data []byte, d *document.Document, name Name) (*msg.Conversation, error) {
	for i := range codecs {
		switch codec := &codecs[i]; {
		case codec.name != name:
		case codec.read == nil || d == nil:
			return codec.parse(data)
		default:
			if err := d.Open(); err != nil {
				return nil, err
			}
			return codec.read(d)
		}
	}
	return nil, unknownName(name)
}

// Render writes a conversation in its own format. Unchanged parts are written byte for byte as in the
// input; if nothing changed, the result is the input itself.
func Render(c *msg.Conversation) ([]byte, error) {
	for i := range codecs {
		if codecs[i].name == c.Format {
			return codecs[i].render(c)
		}
	}
	return nil, unknownName(c.Format)
}

func unknownName(name Name) error {
	return msg.NewError(msg.UnknownFormat, "", "cannot use the format "+clip(name)+": it is unknown; accepted are "+
		strings.Join(Names(), ", "))
}

// accepted lists the formats for an error.
func accepted() string {
	titles := make([]string, len(codecs))
	for i := range codecs {
		titles[i] = codecs[i].title
	}
	last := len(titles) - 1
	return strings.Join(titles[:last], ", ") + " or " + titles[last]
}
