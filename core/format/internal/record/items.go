package record

import (
	"cmp"
	"strconv"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/parts"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
)

// Items returns the records of a conversation, in their order: those that were read, with their changes, and new ones.
// records returns a record that was read, and its path; nothing for a number after the last one.
//
//   - Messages of one record that are still next to each other are one record again.
//   - A record with other messages between its own is cut in two; the second one gets an id of its own.
//   - A new result goes into the part of its call, in whichever record that is. If that has no place for it, it is a
//     record of its own behind that of the call.
func (s *Shape) Items(c *msg.Conversation, records func(int) (rawjson.Value, string)) ([]document.Item, error) {
	first, _ := records(0)
	w := writer{Shape: s, near: first, model: c.Model, records: records, used: map[int]bool{}, ids: map[string]bool{}}
	if s.Whole == nil {
		w.pair(c)
	}
	for i := range c.Messages {
		w.ids[c.Messages[i].ID] = true
	}
	for i := range c.Messages {
		if err := w.message(i, &c.Messages[i]); err != nil {
			return nil, err
		}
	}
	err := w.flush()
	return w.items, err
}

// pair finds the results that have no part of their own, and their calls: by the id, and in a format with parts that
// are results by the name, too, which those have.
func (w *writer) pair(c *msg.Conversation) {
	w.results, w.behind, w.taken = map[msg.Ref]*msg.Block{}, map[int][]part{}, map[msg.Ref]bool{}
	var pairs *msg.Pairing
	for it := c.Walk(); it.Next(); {
		m := &c.Messages[it.Ref.Message]
		if it.Block.Kind != msg.KindToolResult || w.isPart(m, it.Block) {
			continue
		}
		if pairs == nil {
			all := msg.PairBy(c, func(_ msg.Ref, b *msg.Block) (string, bool) {
				if w.Write != nil {
					return b.ID + "\x00" + b.Name, true
				}
				return b.ID, true
			})
			pairs = &all
		}
		call, paired := pairs.Call(it.Ref)
		switch _, isOld := w.placeOf(m); {
		case paired && (w.Write == nil || w.row(c.At(call).Type) != nil):
			w.results[call], w.taken[it.Ref] = it.Block, true
		case paired || isOld && !w.isOfRole(m):
			if !paired {
				call = it.Ref
			}
			w.behind[call.Message], w.taken[it.Ref] = append(w.behind[call.Message], part{b: it.Block}), true
		}
	}
}

// isPart reports a result that has its place in the record of its own message: within the part of its call, or as a
// part, which is in a message of the record's role.
func (w *writer) isPart(m *msg.Message, b *msg.Block) bool {
	at, isOld := w.placeOf(m)
	if !isOld {
		return false
	}
	_, path := w.records(at.Record)
	_, n, isOld, inner := place(b, path)
	return inner || isOld && n >= 0 && w.isOfRole(m)
}

// isOfRole reports that a message that was read has the role of its record.
func (w *writer) isOfRole(m *msg.Message) bool {
	at, _ := w.placeOf(m)
	raw, path := w.records(at.Record)
	h, err := w.Head(raw, path)
	return err == nil && h.Role == m.Role
}

// placeOf returns where a message was read; false for one that is new, or of another document.
func (w *writer) placeOf(m *msg.Message) (Place, bool) {
	at, isOld := m.Origin.(Place)
	raw, _ := w.records(at.Record)
	return at, isOld && document.Same(raw, at.raw)
}

// writer is a call of Items under way.
type writer struct {
	*Shape
	model   string
	records func(k int) (rawjson.Value, string)
	results map[msg.Ref]*msg.Block // of calls, by the call: the results that have no part of their own
	behind  map[int][]part         // by the message of their calls: those whose calls have no place for them
	taken   map[msg.Ref]bool       // all of these
	waiting []part                 // of behind, for the record that is open
	used    map[int]bool
	ids     map[string]bool // of the records
	items   []document.Item
	near    rawjson.Value // the record before, or the first one that was read
	open    *draft
}

// draft is a record that is being written.
type draft struct {
	role    msg.Role
	places  []Place
	isOld   bool
	changed bool
	raw     rawjson.Value
	path    string
	parts   []part
}

// part is one part of a draft, an old or a new one, with its result.
type part struct {
	list   string
	n      int // -1: the string of a list
	isOld  bool
	b      *msg.Block
	result *msg.Block
}

