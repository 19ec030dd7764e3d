// Package wire is the JSON entry point of the engine: an operation, a request, an answer. The wasm module and the
// servers are adapters of it and hold no rules of their own.
//
// Start with Engine.Do; Engine.Start is the whole compaction loop for a host in Go. The operations, with the types of
// their requests and answers, are the table in ops.go; tools/dts writes the same table for TypeScript.
//
// It is not a part of the API (see package core).
package wire

import (
	"bytes"
	"errors"
	"reflect"
	"strings"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/structjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/recall"
	"tamp/core/tokens/bpe"
)

// Version of the engine, as every surface reports it. wasm/npm/package.json repeats it for npm; a test compares them.
const Version = "0.1.0"

// Engine answers requests, one at a time. It caches the last conversation that came as a body, since a plan is usually
// followed by its archive and its apply, and the token counts of texts; answers do not depend on these caches. It keeps
// the vocabularies and sessions that requests open. The zero value is ready to use. Not safe for concurrent use.
type Engine struct {
	last     parsed
	counters counters
	sessions map[int]*session
	requests map[string]reflect.Type // by the members of all operations; nil until it is needed

	// Vocabulary returns a vocabulary that the host has, nil for an unknown name. It is called when a request needs it.
	// nil: only operation loadVocabulary provides vocabularies.
	Vocabulary func(name string) *bpe.Vocabulary

	// Progress is called during a replay with the number of calls done. If it returns false, the replay ends and its
	// report has Stopped set. May be nil.
	Progress func(done, of int) bool

	// MaxWork limits the work of one replay or replayAt; see replay.Options. 0: no limit.
	MaxWork int

	// Text returns the body of a request as a string. nil: a copy. A host that changes no body may return a string that
	// shares its memory.
	Text func(body []byte) string
}

// parsed is a conversation and the bytes that it was parsed from.
type parsed struct {
	text         []byte
	format       string // as requested
	conversation *msg.Conversation
}

// Answer is the result of one request.
type Answer struct {
	Header  []byte // the answer as JSON
	Body    []byte // the conversation or archive that belongs to it; nil: none, or it is in Header
	Figures Figures

	// Reusable reports that neither the engine nor the answer refers to the request's header and body: the caller may
	// overwrite them.
	Reusable bool
}

// Do runs an operation. header is a JSON object, the request; empty means {}. The conversation is either body or the
// member conversation of the header: a JSON value, or a string that holds its text. The answer returns a conversation
// the same way: as its Body, as a JSON value or as a string. For an operation on a text, body is the text.
//
// The engine may refer to header and body until it is discarded, and the answer may share memory with body: neither may
// change, unless Answer.Reusable is set. Every error is an *Error.
func (e *Engine) Do(op string, header, body []byte) (Answer, error) {
	o := findOperation(op)
	if o == nil {
		return Answer{}, msg.NewError(msg.BadRequest, "",
			"cannot do \""+shorten(op)+"\": there are "+strings.Join(Ops(), ", "))
	}
	c, request, err := e.read(o, header, body)
	if err != nil {
		return Answer{}, err
	}
	value, err := o.run(c, request)
	if err != nil {
		return Answer{}, asError(err)
	}
	a := Answer{Figures: figuresOf(value), Reusable: o.reusable}
	if o.textOnly && c.inline != nil {
		a.Header = c.quoted()
		return a, nil
	}
	a.Header, a.Body = c.answer(structjson.Marshal(value))
	return a, nil
}

// parse parses a conversation, or returns the last one if it has the same text. Conversations are never changed in
// place.
func (e *Engine) parse(text []byte, name string) (*msg.Conversation, error) {
	if e.last.conversation != nil && e.last.format == name && bytes.Equal(e.last.text, text) {
		return e.last.conversation, nil
	}
	e.last = parsed{} // freed before the next one is parsed: there may not be memory for both
	c, err := format.Parse(text, name)
	if err == nil {
		e.last = parsed{text, name, c}
	}
	return c, err
}

// EncodeError writes an error as an answer: {"error":{"code","path","message"}}.
func EncodeError(err error) []byte {
	e := asError(err)
	out := rawjson.AppendQuote([]byte(`{"error":{"code":`), string(e.Code))
	out = rawjson.AppendQuote(append(out, `,"path":`...), e.Path)
	out = rawjson.AppendQuote(append(out, `,"message":`...), e.Msg)
	return append(out, "}}"...)
}

// asError returns err as an *Error; any other error is code internal.
func asError(err error) *Error {
	var e *Error
	if !errors.As(err, &e) {
		e = msg.NewError(msg.Internal, "", err.Error())
	}
	return e
}

// shorten shortens a name of the caller's for an error message.
func shorten(s string) string { return msg.Shorten(s, 40) }

// What a host in Go needs to name.
type (
	Error   = core.Error
	Request = core.SummaryRequest
	Result  = core.SummaryResult
	Code    = msg.Code
	Query   = recall.Query
)

// Formats lists the names of the supported conversation formats.
func Formats() []string { return format.Names() }

// Presets lists the names of the presets.
func Presets() []string {
	var names []string
	for _, p := range policy.Presets() {
		names = append(names, p.Name)
	}
	return names
}
