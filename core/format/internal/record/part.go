package record

import (
	"bytes"
	"strings"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/parts"
	"tamp/core/format/internal/pixel"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Part describes parts of some types. Paths have a "/" between members.
type Part struct {
	Types  string // the types, with "|" between; one that ends in "*" is the start of several
	Kind   msg.Kind
	Text   string // the path of the text, of a call's input, or of the data of an image or a file
	More   string // the path of what signs thinking or a call, or of the media type of data
	ID     string // the path of a call's id
	Name   string // the path of a call's name; "" if it is the end of its type
	State  string // the path of the state that says whether a call has a result; "" if none does
	Open   string // the state of a call without one
	Failed string // the path of an error, and its state
	Done   string // the path of any other result, and its state
	Denied string // the path of the state itself if the user denied the call, and its value
}

// At returns the member at a path, nil if there is none or the path is "".
func At(raw rawjson.Value, path string) rawjson.Value {
	if path == "" {
		return nil // a search by name would read all of raw
	}
	for _, name := range strings.Split(path, "/") {
		raw = raw.Member(name)
	}
	return raw
}

// Set returns the object with the member at a path set.
func Set(raw rawjson.Value, path string, value rawjson.Value) rawjson.Value {
	name, rest, nested := strings.Cut(path, "/")
	if nested {
		inner := raw.Member(name)
		if inner.Kind() != '{' {
			inner = rawjson.Value("{}")
		}
		value = Set(inner, rest, value)
	}
	return raw.With(name, value)
}

// row returns the description of a part, nil for a part of the client's own.
func (s *Shape) row(kind string) *Part {
	for i := range s.Parts {
		for _, name := range strings.Split(s.Parts[i].Types, "|") {
			if start, open := strings.CutSuffix(name, "*"); name == kind || open && strings.HasPrefix(kind, start) {
				return &s.Parts[i]
			}
		}
	}
	return nil
}

// read reads one part: a block that has Raw and Path. It returns the result that the part has too, or nil. The block of
// a part of the client's own has no Kind.
func (s *Shape) read(b *msg.Block) (result *msg.Block, err error) {
	if b.Type = b.Raw.Member("type").Text(); s.Type != nil {
		if err = s.Type(b); err != nil || b.Kind != "" {
			return nil, err
		}
	}
	p := s.row(b.Type)
	if p == nil {
		return nil, nil
	}
	b.Kind = p.Kind
	text, more := At(b.Raw, p.Text), At(b.Raw, p.More)
	switch {
	case p.Kind == msg.KindOther:
		b.Text = b.Raw.Plain()
	case p.Kind == msg.KindDocument:
		if block.Media(b, more.Text(), text); b.Image != nil && p.Text == "data" {
			b.Image = pixel.ReadData(pixel.Of(text)) // an address is no base64
		}
	case p.Kind != msg.KindToolUse:
		b.Text, err = document.Text(text, b.Path, p.Text)
		if b.Kind == msg.KindToolResult { // a part of its own
			b.ID, b.IsError = At(b.Raw, p.ID).Text(), b.Raw.Member("is_error").IsTrue()
		}
		if b.Kind == msg.KindThinking {
			b.Signed, b.Sealed = len(more) > len(`""`) && !more.IsNull(), document.Sealed(more)
			b.Bound = strings.Contains(string(more), `"rs_`) // an item of Responses
		}
	default:
		b.Sealed = document.Sealed(more)
		if b.Text = text.Plain(); strings.HasPrefix(b.Text, `"{`) {
			b.Text = text.Text() // its JSON as a text
		} else if b.Text == "" {
			b.Text = "{}"
		}
		if b.ID, err = document.Text(At(b.Raw, p.ID), b.Path, p.ID); err != nil {
			return nil, err
		}
		if b.Name = At(b.Raw, p.Name).Text(); p.Name == "" {
			_, b.Name, _ = strings.Cut(b.Type, "-")
		}
		result = s.result(b, p)
	}
	return result, err
}

// result returns the result of a call, nil if it has none.
func (s *Shape) result(call *msg.Block, p *Part) *msg.Block {
	b := &msg.Block{Kind: msg.KindToolResult, Type: call.Type, ID: call.ID, Name: call.Name}
	has := At(call.Raw, p.State).Text()
	for _, end := range [...]string{p.Done, p.Failed, p.Denied} {
		path, state, _ := strings.Cut(end, " ")
		if end != "" && has == state {
			b.Raw, b.Path, b.IsError = At(call.Raw, path), call.Path+"/"+path, end != p.Done
		}
	}
	if b.Raw == nil {
		return nil
	}
	b.Text = block.Value(b.Raw)
	if s.Result != nil {
		s.Result(call, b)
	}
	return b
}

// write writes a part: its changes, or a new text. result is its result, nil if it has none.
func (s *Shape) write(b, result *msg.Block) (rawjson.Value, error) {
	raw, change := b.Raw, b.Changed&^msg.ChangedCache
	if len(raw) == 0 {
		if b.Kind == msg.KindText || b.Kind == msg.KindSummary {
			return Set(rawjson.Value(s.Text), "text", rawjson.Quote(b.Text)), nil
		}
		if b.Kind == msg.KindToolResult && s.Write != nil {
			return s.Write(b)
		}
		return nil, parts.Unwritable(b)
	}
	p := s.row(b.Type)
	if p == nil && s.Write != nil {
		return s.Write(b)
	}
	isCall := b.Kind == msg.KindToolUse
	switch {
	case change == 0 && !isCall:
		return raw, nil
	case p == nil, p.Text == "", !isCall && (p.Kind != msg.KindText || change != msg.ChangedText):
		return nil, parts.Unwritable(b)
	case !isCall:
		return Set(raw, p.Text, rawjson.Quote(b.Text)), nil
	}
	if change&msg.ChangedID != 0 {
		raw = Set(raw, p.ID, rawjson.Quote(b.ID))
	}
	if change&msg.ChangedInput != 0 {
		input, err := block.Object(b)
		if err != nil {
			return nil, err
		}
		if At(raw, p.Text).Kind() == '"' {
			input = rawjson.Quote(string(input))
		}
		raw = Set(raw, p.Text, input)
	}
	return s.answered(raw, p, result)
}

// has reports whether a call has a result as it is. One that a repair moved to its call was read elsewhere.
func (p *Part) has(call rawjson.Value, b *msg.Block) bool {
	if len(b.Raw) == 0 || b.Changed&msg.ChangedText != 0 {
		return false
	}
	for _, end := range [...]string{p.Done, p.Failed, p.Denied} {
		if path, _, _ := strings.Cut(end, " "); end != "" && bytes.Equal(At(call, path), b.Raw) {
			return true
		}
	}
	return false
}

// answered returns a call with its result.
func (s *Shape) answered(raw rawjson.Value, p *Part, result *msg.Block) (rawjson.Value, error) {
	if result != nil && p.has(raw, result) {
		return raw, nil
	}
	end := p.Done
	if result != nil && result.IsError && p.Failed != "" {
		end = p.Failed
	}
	path, state, _ := strings.Cut(end, " ")
	if result == nil {
		if state = p.Open; p.State == "" {
			return raw.Without(path), nil
		}
	}
	if p.State != "" {
		raw = Set(raw, p.State, rawjson.Quote(state))
	}
	if result == nil {
		return raw, nil
	}
	made := rawjson.Quote(result.Text)
	if s.Made != nil {
		return s.Made(raw, path, result)
	}
	return Set(raw, path, made), nil
}

// create returns a new record, with the members that s.Copy names of the record before it.
func (s *Shape) create(role msg.Role, near rawjson.Value, model string) rawjson.Value {
	raw := rawjson.Value(s.New[0])
	if role == msg.Assistant {
		raw = rawjson.Value(s.New[1])
	}
	if role != msg.Assistant && role != msg.User { // only UIMessage[] has others
		raw = Set(raw, s.Role, rawjson.Quote(string(role)))
	}
	for _, path := range strings.Split(s.Copy, "|") {
		if value := At(near, path); value != nil {
			raw = Set(raw, path, value)
		}
	}
	if s.Model != "" && model != "" {
		raw = Set(raw, s.Model, rawjson.Quote(model))
	}
	return raw
}

// Usage reads the API's counts: the paths of the input, the cached part, what was written to the cache and the output.
func Usage(raw rawjson.Value, paths string) *msg.Usage {
	var n [4]int
	i := 0
	for _, path := range strings.Split(paths, "|") {
		n[i] = document.Int(At(raw, path))
		i++
	}
	if n[0]+n[1]+n[2] == 0 {
		return nil
	}
	return &msg.Usage{Input: n[0], CacheRead: n[1], CacheWrite: n[2], Output: n[3]}
}
