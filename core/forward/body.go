// Package forward turns the request of an agent into the request to forward: the same document with a compacted
// history. It has no network and no storage.
//
//	tamp := forward.NewCompactor(forward.Options{Policy: p, Save: save})
//	body, err = tamp.Next(body, "anthropic") // before each model call, with the whole history
//
// It is a part of the API (see package core): the Compactor and its Options. The rest may change in any version.
//
// An agent in Go starts with a Compactor, which takes the whole history before each model call; a gateway with Read and
// Fold, and may keep a Checkpoint.
//
// # The compacted history is a pure function of the history
//
// Providers cache prompts by their bytes, and the client sends its whole original history with every call. So the
// compacted beginning of a request must have the same bytes in every request of a session, on every machine. Fold walks
// through the history: every assistant message marks an earlier call, made with the messages before it. At each of
// these points and at the end, the policy decides from the messages so far; a compaction applies to all later points.
//
//   - Invariant: losing checkpoints changes no byte of a result, unless Fold was forced.
//   - Each compaction is rendered and parsed again, so that a fold goes on from the same bytes as one that starts with
//     a checkpoint.
//   - cache_control on messages takes no part in it: clients move it with each request. Fold puts it back at the end.
package forward

import (
	"bytes"
	"maps"
	"slices"
	"strconv"

	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/models"
	"tamp/core/msg"
)

// Body is the document of a model call with its history.
type Body struct {
	data   []byte
	format format.Name
	model  string
	stored bool
	points []int
	first  []byte // message of the document, without cache_control

	members map[string]rawjson.Value // of the document
	live    *Live                    // to go on with and to keep; nil: none

	*content // nil after Forget
}

// content is the parsed document.
type content struct {
	c     *msg.Conversation
	plain []msg.Message // the messages of c without cache_control
}

// Work returns the work of reading a document, in the unit of Options.Spend: 64 for each value of the JSON. A caller
// with a limit compares before Read, which takes up to 500 bytes of memory for a value of two bytes.
func Work(data []byte) int { return 64 * rawjson.Values(data) }

// Read parses a document in the given format, as Whole returns it. The Body shares memory with data, which must not
// change. Errors are those of format.Parse, and bad_message for a document without messages.
func Read(data []byte, name format.Name) (*Body, error) { return ReadWhole(Whole(data), name) }

// ReadWhole is Read for a document that Whole has returned.
func ReadWhole(data []byte, name format.Name) (*Body, error) { return parsed(data, name, nil, false) }

// ReadAfter is Read for a gateway that keeps the Live of a session's request for the next one. find returns it by the
// first message of the document; it may be nil. spend gets the Work of each text before it is read; its error is
// returned.
func ReadAfter(data []byte, name format.Name, find func(first []byte) *Live, spend func(work int) error) (*Body,
	error) {
	keeps := find != nil && hasOneElement(name)
	var live *Live
	if keeps {
		c, members, err := format.ParseAgain(data, name, func(first rawjson.Value) []msg.Message {
			live = find(first)
			return live.known()
		}, func(text []byte) error { return spend(Work(text)) })
		if c != nil {
			b := &Body{data: data, format: name, members: members}
			if err = b.read(c, live, true); err == nil {
				return b, nil
			}
		}
		if err != nil {
			return nil, err
		}
	}
	data = Whole(data)
	if err := spend(Work(data)); err != nil {
		return nil, err
	}
	return parsed(data, name, live, keeps)
}

// parsed parses a whole document.
func parsed(data []byte, name format.Name, live *Live, keeps bool) (*Body, error) {
	c, err := format.Parse(data, name)
	if err != nil {
		return nil, err
	}
	b := &Body{data: data, format: name, members: maps.Collect(rawjson.Value(data).Members())}
	if err := b.read(c, live, keeps); err != nil {
		return nil, err
	}
	return b, nil
}

// read reads the messages of a document that was parsed. live is that of the request before; keeps: there will be one
// of this request.
func (b *Body) read(c *msg.Conversation, live *Live, keeps bool) (err error) {
	if len(c.Messages) == 0 {
		return msg.NewError(msg.BadMessage, "", "cannot compact the request: it has no messages")
	}
	if at := compacted(c); at > 0 {
		b.first = stripped(c.Messages[0].Raw, 2).Compact()
		messages := rawjson.Value(b.data).Member("messages")
		rest := rawjson.Value(b.data).With("messages", messages.WithElements(messages.List()[at:]))
		if c, err = format.Parse(rest, b.format); err != nil {
			return err
		}
		live, keeps = nil, false
	}
	b.model, b.stored, b.points, b.content = c.Model, c.Partial, msg.Calls(c), &content{c: c}
	if n := len(b.points); n > 0 && b.points[0] == 0 { // a call without a prompt
		b.points = b.points[1:]
	}
	b.points = append(b.points, len(c.Messages))
	if b.plain, err = withoutCache(c, live.known()); err != nil {
		return err
	}
	if keeps {
		b.setLive(live)
	}
	if b.first == nil {
		b.first = b.Message(0)
	}
	return nil
}

// Member returns the bytes of a member of the document, nil if it has none of that name.
func (b *Body) Member(name string) []byte { return b.members[name] }

// Has reports whether the document has a member of one of the names that is not null.
func (b *Body) Has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return !b.members[name].IsNull() })
}

// Forget drops the parsed messages, which take several times the memory of the document. What needs them parses the
// document again.
func (b *Body) Forget() { b.content = nil }

// parse undoes Forget.
func (b *Body) parse() {
	if b.content != nil {
		return
	}
	again, err := ReadWhole(b.data, b.format)
	if err != nil {
		panic("tamp: internal error: " + err.Error()) // Read has read it before
	}
	b.content = again.content
	b.c.Model = b.model
}

