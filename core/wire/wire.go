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
	out, _, err := Do(op, in)
	if err != nil {
		return Failure(err)
	}
	return out
}

// Do is Handle for a host in Go: a failure is an *Error, and what a log may tell of an answer is beside it.
func Do(op string, in []byte) ([]byte, Figures, error) {
	r, err := readInside(in)
	value, body, err := run(op, r, err)
	if err != nil {
		return nil, Figures{}, err
	}
	if op == "archive" {
		return r.answer(nil, body), Figures{}, nil
	}
	return r.answer(marshal(value), body), figuresOf(value), nil
}

// readInside reads a request that holds its conversation.
func readInside(in []byte) (*request, error) {
	r, err := decode(in)
	if err == nil && r.conversation != nil {
		r.asText = r.conversation.Kind() == '"'
		if r.asText {
			r.text = []byte(r.conversation.Text())
		} else {
			r.text = r.conversation
		}
	}
	return r, err
}

// answer puts the conversation into an answer, as it is, or quoted where it came so. Without a header it is the answer.
func (r *request) answer(header []byte, b *body) []byte {
	if b == nil {
		return header
	}
	conversation := b.bytes
	if r.asText || b.text {
		conversation = msg.Quote(string(conversation))
	}
	if header == nil {
		return conversation
	}
	out := make([]byte, 0, len(header)+len(conversation)+20)
	out = append(append(out, `{"conversation":`...), conversation...)
	if len(header) > len("{}") {
		out = append(out, ',')
	}
	return append(out, header[1:]...)
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
	value, body, err := run(op, r, err)
	if err != nil {
		return Failure(err), nil
	}
	if body == nil {
		return marshal(value), nil
	}
	return marshal(value), body.bytes
}

// body is a document beside an answer.
type body struct {
	bytes []byte
	text  bool // it is no JSON value: a session log, an archive
}

func run(op string, r *request, err error) (any, *body, error) {
	if err != nil {
		return nil, nil, err
	}
	f, ok := ops[op]
	if !ok {
		return nil, nil, msg.NewError(msg.BadRequest, "", "cannot do \""+shorten(op)+"\": there are "+strings.Join(Ops(), ", "))
	}
	return f(r)
}

// Failure writes an error as an answer.
func Failure(err error) []byte {
	var e *core.Error
	if !errors.As(err, &e) {
		e = msg.NewError(msg.Internal, "", err.Error())
	}
	out := msg.AppendQuote([]byte(`{"error":{"code":`), string(e.Code))
	out = msg.AppendQuote(append(out, `,"path":`...), e.Path)
	out = msg.AppendQuote(append(out, `,"message":`...), e.Msg)
	return append(out, "}}"...)
}

func shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
