// Package geminicli reads and writes the session files of Gemini CLI: JSON Lines with a message a line. The last line
// with an id counts, $rewindTo takes messages back and $set.messages replaces all. Older files are one JSON object.
// Contents are Gemini's; an entry of toolCalls has a call and its result. Start with Parse and Render.
//
// It is not a part of the API (see package core).
package geminicli

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"tamp/core/format/gemini"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var shape = record.Shape{Lists: "content|toolCalls", ID: "id", Role: "type", Head: head, Result: complete, Made: made,
	Write: gemini.Write, Text: "{}", Copy: "timestamp", Model: "model",
	New: [2]string{`{"id":"","type":"user","content":[]}`, `{"id":"","type":"gemini","content":[]}`},
	Parts: []record.Part{
		{Types: "text", Kind: msg.KindText, Text: "text"},
		{Types: "toolCall", Kind: msg.KindToolUse, Text: "args", ID: "id", Name: "name", Done: "result"},
	}}

var form = jsonl.Format{List: [2]string{"$set", "messages"}, Link: link,
	Wrap: func(_ *jsonl.Log, element rawjson.Value, _ int) rawjson.Value { return element }}

// Parse reads a session file. The conversation shares memory with data, which must not change as long as it is used.
// Errors are *msg.Error.
func Parse(data []byte) (*msg.Conversation, error) {
	if d, err := document.Read(data); err == nil && d.Fields.Messages.Kind() == '[' {
		if err := d.Open("messages"); err != nil {
			return nil, err
		}
		c, err := ofFile(d).Document(d, msg.GeminiCLI, 0)
		if err == nil && len(c.Messages) == 0 && d.Top.Member("projectHash") == nil {
			return nil, errForeign
		}
		if err == nil {
			gemini.Link(nil, c.Messages)
		}
		for k := range d.Elements {
			setModel(c, d.Elements[k])
		}
		return c, err
	}
	c := &msg.Conversation{Format: msg.GeminiCLI}
	l := &jsonl.Log{Format: form}
	if err := l.Read(data, c); err != nil {
		return nil, err
	}
	known := false
	for i := range l.Lines {
		known = known || isLine(l.Lines[i].Raw)
	}
	if !known {
		return nil, errForeign
	}
	r := reader{Log: l, at: map[string]int{}}
	for i := range l.Lines {
		r.line(i)
	}
	return c, r.conversation(c, l)
}

// conversation reads the entries of a log as messages.
func (r *reader) conversation(c *msg.Conversation, l *jsonl.Log) error {
	c.Model = r.model
	for _, e := range l.Entries {
		setModel(c, e.Raw)
	}
	if err := ofLog(l).Log(l, c); err != nil {
		return err
	}
	gemini.Link(nil, c.Messages)
	return nil
}

// reader is a Parse under way.
type reader struct {
	*jsonl.Log
	at    map[string]int // the entries by their id
	model string         // the newest one, also of messages that are no more
	taken func(i int)    // is called before line i, which replaces messages or takes them back; nil if no caller needs it
}

func (r *reader) add(e jsonl.Entry) {
	r.model = cmp.Or(e.Raw.Member("model").Text(), r.model)
	id := e.Raw.Member("id").Text()
	if k, ok := r.at[id]; ok {
		r.Entries[k] = e
		return
	}
	r.at[id] = len(r.Entries)
	r.Entries = append(r.Entries, e)
}

// line reads one line.
func (r *reader) line(i int) {
	raw := r.Lines[i].Raw
	set := raw.Member("$set").Member("messages")
	switch back := raw.Member("$rewindTo"); {
	case back != nil:
		if r.taken != nil {
			r.taken(i)
		}
		r.Entries = r.Entries[:r.at[back.Text()]]
		for id, k := range r.at {
			if k >= len(r.Entries) {
				delete(r.at, id)
			}
		}
	case raw.Member("id").Kind() == '"':
		r.add(jsonl.Entry{Line: i, Raw: raw, Path: jsonl.Pointer(i)})
	case set.Kind() == '[':
		if r.taken != nil {
			r.taken(i)
		}
		r.Entries = nil
		clear(r.at)
		for k, e := range set.List() {
			if e.Member("id").Kind() == '"' {
				r.add(jsonl.Entry{Line: i, Listed: true, Raw: e, Path: document.At(jsonl.Pointer(i)+"/$set/messages", k)})
			}
		}
	}
}

func raws(entries []jsonl.Entry) []rawjson.Value {
	list := make([]rawjson.Value, len(entries))
	for k := range entries {
		list[k] = entries[k].Raw
	}
	return list
}