// SetModel names the model of a document that does not: the path of a request to Gemini has it.
func (b *Body) SetModel(name string) {
	b.parse()
	b.model, b.c.Model = name, name
}

// Whole returns a JSON document with U+FFFD for each half of a surrogate pair and for invalid UTF-8, which no
// provider takes: one in any string fails every request of its session. All other bytes stay. If it has neither or is
// no JSON, the result is data itself.
func Whole(data []byte) []byte {
	whole := rawjson.Whole(data)
	if !rawjson.IsSame(whole, data) && msg.Validate(data) != nil {
		return data
	}
	return whole
}

// compacted returns the position of the message with the last compaction block of Anthropic, -1 if there is none. The
// provider ignores all messages before it, so they are neither counted nor sent with a compacted history.
func compacted(c *msg.Conversation) int {
	for m := len(c.Messages) - 1; m >= 0 && c.Format == msg.Anthropic; m-- {
		for b := range c.Messages[m].Blocks {
			if block := &c.Messages[m].Blocks[b]; block.Type == "compaction" && block.Text != "" {
				return index(c.Messages[m].Path)
			}
		}
	}
	return -1
}

// Conversation returns the parsed document, without messages that the provider ignores. The caller must not change it.
func (b *Body) Conversation() *msg.Conversation {
	b.parse()
	return b.c
}

// Points returns the numbers of messages of the prompts of all calls, ascending: of the earlier calls, and of this one,
// whose prompt is all messages. The caller must not change it.
func (b *Body) Points() []int { return b.points }

// Message returns the bytes of a message without cache_control and white space: they are the same in every request.
func (b *Body) Message(i int) []byte {
	b.parse()
	if m := &b.plain[i]; len(m.Lines) > 0 {
		return bytes.Join(bytesOf(m.Lines), []byte{'\n'})
	}
	return b.plain[i].Raw
}

func bytesOf(values []rawjson.Value) [][]byte {
	out := make([][]byte, len(values))
	for i, v := range values {
		out[i] = v.Compact()
	}
	return out
}

// First returns the first message of the document, as Message does.
func (b *Body) First() []byte { return b.first }

// Stored reports that the provider has a part of the history: the request names it, so it cannot be compacted.
func (b *Body) Stored() bool { return b.stored }

// KnownModel reports whether the catalog of models has the model of the request. The limits for an unknown one assume a
// window of 200,000 tokens.
func (b *Body) KnownModel() bool {
	return models.Known(b.model)
}

const cacheControl = "cache_control"

// withoutCache returns the messages without cache_control and without white space between tokens, which a removed
// member would leave. Only messages that have either are parsed again. Those that are the same in known are taken from
// there.
func withoutCache(c *msg.Conversation, known []msg.Message) ([]msg.Message, error) {
	out := make([]msg.Message, len(c.Messages))
	for i := range c.Messages {
		out[i] = c.Messages[i]
		raw := out[i].Raw
		if i < len(known) && rawjson.IsSame(raw, known[i].Raw) {
			continue
		}
		if bytes.Contains(raw, []byte(cacheControl)) {
			raw = stripped(raw, 2)
		}
		raw = raw.Compact()
		if i < len(known) && bytes.Equal(raw, known[i].Raw) {
			out[i] = known[i]
			continue
		}
		if len(raw) == len(out[i].Raw) {
			continue
		}
		list, err := format.Reparse(bytes.Join([][]byte{[]byte("["), raw, []byte("]")}, nil), c.Format)
		if err != nil {
			return nil, err
		}
		if len(list.Messages) == 1 {
			out[i] = list.Messages[0]
			out[i].Path, out[i].Meta = c.Messages[i].Path, c.Messages[i].Meta
			for b := range out[i].Blocks { // Gemini's results without an id have that of a call in another message
				out[i].Blocks[b].ID = c.Messages[i].Blocks[b].ID
			}
		}
	}
	return out, nil
}

// stripped removes cache_control from an object and from the elements of its content, depth levels deep. The input of a
// call may have a member of that name, which stays.
func stripped(object rawjson.Value, depth int) rawjson.Value {
	out := object.Without(cacheControl)
	content := out.Member("content")
	if depth == 0 || content.Kind() != '[' || !bytes.Contains(content, []byte(cacheControl)) {
		return out
	}
	var elements []rawjson.Value
	for _, e := range content.List() {
		if e.Kind() == '{' {
			e = stripped(e, depth-1)
		}
		elements = append(elements, e)
	}
	return out.With("content", content.WithElements(elements))
}

// index returns the position that a path of a message names, -1 if there is none.
func index(path string) int {
	for at := len(path) - 1; at >= 0; at-- {
		if path[at] == '/' {
			if n, err := strconv.Atoi(path[at+1:]); err == nil {
				return n
			}
			return -1
		}
	}
	return -1
}

// Data returns the document as Read read it.
func (b *Body) Data() []byte { return b.data }

// Member returns the bytes of a member of a JSON object, nil if it has none of that name. doc must be valid JSON.
func Member(doc []byte, name string) []byte {
	if raw := rawjson.Value(doc); raw.Kind() == '{' {
		return raw.Member(name)
	}
	return nil
}

// SetMember returns an object with another value of a member, or without the member if value is nil. All else is copied
// byte for byte. doc must be a valid JSON object.
func SetMember(doc []byte, name string, value []byte) []byte {
	if value == nil {
		return rawjson.Value(doc).Without(name)
	}
	return rawjson.Value(doc).With(name, value)
}
