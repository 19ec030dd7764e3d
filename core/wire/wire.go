// Package wire is the single JSON door to the engine: a name, a request, an answer. The wasm module and the worker are
// hinges on it and hold no rules of their own.
//
// Start with Handle for one JSON document in and one out, or HandleBeside where a conversation of many megabytes
// travels beside the JSON and not inside it.
package wire

import (
	"errors"
	"slices"
	"strings"

	"tamp/core"
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
// conversation. Answers never share memory with the arguments that the caller may write to.
func HandleBeside(op string, in, conversation []byte) (out, rendered []byte) {
	r, err := decode(in)
	if err == nil {
		if r.conversation != nil {
			err = msg.NewError(msg.BadRequest, "/conversation", "cannot read request: the conversation travels beside it, not inside")
		}
		r.text = conversation
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