// copies returns the ids of parts that are copies. Since version 0.61, Gemini CLI writes the contents of the model into
// its records, with parts that are calls and results: a call that its record has in toolCalls too is a copy, and a
// result that any record has there, if no other call has its id.
func copies(records []rawjson.Value) (calls, results map[string]bool) {
	calls, results = map[string]bool{}, map[string]bool{}
	var others []string // the calls that are no copies
	for _, raw := range records {
		own := map[string]bool{}
		for _, call := range raw.Member("toolCalls").List() {
			id := call.Member("id").Text()
			own[id], results[id] = true, results[id] || call.Member("result") != nil
		}
		for _, part := range raw.Member("content").List() {
			if call := part.Member("functionCall"); call != nil {
				id := call.Member("id").Text()
				if calls[id] = calls[id] || own[id]; !own[id] {
					others = append(others, id)
				}
			}
		}
	}
	for _, id := range others {
		delete(results, id)
	}
	return calls, results
}

// shapeOf returns the shape of records with these copies, which do not count.
func shapeOf(calls, results map[string]bool) *record.Shape {
	s := shape
	s.Type = func(b *msg.Block) error {
		err := kind(b)
		if b.Type == "functionCall" && calls[b.ID] || b.Type == "functionResponse" && results[b.ID] {
			b.Kind = ""
		}
		return err
	}
	return &s
}

// ofFile is shapeOf an older file of one object, which has no copies of results.
func ofFile(d *document.Document) *record.Shape {
	calls, _ := copies(d.Elements)
	return shapeOf(calls, nil)
}

func ofLog(l *jsonl.Log) *record.Shape { return shapeOf(copies(raws(l.Entries))) }

// isLine reports a line that Gemini CLI writes: the header, a message, or a change of the whole.
func isLine(raw rawjson.Value) bool {
	for _, name := range [...]string{"sessionId", "$set", "$rewindTo"} {
		if raw.Member(name) != nil {
			return true
		}
	}
	return raw.Member("id").Kind() == '"' && raw.Member("type").Kind() == '"'
}

var errForeign = msg.NewError(msg.UnknownFormat, "", "cannot read the session file: no message is one of Gemini CLI")

func setModel(c *msg.Conversation, raw rawjson.Value) {
	if model := raw.Member("model").Text(); model != "" && c != nil {
		c.Model = model
	}
}

// Render writes a conversation from Parse, with its changes. Unchanged messages are written byte for byte as in the
// input.
func Render(c *msg.Conversation) ([]byte, error) {
	switch origin := c.Origin.(type) {
	case *document.Document:
		return ofFile(origin).Render(c)
	case *jsonl.Log:
		return ofLog(origin).RenderLog(c, form)
	}
	return shapeOf(nil, nil).RenderLog(c, form)
}

// link removes the earlier lines of a message whose last line was removed, so that they do not count again, and the
// copies of results that changed or are gone: Gemini CLI would send those too.
func link(l *jsonl.Log, out []jsonl.Written) []jsonl.Written {
	left := map[int]rawjson.Value{}
	for _, n := range out {
		if !n.New {
			left[n.Line] = n.Raw
		}
	}
	gone, changed := map[string]bool{}, map[string]bool{} // ids of messages, and of calls
	for _, e := range l.Entries {
		raw, isLeft := left[e.Line]
		if !isLeft {
			gone[e.Raw.Member("id").Text()] = true
		}
		if document.Same(raw, l.Lines[e.Line].Raw) {
			continue
		}
		is := map[string]rawjson.Value{} // the entries of toolCalls that are left
		records := []rawjson.Value{raw}
		if e.Listed {
			records = raw.Member("$set").Member("messages").List()
		}
		for _, r := range records {
			for _, call := range r.Member("toolCalls").List() {
				is[call.Member("id").Text()] = call
			}
		}
		for _, call := range e.Raw.Member("toolCalls").List() {
			if id := call.Member("id").Text(); !bytes.Equal(is[id], call) {
				changed[id] = true
			}
		}
	}
	kept := out[:0]
	for _, n := range out {
		if list := n.Raw.Member("$set").Member("messages"); !n.New && len(changed) > 0 && list.Kind() == '[' {
			n.Raw = n.Raw.With("$set", n.Raw.Member("$set").With("messages", withoutCopies(list, changed)))
		}
		raw := withoutCopy(n.Raw, changed)
		if n.New || len(n.Raw) == 0 || raw != nil && !gone[n.Raw.Member("id").Text()] {
			if raw != nil {
				n.Raw = raw
			}
			kept = append(kept, n)
		}
	}
	return aboveFirst(kept)
}

func withoutCopies(list rawjson.Value, changed map[string]bool) rawjson.Value {
	var kept []rawjson.Value
	for _, raw := range list.List() {
		if raw = withoutCopy(raw, changed); raw != nil {
			kept = append(kept, raw)
		}
	}
	return list.WithElements(kept)
}

