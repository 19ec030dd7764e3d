package summarize

import (
	"slices"

	"tamp/core/msg"
	"tamp/core/provenance"
)

// Index holds the facts of one conversation, read in one pass: every atom with its history, and whether it also occurs
// outside the spans, where it stays verbatim. It shares memory with the conversation. It is not safe for concurrent
// use.
type Index struct {
	c          *msg.Conversation
	spans      []msg.Span
	pairs      *msg.Pairing // nil until they are needed
	turns      []int
	now        int     // the turn after the last one
	places     []int32 // of each atom that known has: its index in atoms + 1, 0 if the conversation has it not
	inSpans    bits    // the atoms that are counted, others when they are looked up; nil: all
	late       int     // number of atoms that were counted when they were looked up
	atoms      []atom
	draftAtoms []draftAtom
	drafts     int32                   // number of summaries started
	statements []provenance.Constraint // of the user, in order
	known      *Memory
	dropped    map[string]bool // statements that a later one replaced or revoked
	often      []string        // keys of names that were often written before, sorted

	tasks    map[string]string // subjects of the agent's tasks, by number
	lastTodo msg.Ref           // the last call that wrote a todo list: it replaces all earlier lists
}

// atom is one fact with its history.
type atom struct {
	text               string
	kind               FactKind
	user, failed, kept bool
	old                bool   // an earlier summary has it
	said, seen         uint16 // messages: written by the assistant, and all
	lastSaid, lastSeen int32  // turns: last written by the assistant, and last seen
	home               int32  // the last span in which the assistant wrote it, else the last that contains it; -1 for none
	homeSaid           bool   // the assistant wrote it in home
	worth              int32  // see value.go
	message            int32  // the message that was counted last, so that a message counts once
	messageSaid        int32
}

// maxCounted is the limit of said and seen; the scales of value.go do not distinguish numbers above nine.
const maxCounted = 1000

// New reads a conversation in which spans (sorted, not overlapping) will be replaced by summaries. Messages outside the
// spans stay as they are, so the summaries do not repeat their facts.
// turns has the turn of each message; nil means c.Turns.
func New(c *msg.Conversation, spans []msg.Span, turns []int) *Index {
	return (*Memory)(nil).New(c, spans, turns)
}

// New is the function New. It reads only the blocks that s has not read before.
func (s *Memory) New(c *msg.Conversation, spans []msg.Span, turns []int) *Index {
	if turns == nil {
		turns = c.Turns()
	}
	known := s
	if s == nil {
		known = new(Memory)
	}
	known.begin(s != nil)
	x := &Index{c: c, spans: spans, known: known, turns: turns,
		places: make([]int32, len(known.names)), tasks: map[string]string{}, lastTodo: msg.Ref{Message: -1}}
	x.now = 1
	if n := len(x.turns); n > 0 {
		x.now = x.turns[n-1] + 1
	}
	if s != nil && len(spans) > 0 {
		x.inSpans = make(bits, len(known.names)/64+1)
		x.walk(x.expectAtoms)
	}
	x.walk(x.addBlock)
	x.resolveStatements()
	x.draftAtoms = make([]draftAtom, len(x.atoms))
	for i := range x.atoms {
		x.atoms[i].worth = int32(x.atoms[i].value(x.now))
	}
	if known.size > maxKnownBytes {
		x.known = known.take()
	}
	return x
}

// PreferNames sets the keys of names that were often written before the earlier summaries, as WrittenNames.Keys returns
// them: their lines are kept first.
func (x *Index) PreferNames(keys []string) { x.often = keys }

// pairing returns the pairs of the conversation, read once.
func (x *Index) pairing() *msg.Pairing {
	if x.pairs == nil {
		pairs := msg.Pair(x.c)
		x.pairs = &pairs
	}
	return x.pairs
}

func (x *Index) wasOften(name string) bool {
	if len(x.often) == 0 {
		return false
	}
	_, found := slices.BinarySearch(x.often, nameKey(name))
	return found
}

// walk calls visit for each block, in order. span is -1 outside the spans, m is -1 for the system prompt.
func (x *Index) walk(visit func(message *msg.Message, m, block, span int)) {
	system := msg.Message{Role: msg.System, Blocks: x.c.System}
	for b := range x.c.System {
		visit(&system, -1, b, -1)
	}
	span := 0
	for m := range x.c.Messages {
		for span < len(x.spans) && m >= x.spans[span].End {
			span++
		}
		in := -1
		if span < len(x.spans) && m >= x.spans[span].Start {
			in = span
		}
		for b := range x.c.Messages[m].Blocks {
			visit(&x.c.Messages[m], m, b, in)
		}
	}
}

// expectAtoms adds the atoms of a block to those that are counted, if it is in a span.
func (x *Index) expectAtoms(message *msg.Message, m, block, span int) {
	b := &message.Blocks[block]
	switch {
	case span < 0 || b.Kind == msg.KindImage || b.Kind == msg.KindOther:
	case b.Kind == msg.KindText && b.IsSummary():
		Atoms(b.Text, func(_ FactKind, name string) { x.inSpans.add(x.known.id(name)) })
	default:
		texts := x.known.read(message, block)
		for i := range texts {
			for _, f := range texts[i].atoms {
				x.inSpans.add(f.id)
			}
		}
	}
}

