// Package codex reads and writes the session logs of Codex: JSON Lines of {timestamp, type, payload}, or in older files
// one Responses item a line. The conversation is the newest replacement_history and the response items after it; every
// other line is kept in its place. Start with Parse and Render.
package codex

import (
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/responses"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// log is a whole file: Parse stores it for Render. It does not change after Parse.
type log struct {
	data    []byte
	lines   []jsonl.Line
	entries []entry // the items of the conversation
	bare    bool    // an older file: the lines are the items
}

// entry is one item of the conversation, from a line or from the list in a line of type compacted.
type entry struct {
	line   int
	listed bool // in the list
	raw    rawjson.Value
	path   string
}

// reader is a Parse under way.
type reader struct {
	log
	c    *msg.Conversation
	room document.Room
	// the usage that the API reported, by the number of entries before it; the newest line counts
	usage map[int]*msg.Usage
}

// Parse reads a session log. The conversation shares memory with data, which must not change as long as it is used.
// Errors are *msg.Error and name the line.
func Parse(data []byte) (*msg.Conversation, error) {
	r := &reader{c: &msg.Conversation{Format: msg.Codex, Stateless: true}, room: msg.MaxBlocks,
		usage: map[int]*msg.Usage{}}
	warn := func(w msg.Warning) { r.c.Warnings = append(r.c.Warnings, w) }
	err := jsonl.Read(data, warn, func(_ int, line jsonl.Line) error {
		r.lines = append(r.lines, line)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.data, r.bare = data, true
	known := false
	for i := range r.lines {
		if raw := r.lines[i].Raw; raw != nil {
			known = r.line(i, raw) || known
		}
	}
	if !known {
		return nil, msg.NewError(msg.UnknownFormat, "", "cannot read the session log: no line is one of Codex")
	}
	if err := r.messages(); err != nil {
		return nil, err
	}
	r.c.Origin = &r.log
	return r.c, nil
}

// line reads one line, and reports whether it is one of Codex.
func (r *reader) line(i int, raw rawjson.Value) bool {
	payload := raw.Member("payload")
	if payload.Kind() != '{' {
		if (raw.Member("type").Kind() == '"' || raw.Member("role").Kind() == '"') && raw.Member("message") == nil {
			r.item(i, raw, jsonl.Pointer(i))
			return true
		}
		r.setInstructions(raw.Member("instructions"), jsonl.Pointer(i)+"/instructions")
		return raw.Member("record_type") != nil || raw.Member("instructions") != nil || raw.Member("git") != nil
	}
	r.bare = false
	at := jsonl.Pointer(i) + "/payload"
	switch raw.Member("type").Text() {
	case "session_meta":
		r.setInstructions(payload.Member("instructions"), at+"/instructions")
		r.setInstructions(payload.Member("base_instructions").Member("text"), at+"/base_instructions/text")
	case "turn_context":
		if model := payload.Member("model").Text(); model != "" {
			r.c.Model = model
		}
	case "response_item":
		r.item(i, payload, at)
	case "compacted":
		r.compacted(i, payload, at)
	case "event_msg":
		r.event(payload)
	}
	return true
}

// setInstructions sets the system prompt; the first session_meta of a file is the newest fork's own.
func (r *reader) setInstructions(text rawjson.Value, path string) {
	if text.Kind() == '"' && len(r.c.System) == 0 {
		r.c.System = []msg.Block{{Kind: msg.KindText, Type: "text", Raw: text, Path: path, Text: text.Text(), Bare: true}}
	}
}

// item adds an item, unless it is the agent's own record.
func (r *reader) item(i int, raw rawjson.Value, path string) {
	if kind := raw.Member("type").Text(); kind != "ghost_snapshot" && kind != "agent_message" {
		r.entries = append(r.entries, entry{line: i, raw: raw, path: path})
	}
}

// compacted begins the history again: with the list of the line or, in older files, with the prompts so far and the
// summary.
func (r *reader) compacted(i int, payload rawjson.Value, at string) {
	history := payload.Member("replacement_history")
	var list []entry
	if history.Kind() == '[' {
		for k, e := range history.Elements() {
			list = append(list, entry{i, true, e, document.At(at+"/replacement_history", k)})
		}
	} else {
		for _, e := range r.entries {
			if e.raw.Member("role").Text() == string(msg.User) {
				e.line, e.listed, e.path = i, true, document.At(at+"/replacement_history", len(list))
				list = append(list, e)
			}
		}
		part := rawjson.Value(`{"type":"input_text"}`).With("text", payload.Member("message"))
		list = append(list, entry{i, true, rawjson.Value(`{"type":"message","role":"user"}`).With("content",
			rawjson.Value("[]").WithElements([]rawjson.Value{part})), document.At(at+"/replacement_history", len(list))})
	}
	r.entries = list
	clear(r.usage)
}

// event reads the API's token counts, and the turns that the user took back.
func (r *reader) event(payload rawjson.Value) {
	switch payload.Member("type").Text() {
	case "token_count":
		last := payload.Member("info").Member("last_token_usage")
		if last.Kind() == '{' {
			cached := document.Int(last.Member("cached_input_tokens"))
			r.usage[len(r.entries)] = &msg.Usage{Input: document.Int(last.Member("input_tokens")) - cached, CacheRead: cached,
				Output: document.Int(last.Member("output_tokens"))}
		}
	case "thread_rolled_back":
		for range min(document.Int(payload.Member("num_turns")), len(r.entries)) {
			end := len(r.entries) - 1
			for end > 0 && r.entries[end].raw.Member("role").Text() != string(msg.User) {
				end--
			}
			r.entries = r.entries[:max(end, 0)]
		}
	}
}

// messages reads the entries as messages.
func (r *reader) messages() error {
	var out []msg.Message
	for k, e := range r.entries {
		role, blocks, err := responses.Item(e.raw, e.path, nil, &r.room)
		if err != nil {
			return err
		}
		out = responses.Add(out, role, blocks, e.raw, e.path, document.Run{Start: k, End: k + 1})
		if usage := r.usage[k+1]; usage != nil {
			for m := len(out) - 1; m >= 0; m-- {
				if out[m].Role == msg.Assistant {
					out[m].Usage = usage
					break
				}
			}
		}
	}
	if len(out) > msg.MaxMessages {
		return document.TooMany("messages", msg.MaxMessages, out[msg.MaxMessages].Path)
	}
	r.c.Messages = out
	return nil
}

// Render writes a conversation from Parse, with its changes. Unchanged lines are written byte for byte as in the input.
// A new item becomes a line after that of the item before it.
func Render(c *msg.Conversation) ([]byte, error) {
	l, ok := c.Origin.(*log)
	if !ok { // not from Parse
		l = &log{}
	}
	w := writer{log: l, items: make([][]document.Item, len(l.entries)+1)}
	last := 0 // the entry before, counted from 1
	changed := false
	used := 0
	for i := range c.Messages {
		made, err := responses.WrittenAt(&c.Messages[i], l.path)
		if err != nil {
			return nil, err
		}
		for _, item := range made {
			at := item.Index + 1
			if at <= last || at > len(l.entries) || !document.Same(l.entries[at-1].raw, item.Was) {
				item.Index, at = -1, last // new, or moved
			} else {
				used++
			}
			changed = changed || item.Index < 0 || !document.Same(item.Raw, item.Was)
			w.items[at], last = append(w.items[at], item), at
		}
	}
	if !changed && used == len(l.entries) && ok {
		return l.data, nil
	}
	return w.write(), nil
}

func (l *log) path(k int) string {
	if k >= len(l.entries) {
		return ""
	}
	return l.entries[k].path
}

// writer is a Render under way.
type writer struct {
	*log
	items [][]document.Item // by the entry that they are or follow, counted from 1; 0: before the first
}

func (w *writer) write() []byte {
	var out []byte
	fresh := func(items []document.Item, like int) {
		for _, item := range items {
			if len(out) > 0 && out[len(out)-1] != '\n' {
				out = append(out, '\n')
			}
			out = append(append(out, w.wrapped(item.Raw, like).Line()...), '\n')
		}
	}
	byLine, first := map[int][]int{}, len(w.lines)
	for k, e := range w.entries {
		byLine[e.line] = append(byLine[e.line], k)
		first = min(first, e.line)
	}
	for i, line := range w.lines {
		entries := byLine[i]
		if i == first && !w.entries[entries[0]].listed {
			fresh(w.items[0], i)
		}
		switch {
		case len(entries) == 0:
			out = append(out, w.data[line.Start:line.End]...)
		case w.entries[entries[0]].listed:
			out = append(out, w.replaced(line, w.history(line.Raw, entries, i == first))...)
		default:
			after := w.items[entries[0]+1]
			if len(after) > 0 && after[0].Index >= 0 {
				out, after = append(out, w.replaced(line, w.rewrapped(line.Raw, after[0]))...), after[1:]
			}
			fresh(after, i)
		}
	}
	if len(w.entries) == 0 {
		fresh(w.items[0], len(w.lines)-1)
	}
	return out
}

// history returns a line of type compacted with the items that are left of its list, and the new ones among them.
func (w *writer) history(raw rawjson.Value, entries []int, isFirst bool) rawjson.Value {
	payload := raw.Member("payload")
	old := payload.Member("replacement_history")
	list := &document.Document{List: old}
	var items []document.Item
	if isFirst {
		items = append(items, w.items[0]...)
	}
	for n, k := range entries {
		list.Elements = append(list.Elements, w.entries[k].raw)
		for _, item := range w.items[k+1] {
			if item.Index >= 0 {
				item.Index = n
			}
			items = append(items, item)
		}
	}
	for n := range items {
		if items[n].Index < 0 {
			items[n].Raw = parts(items[n].Raw)
		}
	}
	if written := list.Replace(items); !document.Same(written, old) {
		return raw.With("payload", payload.With("replacement_history", written))
	}
	return raw
}

// rewrapped returns a line with its item changed.
func (w *writer) rewrapped(raw rawjson.Value, item document.Item) rawjson.Value {
	switch {
	case document.Same(item.Raw, item.Was):
		return raw
	case raw.Member("payload").Kind() == '{':
		return raw.With("payload", item.Raw)
	}
	return item.Raw
}

// wrapped returns the line of a new item, with the time of the line like.
func (w *writer) wrapped(item rawjson.Value, like int) rawjson.Value {
	item = parts(item)
	if w.bare && len(w.lines) > 0 {
		return item
	}
	line := rawjson.Value("{}")
	if like >= 0 && like < len(w.lines) {
		if time := w.lines[like].Raw.Member("timestamp"); time != nil {
			line = line.With("timestamp", time)
		}
	}
	return line.With("type", rawjson.Value(`"response_item"`)).With("payload", item)
}

// parts returns the client's own message of the assistant with an array as its content: Codex reads no string. The
// phase keeps it apart from the response after it.
func parts(item rawjson.Value) rawjson.Value {
	content := item.Member("content")
	if content.Kind() != '"' {
		return item
	}
	part := rawjson.Value(`{"type":"output_text"}`).With("text", content)
	return rawjson.Value(`{"type":"message","role":"assistant"}`).With("content",
		rawjson.Value("[]").WithElements([]rawjson.Value{part})).With("phase", rawjson.Value(`"final_answer"`))
}

// replaced returns the bytes of a line with another object.
func (w *writer) replaced(line jsonl.Line, raw rawjson.Value) []byte {
	whole := w.data[line.Start:line.End]
	if document.Same(raw, line.Raw) {
		return whole
	}
	from := cap(whole) - cap(line.Raw)
	out := append([]byte(nil), whole[:from]...)
	return append(append(out, raw.Line()...), whole[from+len(line.Raw):]...)
}
