package extract

import "tamp/core/msg"

// Index is what was learned of one conversation in one walk: every atom with when and by whom it was written, and what
// stays verbatim beside the spans. It shares memory with the conversation. It is for one goroutine: summaries use its notes.
type Index struct {
	c      *msg.Conversation
	spans  []msg.Span
	pairs  msg.Pairing
	turns  []int
	now    int // the turn that is about to be
	ids    map[string]int32
	atoms  []atom
	met    []met
	drafts int32 // how many summaries were begun

	lastTodo msg.Ref // the last call that wrote a list of things to do; only that one is still true
}

// atom is one fact with its history.
type atom struct {
	text               string
	kind               Kind
	user, failed, kept bool
	said, seen         uint16 // messages
	lastSaid, lastSeen int32  // turns
	home               int32  // the last span that the assistant wrote it in, else the last that it stood in; -1 for none
	homeSaid           bool
	worth              int32 // see value.go
	message            int32 // where it was last counted, so that one message counts once
	messageSaid        int32
}

// mostCounted is where counts of messages stop; beyond ten the scales of value.go see no difference.
const mostCounted = 1000

// New reads a conversation of which spans (sorted, not overlapping) are to be replaced by summaries. Everything outside them is taken
// to stay as it is, so summaries need not repeat it.
func New(c *msg.Conversation, spans []msg.Span) *Index {
	x := &Index{c: c, spans: spans, pairs: msg.Pair(c), turns: c.Turns(), ids: map[string]int32{},
		lastTodo: msg.Ref{Message: -1}}
	x.now = 1
	if n := len(x.turns); n > 0 {
		x.now = x.turns[n-1] + 1
	}
	for b := range c.System {
		x.note(-1, b, -1, &c.System[b], msg.System)
	}
	span := 0
	for m := range c.Messages {
		for span < len(spans) && m >= spans[span].End {
			span++
		}
		in := -1
		if span < len(spans) && m >= spans[span].Start {
			in = span
		}
		for b := range c.Messages[m].Blocks {
			x.note(m, b, in, &c.Messages[m].Blocks[b], c.Messages[m].Role)
		}
	}
	x.met = make([]met, len(x.atoms))
	for i := range x.atoms {
		x.atoms[i].worth = int32(x.atoms[i].value(x.now))
	}
	return x
}

// note counts the atoms of one block.
func (x *Index) note(m, block, span int, b *msg.Block, role msg.Role) {
	said := role == msg.Assistant && (b.Kind == msg.KindText || b.Kind == msg.KindToolUse || b.Kind == msg.KindThinking)
	user := role == msg.User && b.Kind == msg.KindText && !b.IsInjected()
	failed := b.Kind == msg.KindToolResult && b.IsError
	count := func(k Kind, text string) { x.count(k, text, m, span, said, user, failed) }
	switch b.Kind {
	case msg.KindToolUse:
		if m >= 0 && toolActs[squash(b.Name)] == actTodo {
			x.lastTodo = msg.Ref{Message: m, Block: block}
		}
		Atoms(b.Name, count)
		for _, f := range fields(b.Text) {
			Atoms(f.text, count)
		}
	case msg.KindImage, msg.KindOther:
	default:
		Atoms(b.Text, count)
	}
}

func (x *Index) count(k Kind, text string, m, span int, said, user, failed bool) {
	id, ok := x.ids[text]
	if !ok {
		id = int32(len(x.atoms))
		x.ids[text] = id
		x.atoms = append(x.atoms, atom{text: text, kind: k, home: -1, message: -2, messageSaid: -2})
	}
	a := &x.atoms[id]
	turn := int32(1)
	if m >= 0 {
		turn = int32(x.turns[m])
	}
	a.user = a.user || user
	a.failed = a.failed || failed
	a.lastSeen = turn
	if a.message != int32(m) {
		a.message = int32(m)
		a.seen = min(a.seen+1, mostCounted)
	}
	if said {
		a.lastSaid = turn
		if a.messageSaid != int32(m) {
			a.messageSaid = int32(m)
			a.said = min(a.said+1, mostCounted)
		}
	}
	switch {
	case span < 0:
		a.kept = true
	case said || !a.homeSaid:
		a.home, a.homeSaid = int32(span), said
	}
}