func (w *writer) message(index int, m *msg.Message) error {
	at, isOld := w.placeOf(m)
	if taken := w.takenOf(index, m); taken > 0 && taken == len(m.Blocks) {
		return nil
	} else if d := w.open; d == nil || !isOld || !d.isOld || d.places[0].Record != at.Record ||
		d.places[len(d.places)-1].step >= at.step { // not the next step of the open record
		if err := w.flush(); err != nil {
			return err
		}
		d = &draft{role: m.Role, isOld: isOld}
		if isOld {
			d.raw, d.path = w.records(at.Record)
		}
		w.open = d
	}
	d := w.open
	if isOld {
		d.places = append(d.places, at)
	}
	d.changed = d.changed || m.Changed
	for b := range m.Blocks {
		block, ref := &m.Blocks[b], msg.Ref{Message: index, Block: b}
		if w.taken[ref] {
			continue
		}
		if w.Whole != nil && block.Kind == msg.KindToolResult && !(isOld && block.Path == d.path) {
			if err := w.result(block); err != nil {
				return err
			}
			continue
		}
		if isOld && block.Path == d.path && len(d.parts) > 0 { // new blocks before the only one of a record
			w.open = &draft{role: d.role, parts: d.parts}
			if err := w.flush(); err != nil {
				return err
			}
			d.parts, w.open = nil, d
		}
		if err := d.addBlock(block, w.results[ref]); err != nil {
			return err
		}
	}
	w.waiting = append(w.waiting, w.behind[index]...)
	return nil
}

// takenOf counts the blocks of a message that are written with their calls.
func (w *writer) takenOf(index int, m *msg.Message) (taken int) {
	for b := range m.Blocks {
		if w.taken[msg.Ref{Message: index, Block: b}] {
			taken++
		}
	}
	return taken
}

// result writes a new result as a record of its own, before the other blocks of its message.
func (w *writer) result(b *msg.Block) error {
	raw, err := w.Whole(b)
	if err == nil {
		w.item(document.Item{Raw: w.named(raw), Index: -1})
	}
	return err
}

// addBlock adds a block to the draft: to its part, or as a new one. result is a new result of a call, or nil.
func (d *draft) addBlock(b, result *msg.Block) error {
	p := part{b: b, result: result}
	d.changed = d.changed || result != nil
	inner := false
	if d.isOld {
		p.list, p.n, p.isOld, inner = place(b, d.path)
	}
	for i := range d.parts {
		if call := &d.parts[i]; inner && call.isOld && call.list == p.list && call.n == p.n && call.result == nil {
			call.result = b
			return nil
		}
	}
	if inner {
		return msg.NewError(msg.BadMessage, b.Path, "cannot write the result: this format has it only with its call")
	}
	d.parts = append(d.parts, p)
	return nil
}

// flush writes the open draft.
func (w *writer) flush() error {
	d := w.open
	if w.open = nil; d == nil || len(d.parts) == 0 {
		return nil
	}
	item := document.Item{Raw: d.raw, Was: d.raw, Index: -1}
	if d.isOld {
		item.Index = d.places[0].Record
		d.changed = d.changed || len(d.places) != d.places[0].steps
	}
	isCopy := d.isOld && w.used[item.Index]
	if d.isOld {
		w.used[item.Index] = true
	}
	if d.isOld && !d.changed && !isCopy {
		w.item(item)
		return w.flushRest(d)
	}
	if !d.isOld {
		item.Raw = w.create(d.role, w.near, w.model)
	}
	raw, err := w.written(d, item.Raw)
	if err != nil {
		return err
	}
	if item.Raw = raw; isCopy || !d.isOld {
		item.Was, item.Index = nil, -1
		if item.Raw = w.named(raw); w.Finish != nil {
			item.Raw = w.Finish(item.Raw, w.near)
		}
	}
	w.item(item)
	return w.flushRest(d)
}

// flushRest writes what a record that was written has no place for.
func (w *writer) flushRest(d *draft) error {
	if len(w.waiting) > 0 {
		w.open, w.waiting = &draft{role: msg.User, parts: w.waiting}, nil
		return w.flush()
	}
	if rest := d.parts[1:]; d.isWhole() && len(rest) > 0 { // it can have no other block
		w.open = &draft{role: d.role, parts: rest}
		return w.flush()
	}
	return nil
}

// isWhole reports a record that is one block.
func (d *draft) isWhole() bool { return d.isOld && d.parts[0].b.Path == d.path }

func (w *writer) item(item document.Item) {
	w.items, w.near = append(w.items, item), item.Raw
}

// named gives a new record an id made of its content, which no other record has: Gemini CLI reads the last line with an
// id, and two summaries can be the same.
func (w *writer) named(raw rawjson.Value) rawjson.Value {
	if w.ID == "" {
		return raw
	}
	for sum := sha256.Sum(raw); ; sum = sha256.Sum(sum[:]) {
		if id := "msg_" + sha256.Hex(sum, 24); !w.ids[id] {
			w.ids[id] = true
			return Set(raw, w.ID, rawjson.Quote(id))
		}
	}
}

