// Package wire is the single JSON door to the engine: a name, a request, an answer. The wasm module and the worker are
// hinges on it and hold no rules of their own.
//
// Start with Handle for one JSON document in and one out, or HandleBeside where a conversation of many megabytes
// travels beside the JSON and not inside it.
package wire

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
)

// Version of the engine, as every surface reports it.
const Version = "0.1.0"

// Ops lists the names that Handle knows, sorted.
func Ops() []string {
	names := make([]string, 0, len(ops))
	for name := range ops {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Handle answers one request. in is a JSON object; its conversation is a JSON value, or a string that holds the text.
// The answer carries a conversation in the same way. A failure is an answer too: {"error":{"code","path","message"}}.
func Handle(op string, in []byte) []byte {
	r, err := decode(in)
	if err == nil && r.conversation != nil {
		r.asText = r.conversation.Kind() == '"'
		if r.asText {
			r.text = []byte(r.conversation.Text())
		} else {
			r.text = r.conversation
		}
	}
	header, body, err := run(op, r, err)
	if err != nil {
		return failure(err)
	}
	if body == nil {
		return header
	}
	if r.asText || body.text {
		body.bytes = msg.Quote(string(body.bytes))
	}
	if op == "archive" {
		return body.bytes
	}
	return splice(header, body.bytes)
}

// HandleBeside is Handle with the conversation's own bytes beside the JSON: what the caller has as text goes in
// unquoted and comes back unquoted, and is copied only once on its way. rendered is nil where the answer holds no
// conversation. It may share memory with conversation, which must not change while it is used.
func HandleBeside(op string, in, conversation []byte) (out, rendered []byte) {
	return new(Door).HandleBeside(op, in, conversation)
}

// Door is HandleBeside for one caller after another: it keeps the last conversation that it read, since a plan is mostly
// followed by its archive and its apply. Answers are the same with and without. It is not safe for concurrent use.
type Door struct {
	text   []byte
	format string // as asked for
	read   *msg.Conversation
}

// parse reads a conversation, or takes the one that was read last. Conversations are never changed in place.
func (d *Door) parse(text []byte, name string) (*msg.Conversation, error) {
	if d.read != nil && d.format == name && bytes.Equal(d.text, text) {
		return d.read, nil
	}
	*d = Door{} // the last one goes before the next comes: there may not be room for both
	c, err := format.Parse(text, name)
	if err == nil {
		*d = Door{text: text, format: name, read: c}
	}
	return c, err
}

// HandleBeside answers one request. The bytes of conversation must not change as long as the Door is used.
func (d *Door) HandleBeside(op string, in, conversation []byte) (out, rendered []byte) {
	r, err := decode(in)
	if err == nil {
		if r.conversation != nil {
			err = msg.NewError(msg.BadRequest, "/conversation", "cannot read request: the conversation travels beside it, not inside")
		}
		r.text, r.door = conversation, d
	}
	header, body, err := run(op, r, err)
	if err != nil {
		return failure(err), nil
	}
	if body == nil {
		return header, nil
	}
	return header, body.bytes
}

// body is a document beside an answer.
type body struct {
	bytes []byte
	text  bool // it is no JSON value: a session log, an archive
}

func run(op string, r *request, err error) ([]byte, *body, error) {
	if err != nil {
		return nil, nil, err
	}
	f, ok := ops[op]
	if !ok {
		return nil, nil, msg.NewError(msg.BadRequest, "", "cannot do \""+shorten(op)+"\": there are "+strings.Join(Ops(), ", "))
	}
	value, body, err := f(r)
	if err != nil {
		return nil, nil, err
	}
	return marshal(value), body, nil
}

// failure writes an error as an answer.
func failure(err error) []byte {
	var e *core.Error
	if !errors.As(err, &e) {
		e = msg.NewError(msg.Internal, "", err.Error())
	}
	out := msg.AppendQuote([]byte(`{"error":{"code":`), string(e.Code))
	out = msg.AppendQuote(append(out, `,"path":`...), e.Path)
	out = msg.AppendQuote(append(out, `,"message":`...), e.Msg)
	return append(out, "}}"...)
}

// splice puts the conversation into an answer, as it is.
func splice(header, conversation []byte) []byte {
	out := make([]byte, 0, len(header)+len(conversation)+20)
	out = append(append(out, `{"conversation":`...), conversation...)
	if len(header) > len("{}") {
		out = append(out, ',')
	}
	return append(out, header[1:]...)
}

func shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