// bits is a set of atoms by their ids.
type bits []uint64

func (s *bits) add(id int32) {
	for len(*s) <= int(id/64) {
		*s = append(*s, 0)
	}
	(*s)[id/64] |= 1 << (id % 64)
}

func (s bits) has(id int32) bool { return int(id/64) < len(s) && s[id/64]>>(id%64)&1 != 0 }

// addBlock reads one block: its statements, the agent's tasks, and its atoms.
func (x *Index) addBlock(message *msg.Message, m, block, span int) {
	switch b := &message.Blocks[block]; b.Kind {
	case msg.KindToolUse:
		if m >= 0 && toolActs[normalizeToolName(b.Name)] == actTodo {
			x.lastTodo = msg.Ref{Message: m, Block: block}
		}
	case msg.KindText, msg.KindImage, msg.KindOther:
	default:
		if id, subject, ok := createdTask(b.Text); ok {
			x.tasks[id] = subject
		}
	}
	x.addAtoms(message, m, block, span, everyAtom)
}

// These stand for the id of an atom.
const (
	everyAtom = -1 // all that are counted
	restAtoms = -2 // all that are not counted yet
)

// addAtoms counts the atoms of one block, and reads the user's statements; or only the atom with the id.
func (x *Index) addAtoms(message *msg.Message, m, block, span int, only int32) {
	b := &message.Blocks[block]
	switch {
	case b.Kind == msg.KindImage || b.Kind == msg.KindOther:
		return
	case b.Kind == msg.KindText && m >= 0 && b.IsSummary():
		x.addSummary(m, span, b.Text, only)
		return
	}
	said := message.Role == msg.Assistant &&
		(b.Kind == msg.KindText || b.Kind == msg.KindToolUse || b.Kind == msg.KindThinking)
	failed := b.Kind == msg.KindToolResult && b.IsError
	texts := x.known.read(message, block)
	for i := range texts {
		text := &texts[i]
		if only == everyAtom {
			x.statements = append(x.statements, text.statements...)
		}
		for _, f := range text.atoms {
			if x.counts(f.id, only) {
				x.addAtom(f, m, span, said, text.user, failed)
			}
		}
	}
}

// counts reports whether an atom is counted now.
func (x *Index) counts(id, only int32) bool {
	switch only {
	case everyAtom:
		return x.inSpans == nil || x.inSpans.has(id)
	case restAtoms:
		return !x.inSpans.has(id)
	}
	return id == only
}

// addAtom records one occurrence of an atom.
func (x *Index) addAtom(f fact, m, span int, said, user, failed bool) *atom {
	for int(f.id) >= len(x.places) {
		x.places = append(x.places, 0)
	}
	if x.places[f.id] == 0 {
		x.atoms = append(x.atoms, atom{text: x.known.names[f.id], kind: f.kind, home: -1, message: -2, messageSaid: -2})
		x.places[f.id] = int32(len(x.atoms))
	}
	a := &x.atoms[x.places[f.id]-1]
	turn := int32(1)
	if m >= 0 {
		turn = int32(x.turns[m])
	}
	a.user = a.user || user
	a.failed = a.failed || failed
	a.lastSeen = turn
	if a.message != int32(m) {
		a.message = int32(m)
		a.seen = min(a.seen+1, maxCounted)
	}
	if said {
		a.lastSaid = turn
		if a.messageSaid != int32(m) {
			a.messageSaid = int32(m)
			a.said = min(a.said+1, maxCounted)
		}
	}
	switch {
	case span < 0:
		a.kept = true
	case said || !a.homeSaid:
		a.home, a.homeSaid = int32(span), said
	}
	return a
}

// find returns the index of an atom of the conversation.
func (x *Index) find(name string) (int32, bool) {
	id, ok := x.known.ids[name]
	if !ok {
		return 0, false
	}
	if !x.counts(id, everyAtom) { // a line that a summary joins may have atoms that no block has
		x.countLate(id)
	}
	if int(id) >= len(x.places) || x.places[id] == 0 {
		return 0, false
	}
	return x.places[id] - 1, true
}

// countLate counts an atom that the spans do not have, or, after maxLate of them, all that are not counted yet.
func (x *Index) countLate(id int32) {
	n := len(x.atoms)
	if x.late++; x.late > maxLate {
		id = restAtoms
	}
	x.walk(func(message *msg.Message, m, block, span int) { x.addAtoms(message, m, block, span, id) })
	if id == restAtoms {
		x.inSpans = nil
	} else {
		x.inSpans.add(id)
	}
	for i := n; i < len(x.atoms); i++ {
		x.atoms[i].worth = int32(x.atoms[i].value(x.now))
	}
	x.draftAtoms = append(x.draftAtoms, make([]draftAtom, len(x.atoms)-n)...)
}

// maxLate is the number of atoms that are counted one by one: each takes a walk. Of 1,344 summaries of a real session,
// all together had 236.
const maxLate = 16