// written returns the record of a draft with its parts.
func (w *writer) written(d *draft, raw rawjson.Value) (rawjson.Value, error) {
	if d.isWhole() {
		return w.Whole(d.parts[0].b)
	}
	main := ""
	for _, name := range strings.Split(w.Lists, "|") {
		if main == "" || len(raw.Member(name)) > 0 && raw.Member(main) == nil {
			main = name
		}
	}
	main = cmp.Or(w.Joined, main)
	for i := range d.parts { // a new block is in the list of the block before it, if it is no call
		if d.parts[i].list == "" {
			d.parts[i].list = main
		}
	}
	was, room := reader{head: Head{Role: d.role}}, document.Room(msg.MaxBlocks)
	if d.isOld {
		if err := w.lists(&was, raw, d.path, &room); err != nil {
			return nil, err
		}
	}
	for _, name := range strings.Split(w.Lists, "|") {
		old := raw.Member(name)
		list, err := w.list(d, name, old, &was)
		if err != nil {
			return nil, err
		}
		if list != nil && !document.Same(list, old) {
			raw = raw.With(name, list)
		}
	}
	return raw, nil
}

// list writes one list of a record; nil if the record has none and needs none.
func (w *writer) list(d *draft, name string, old rawjson.Value, was *reader) (rawjson.Value, error) {
	var listed []*part
	for i := range d.parts {
		if d.parts[i].list == name {
			listed = append(listed, &d.parts[i])
		}
	}
	if len(listed) == 1 && old.Kind() == '"' && listed[0].isOld {
		if b := listed[0].b; b.Changed&msg.ChangedText != 0 {
			return rawjson.Quote(b.Text), nil
		}
		return old, nil
	}
	if name == w.Joined && len(listed) > 0 {
		var texts []string
		for _, p := range listed {
			if p.b.Kind != msg.KindText && p.b.Kind != msg.KindSummary {
				return nil, parts.Unwritable(p.b)
			}
			texts = append(texts, p.b.Text)
		}
		return rawjson.Quote(strings.Join(texts, "\n\n")), nil
	}
	had := was.numbers(d.path + "/" + name)
	switch {
	case len(listed) == 0 && had[-1]:
		return rawjson.Value(`""`), nil
	case len(listed) == 0 && len(had) == 0:
		return nil, nil
	}
	l := document.ListOf(old)
	var items []document.Item
	next := 0
	keep := func(to int) { // the client's own parts up to number to
		for ; next < to; next++ {
			if !had[next] && d.has(next) {
				items = append(items, document.Item{Raw: l.Elements[next], Index: next})
			}
		}
	}
	for _, p := range listed {
		item := document.Item{Index: -1}
		var err error
		if p.isOld && p.n >= next && p.n < len(l.Elements) {
			keep(p.n)
			next, item.Index = p.n+1, p.n
		}
		if item.Raw, err = w.part(p, was); err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	keep(len(l.Elements))
	return l.Replace(items), nil
}

// numbers returns the numbers of the parts of a list that blocks were read from.
func (r *reader) numbers(list string) map[int]bool {
	had := map[int]bool{}
	for i := range r.all {
		rest, ok := strings.CutPrefix(r.all[i].Path, list)
		if ok && rest == "" {
			had[-1] = true
		} else if n, err := strconv.Atoi(strings.TrimPrefix(rest, "/")); ok && err == nil {
			had[n] = true
		}
	}
	return had
}

// has reports whether a step that is left has the part with a number.
func (d *draft) has(n int) bool {
	for _, at := range d.places {
		if at.from <= n && n < at.to {
			return true
		}
	}
	return false
}

// part writes a part, if anything of it changed.
func (w *writer) part(p *part, was *reader) (rawjson.Value, error) {
	b := p.b
	if b.Raw.Kind() == '"' { // the string of a list becomes a part
		text := msg.TextBlock(b.Text)
		return w.Shape.write(&text, nil)
	}
	changes := b.Changed &^ msg.ChangedCache
	if len(b.Raw) == 0 || changes != 0 ||
		p.result != nil && (!p.isOld || len(p.result.Raw) == 0 || p.result.Changed&^msg.ChangedCache != 0) {
		return w.Shape.write(b, p.result)
	}
	had := rawjson.Value(nil)
	for i := range was.all {
		if strings.HasPrefix(was.all[i].Path, b.Path+"/") {
			had = was.all[i].Raw
		}
	}
	if p.result == nil && had == nil || p.result != nil && document.Same(p.result.Raw, had) {
		return b.Raw, nil
	}
	return w.Shape.write(b, p.result)
}
