package jsonl

import (
	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Log is a whole file whose messages were read from entries: lines, or elements of a list in a line. Parse stores it
// for Render. It does not change after Parse.
type Log struct {
	Data    []byte
	Lines   []Line
	Entries []Entry
	Format
}

// From returns the log that a conversation was read from, an empty one of a form if it was made.
func From(c *msg.Conversation, form Format) *Log {
	if l, ok := c.Origin.(*Log); ok {
		return l
	}
	return &Log{Format: form}
}

// Like returns a new line with some members of a line of the log, which it may not have.
func (l *Log) Like(line rawjson.Value, like int, names ...string) rawjson.Value {
	for _, name := range names {
		if like < 0 || like >= len(l.Lines) {
			break
		}
		if value := l.Lines[like].Raw.Member(name); value != nil {
			line = line.With(name, value)
		}
	}
	return line
}

// Segments are the parts of a session log before its last compaction.
type Segments struct {
	Earlier []*msg.Conversation // as they were before each compaction, oldest first
	Others  []Other             // answers with usage that are in no segment, in file order
	Unread  bool                // there are older segments: more than MaxSegments, or one with an error
}

// MaxSegments limits Segments.Earlier: each costs time linear in the lines before it.
const MaxSegments = 64

// Other is an answer with usage that is in no segment of a log.
type Other struct {
	msg.Message      // with its last line
	Chain       int  // the line that its subagent or its branch begins with
	Side        bool // of a subagent
}

// Before returns the log that ends before a line, without entries.
func (l *Log) Before(line int) *Log {
	data := l.Data
	if line < len(l.Lines) {
		data = data[:l.Lines[line].Start]
	}
	return &Log{Data: data, Lines: l.Lines[:line], Format: l.Format}
}

// Request is what a log says of the request of a call, next to the request before it.
type Request struct {
	Messages int  // of the request
	Kept     int  // the messages at its start that the request before it had there, too
	Before   int  // the messages of that one
	System   bool // the system prompt is another one
	Tools    bool // the tools are other ones
	First    bool // the log has none before it
	// the messages among those of the request before that have another text: the index, and the line with the text
	Changed [][2]int
}

// Entry is one element of the conversation.
type Entry struct {
	Line   int
	Listed bool          // an element of the list of its line
	In     string        // the member of its line that has it; "" for the line itself
	Raw    rawjson.Value // the element
	Path   string        // its JSON Pointer
	Kept   bool          // it has no message: it stays as it is
}

// Format is the part of a log's form that Render needs.
type Format struct {
	List [2]string // the members around the list of a line that replaces the history
	// Wrap returns the line of a new element; like is the line before it, or a line that does not exist.
	Wrap func(l *Log, element rawjson.Value, like int) rawjson.Value
	// Element returns a new element as a list has it; nil if it stays as it is.
	Element func(element rawjson.Value) rawjson.Value
	// Link completes the lines after a change; nil if they do not refer to each other.
	Link func(l *Log, lines []Written) []Written
}

// Written is a line to be written.
type Written struct {
	Line int           // the line of the file that it replaces or is next to
	New  bool          // it is next to the line
	Raw  rawjson.Value // its object; nil for a line that has none
}

// Read reads the lines of a file. Defects that are tolerated become warnings of c.
func (l *Log) Read(data []byte, c *msg.Conversation) error {
	l.Data = data
	warn := func(w msg.Warning) { c.Warnings = append(c.Warnings, w) }
	return Read(data, warn, func(_ int, line Line) error {
		l.Lines = append(l.Lines, line)
		return nil
	})
}

// Path returns the path of entry k, "" if there is none.
func (l *Log) Path(k int) string {
	_, path := l.Record(k)
	return path
}

// Record returns entry k and its path, nothing if there is none.
func (l *Log) Record(k int) (rawjson.Value, string) {
	if k >= len(l.Entries) {
		return nil, ""
	}
	return l.Entries[k].Raw, l.Entries[k].Path
}

// Render writes the file with other elements. The index of an element is its entry, -1 for a new one. Unchanged lines
// are written byte for byte as in the input. A new element becomes a line after that of the element before it.
func (l *Log) Render(items []document.Item) []byte {
	w := writer{Log: l, items: make([][]document.Item, len(l.Entries)+1)}
	last, used, changed := 0, 0, false // last: the entry before, counted from 1
	for _, item := range l.withKept(items) {
		at := item.Index + 1
		if at <= last || at > len(l.Entries) || !document.Same(l.Entries[at-1].Raw, item.Was) {
			item.Index, at = -1, last // new, or moved
		} else {
			used++
		}
		changed = changed || item.Index < 0 || !document.Same(item.Raw, item.Was)
		w.items[at], last = append(w.items[at], item), at
	}
	if !changed && used == len(l.Entries) && l.Data != nil {
		return l.Data
	}
	return w.write()
}

// withKept returns the items with the entries among them that have no message.
func (l *Log) withKept(items []document.Item) []document.Item {
	out, next := make([]document.Item, 0, len(items)), 0
	keep := func(to int) {
		for ; next < to; next++ {
			if e := &l.Entries[next]; e.Kept {
				out = append(out, document.Item{Raw: e.Raw, Was: e.Raw, Index: next})
			}
		}
	}
	for _, item := range items {
		keep(min(item.Index, len(l.Entries)))
		out = append(out, item)
	}
	keep(len(l.Entries))
	return out
}

// writer is a Render under way.
type writer struct {
	*Log
	items [][]document.Item // by the entry that they are or follow, counted from 1; 0: before the first
	out   []Written
}

func (w *writer) write() []byte {
	byLine, above := map[int][]int{}, map[int][]document.Item{}
	for k, e := range w.Entries {
		byLine[e.Line] = append(byLine[e.Line], k)
		if k > 0 && e.Line < w.Entries[k-1].Line { // a summary is below the messages that it keeps
			above[e.Line], w.items[k] = w.newItems(k)
		}
	}
	if len(w.Entries) > 0 && !w.Entries[0].Listed {
		first := w.Entries[0].Line
		if _, left := w.newItems(1); len(w.Entries) > 1 && w.Entries[1].Line < first && len(left) == 0 {
			first = w.Entries[1].Line
		}
		above[first] = append(w.items[0], above[first]...)
	}
	for i, line := range w.Lines {
		entries := byLine[i]
		w.addItems(above[i], i)
		switch {
		case len(entries) == 0:
			w.out = append(w.out, Written{Line: i, Raw: line.Raw})
		case w.Entries[entries[0]].Listed:
			w.out = append(w.out, Written{Line: i, Raw: w.listed(line.Raw, entries)})
		default:
			after := w.items[entries[0]+1]
			if len(after) > 0 && after[0].Index >= 0 {
				w.out, after = append(w.out, Written{Line: i, Raw: w.replaced(w.Entries[entries[0]], after[0])}), after[1:]
			}
			w.addItems(after, i)
		}
	}
	if len(w.Entries) == 0 {
		w.addItems(w.items[0], len(w.Lines)-1)
	}
	if w.Link != nil {
		w.out = w.Link(w.Log, w.out)
	}
	return w.bytes()
}

// newItems returns the new elements after the entry k-1, and that entry if it is left.
func (w *writer) newItems(k int) (added, left []document.Item) {
	if added = w.items[k]; len(added) > 0 && added[0].Index >= 0 {
		return added[1:], added[:1]
	}
	return added, nil
}

// addItems adds the lines of new elements.
func (w *writer) addItems(items []document.Item, like int) {
	for _, item := range items {
		w.out = append(w.out, Written{Line: like, New: true, Raw: w.Wrap(w.Log, item.Raw, like)})
	}
}

// replaced returns the line of an entry with its element changed.
func (w *writer) replaced(e Entry, item document.Item) rawjson.Value {
	raw := w.Lines[e.Line].Raw
	switch {
	case document.Same(item.Raw, item.Was):
		return raw
	case e.In != "":
		return raw.With(e.In, item.Raw)
	}
	return item.Raw
}

// listed returns a line with the elements that are left of its list, and the new ones among them.
func (w *writer) listed(raw rawjson.Value, entries []int) rawjson.Value {
	outer := raw.Member(w.List[0])
	old := outer.Member(w.List[1])
	list := &document.Document{List: old}
	var items []document.Item
	if entries[0] == 0 {
		items = append(items, w.items[0]...)
	}
	for n, k := range entries {
		list.Elements = append(list.Elements, w.Entries[k].Raw)
		for _, item := range w.items[k+1] {
			if item.Index >= 0 {
				item.Index = n
			}
			items = append(items, item)
		}
	}
	for n := range items {
		if items[n].Index < 0 && w.Element != nil {
			items[n].Raw = w.Element(items[n].Raw)
		}
	}
	if written := list.Replace(items); !document.Same(written, old) {
		return raw.With(w.List[0], outer.With(w.List[1], written))
	}
	return raw
}

// bytes returns the file.
func (w *writer) bytes() []byte {
	var out []byte
	for _, n := range w.out {
		if len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
		if n.New {
			out = append(append(out, n.Raw.Line()...), '\n')
			continue
		}
		line := w.Lines[n.Line]
		whole := w.Data[line.Start:line.End]
		if document.Same(n.Raw, line.Raw) {
			out = append(out, whole...)
			continue
		}
		from := cap(whole) - cap(line.Raw)
		out = append(append(append(out, whole[:from]...), n.Raw.Line()...), whole[from+len(line.Raw):]...)
	}
	return out
}