// withoutCopy returns a record without the parts that are copies of calls, or of results, that changed; nil if nothing
// is left. The calls of a record in toolCalls stay.
func withoutCopy(raw rawjson.Value, changed map[string]bool) rawjson.Value {
	content := raw.Member("content")
	if content.Kind() != '[' {
		return raw
	}
	var kept []rawjson.Value
	all := content.List()
	for _, p := range all {
		part, isCall := p.Member("functionResponse"), false
		if part == nil {
			part, isCall = p.Member("functionCall"), true
		}
		if part == nil || !changed[part.Member("id").Text()] || isCall && raw.Member("toolCalls") == nil {
			kept = append(kept, p)
		}
	}
	switch {
	case len(kept) == len(all):
		return raw
	case len(kept) == 0 && raw.Member("type").Text() == "user":
		return nil
	}
	return raw.With("content", content.WithElements(kept))
}

// aboveFirst moves new lines above the earlier lines of the message that they are above: the first line with an id is
// the place of its message.
func aboveFirst(lines []jsonl.Written) []jsonl.Written {
	out, first := make([]jsonl.Written, 0, len(lines)), map[string]int{} // the first line with an id, in out
	var added []jsonl.Written
	for _, n := range lines {
		if n.New {
			added = append(added, n)
			continue
		}
		id := n.Raw.Member("id").Text()
		at, found := first[id]
		if !found {
			at = len(out)
		}
		if len(added) > 0 {
			for other, place := range first {
				if place >= at {
					first[other] = place + len(added)
				}
			}
			out, added = slices.Insert(out, at, added...), nil
		}
		if id != "" && !found {
			first[id] = len(out)
		}
		out = append(out, n)
	}
	return append(out, added...)
}

func head(raw rawjson.Value, _ string) (h record.Head, err error) {
	h.ID = raw.Member("id").Text()
	switch raw.Member("type").Text() {
	case "user":
		if !isIgnored(raw.Member("content")) {
			h.Role = msg.User
		}
	case "gemini":
		h.Role, h.Time, h.Model = msg.Assistant, raw.Member("timestamp"), raw.Member("model").Text()
		for _, call := range raw.Member("toolCalls").List() {
			h.Done = call.Member("timestamp")
		}
		if h.Usage = record.Usage(raw.Member("tokens"), "input|cached|none|output"); h.Usage != nil {
			h.Usage.Input -= min(h.Usage.CacheRead, h.Usage.Input)            // input has all of the prompt
			h.Usage.Input += document.Int(record.At(raw, "tokens/tool"))      // of a search by the provider: not part of it
			h.Usage.Output += document.Int(record.At(raw, "tokens/thoughts")) // which are billed as output
		}
	}
	return h, nil
}

// isIgnored reports a text of the user that Gemini CLI does not send: a command, or its own context.
func isIgnored(content rawjson.Value) bool {
	text := content.Text()
	for _, p := range content.List() {
		if text = p.Member("text").Text(); text != "" || p.Member("text") == nil {
			break
		}
	}
	text = strings.TrimSpace(text)
	for _, start := range [...]string{"/", "?", "<session_context>", "<hook_context>"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// kind reads a part of a content as Gemini has it, and tells the entries of toolCalls apart.
func kind(b *msg.Block) error {
	if b.Type = "toolCall"; strings.Contains(b.Path, "/toolCalls/") {
		return nil
	}
	b.Type, b.Kind = "", msg.KindOther
	return gemini.Part(b)
}

// complete reads the result of a call, a list of Gemini's parts or a string.
func complete(_, b *msg.Block) {
	if b.Raw.Kind() != '[' {
		return
	}
	var parts []msg.Block
	for i, raw := range b.Raw.List() {
		p := msg.Block{Kind: msg.KindOther, Raw: raw, Path: document.At(b.Path, i)}
		if gemini.Part(&p) != nil {
			continue
		}
		if b.IsError = b.IsError || p.IsError; p.Kind == msg.KindToolResult {
			p.Kind, p.Type, p.Parts = msg.KindText, "text", nil
		}
		parts = append(parts, p)
	}
	if b.Text = document.Joined(parts); len(parts) > 1 {
		b.Parts = parts
	}
}

// made writes a new result as a list with one function response.
func made(part rawjson.Value, path string, b *msg.Block) (rawjson.Value, error) {
	fresh := msg.Block{Kind: msg.KindToolResult, ID: b.ID, Name: b.Name, Text: b.Text, IsError: b.IsError}
	response, err := gemini.Write(&fresh)
	return part.With(path, rawjson.Value("[]").WithElements([]rawjson.Value{response})), err
}
