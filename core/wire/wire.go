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
	"tamp/core/internal/structjson"
	"tamp/core/msg"
)

// Version of the engine, as every surface reports it.
const Version = "0.1.0"

// Ops lists the names that Handle knows, sorted. A Door knows more: those of doorOps and sessionOps.
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
func Do(op string, in []byte) ([]byte, Figures, error) { return do(nil, op, in) }

func do(d *Door, op string, in []byte) ([]byte, Figures, error) {
	r, err := readInside(in)
	if err == nil {
		r.door = d
	}
	value, body, err := run(op, r, err)
	if err != nil {
		return nil, Figures{}, err
	}
	if op == "archive" {
		return r.answer(nil, body), Figures{}, nil
	}
	return r.answer(structjson.Marshal(value), body), figuresOf(value), nil
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

// body is a document beside an answer.
type body struct {
	bytes []byte
	text  bool // it is no JSON value: a session log, an archive
}

func run(op string, r *request, err error) (any, *body, error) {
	if err != nil {
		return nil, nil, err
	}
	f := ops[op]
	if f == nil && r.door != nil {
		f = doorOps[op]
		if name, ok := strings.CutPrefix(op, "session."); ok && f == nil {
			return onSession(name, r)
		}
	}
	if f == nil {
		return nil, nil, unknown(op)
	}
	return f(r)
}

func unknown(op string) error {
	return msg.NewError(msg.BadRequest, "", "cannot do \""+shorten(op)+"\": there are "+strings.Join(Ops(), ", "))
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

// shorten shortens a name of the caller's for an error message.
func shorten(s string) string { return msg.Shorten(s, 40) }
