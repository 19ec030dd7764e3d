// Package wire is the JSON entry point of the engine: an operation, a request, an answer. The wasm module and the
// servers are adapters of it and hold no rules of their own.
//
// Start with Engine.Do; Engine.Start is the whole compaction loop for a host in Go. The operations, with the types of
// their requests and answers, are the table in ops.go; tools/dts writes the same table for TypeScript.
//
// It is not a part of the API (see package core).
package wire

import (
	"reflect"
	"strings"

	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/structjson"
	"tamp/core/msg"
	"tamp/core/policy"
)

// Version of the engine, as every surface reports it. wasm/npm/package.json repeats it for npm; a test compares them.
const Version = "0.1.0"

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

// read decodes a request into the request type of its operation. A member of another operation's requests is ignored if
// its type is right, so that one object can be the input of several operations. An unknown member is an error, and so
// is a missing one.
func (e *Engine) read(o *operation, header, body []byte) (*call, any, error) {
	c := &call{engine: e, text: body}
	request := reflect.New(o.request)
	if len(header) == 0 {
		header = []byte("{}")
	}
	if len(header) > msg.MaxBytes {
		return nil, nil, msg.NewError(msg.TooLarge, "", "cannot read request: it is larger than 256 MiB")
	}
	skips, err := msg.ValidateIndex(header)
	if err != nil {
		return nil, nil, err
	}
	c.skips = skips
	raw := trim(header)
	if raw.Kind() != '{' {
		return nil, nil, badRequest("", "it must be a JSON object")
	}
	if err := structjson.Unmarshal(skips, raw, request.Elem(), "",
		func(key string, value rawjson.Value) *Error { return c.other(o, key, value) }); err != nil {
		if strings.HasPrefix(err.Path+"/", "/plan/") {
			err.Code = msg.BadPlan
		}
		return nil, nil, err
	}
	switch {
	case c.inline == nil:
		c.skips = nil // so that the header may be freed
	case body != nil:
		return nil, nil, badRequest("/conversation", "there is a conversation in the request and in its body")
	case c.inline.Kind() == '"':
		c.asText, c.text = true, []byte(c.inline.Text())
	default:
		c.text = c.inline
	}
	return c, request.Interface(), nil
}

// other takes the members of a request of operation o that its type does not have: the conversation, and those of other
// operations.
func (c *call) other(o *operation, key string, value rawjson.Value) *Error {
	if key == "conversation" {
		c.inline = value
		return nil
	}
	t := c.engine.requestWith(key)
	if t == nil {
		return structjson.Unknown("", key, o.members())
	}
	to, _ := structjson.Member(reflect.New(t).Elem(), key)
	if to.Kind() == reflect.Slice {
		return nil // lists of one name have several types
	}
	return structjson.Unmarshal(c.skips, value, to, "/"+key, nil) // a wrong type is an error all the same
}

// requestWith returns the first request type in the table with a member of that name, nil if there is none.
func (e *Engine) requestWith(name string) reflect.Type {
	if e.requests == nil {
		e.requests = map[string]reflect.Type{}
		for _, o := range operations {
			for _, member := range structjson.Names(o.request) {
				if e.requests[member] == nil {
					e.requests[member] = o.request
				}
			}
		}
	}
	return e.requests[name]
}

// trim cuts the white space around a JSON document.
func trim(in []byte) rawjson.Value {
	start, end := 0, len(in)
	for start < end && in[start] <= ' ' {
		start++
	}
	for end > start && in[end-1] <= ' ' {
		end--
	}
	return in[start:end]
}
