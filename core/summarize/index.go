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
	pairs      msg.Pairing
	turns      []int
	now        int     // the turn after the last one
	places     []int32 // of each atom that known has: its index in atoms + 1, 0 if the conversation has it not
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
	x := &Index{c: c, spans: spans, known: known, pairs: msg.Pair(c), turns: turns,
		places: make([]int32, len(known.names)), tasks: map[string]string{}, lastTodo: msg.Ref{Message: -1}}
	x.now = 1
	if n := len(x.turns); n > 0 {
		x.now = x.turns[n-1] + 1
	}
	system := msg.Message{Role: msg.System, Blocks: c.System}
	for b := range c.System {
		x.addBlock(&system, -1, b, -1)
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
			x.addBlock(&c.Messages[m], m, b, in)
		}
	}
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

func (x *Index) wasOften(name string) bool {
	if len(x.often) == 0 {
		return false
	}
	_, found := slices.BinarySearch(x.often, nameKey(name))
	return found
}

// addBlock counts the atoms of one block. span is -1 outside the spans, m is -1 for the system prompt.
func (x *Index) addBlock(message *msg.Message, m, block, span int) {
	b := &message.Blocks[block]
	switch b.Kind {
	case msg.KindImage, msg.KindOther:
		return
	case msg.KindToolUse:
		if m >= 0 && toolActs[normalizeToolName(b.Name)] == actTodo {
			x.lastTodo = msg.Ref{Message: m, Block: block}
		}
	case msg.KindText:
		if m >= 0 && b.IsSummary() {
			x.addSummary(m, span, b.Text)
			return
		}
	default:
		if id, subject, ok := createdTask(b.Text); ok {
			x.tasks[id] = subject
		}
	}
	said := message.Role == msg.Assistant &&
		(b.Kind == msg.KindText || b.Kind == msg.KindToolUse || b.Kind == msg.KindThinking)
	failed := b.Kind == msg.KindToolResult && b.IsError
	for _, text := range x.known.read(message, block) {
		x.statements = append(x.statements, text.statements...)
		for _, f := range text.atoms {
			x.addAtom(f, m, span, said, text.user, failed)
		}
	}
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
	if !ok || int(id) >= len(x.places) || x.places[id] == 0 {
		return 0, false
	}
	return x.places[id] - 1, true
}
