package summarize

import (
	"slices"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/words"
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
	places     []int32 // of each atom that memory has: its index in atoms + 1, 0 if the conversation has it not
	inSpans    bits    // the atoms that are counted, others when they are looked up; nil: all
	late       int     // number of atoms that were counted when they were looked up
	atoms      []atom
	draftAtoms []draftAtom
	drafts     int32 // number of summaries started
	memory     *Memory
	often      []string // keys of names that were often written before, sorted

	files    bool              // a call is about a file, or is a command
	tasks    map[string]string // subjects of the agent's tasks, by number
	lastTodo msg.Ref           // the last call that wrote a todo list, or summary with one: it replaces all earlier lists
}

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
	c = withoutSecrets(c)
	memory := s
	if s == nil {
		memory = new(Memory)
	}
	memory.begin(s != nil)
	x := &Index{c: c, spans: spans, memory: memory, turns: turns,
		places: make([]int32, len(memory.names)), tasks: map[string]string{}, lastTodo: msg.Ref{Message: -1}}
	x.now = 1
	if n := len(x.turns); n > 0 {
		x.now = x.turns[n-1] + 1
	}
	if s != nil && len(spans) > 0 {
		x.inSpans = make(bits, len(memory.names)/64+1)
		x.walk(x.expectAtoms)
	}
	x.walk(x.addBlock)
	x.draftAtoms = make([]draftAtom, len(x.atoms))
	for i := range x.atoms {
		x.atoms[i].worth = int32(x.atoms[i].value(x.now))
	}
	if memory.size > maxMemoryBytes {
		x.memory = memory.takeAll()
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
		Atoms(b.Text, func(_ FactKind, name string) { x.inSpans.addID(x.memory.id(name)) })
	default:
		texts := x.memory.readBlock(message, block)
		for i := range texts {
			for _, f := range texts[i].atoms {
				x.inSpans.addID(f.id)
			}
		}
	}
}

// bits is a set of atoms by their ids.
type bits []uint64

func (s *bits) addID(id int32) {
	for len(*s) <= int(id/64) {
		*s = append(*s, 0)
	}
	(*s)[id/64] |= 1 << (id % 64)
}

func (s bits) has(id int32) bool { return int(id/64) < len(s) && s[id/64]>>(id%64)&1 != 0 }

// addBlock reads one block: the agent's tasks, and its atoms.
func (x *Index) addBlock(message *msg.Message, m, block, span int) {
	b := &message.Blocks[block]
	if m >= 0 && b.IsSummary() && listsTodos(b.Text) {
		x.lastTodo = msg.Ref{Message: m, Block: block}
	}
	switch b.Kind {
	case msg.KindToolUse:
		switch toolActs[normalizeToolName(b.Name)] {
		case actRead, actEdit, actWrite, actDelete, actMove, actShell:
			x.files = true
		case actTodo:
			if m >= 0 {
				x.lastTodo = msg.Ref{Message: m, Block: block}
			}
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

// addAtoms counts the atoms of one block, or only the atom with the id. The user's words stay, so their names are read
// outside of the spans.
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
	texts := x.memory.readBlock(message, block)
	for i := range texts {
		text, in := &texts[i], span
		if text.user {
			in = -1
		}
		for _, f := range text.atoms {
			if x.counts(f.id, only) {
				x.addAtom(f, m, in, said, text.user, failed)
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
		x.atoms = append(x.atoms, atom{text: x.memory.names[f.id], kind: f.kind, message: -2, messageSaid: -2})
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
	a.kept, a.spanned = a.kept || span < 0, a.spanned || span >= 0
	return a
}

// findAtom returns the index of an atom of the conversation.
func (x *Index) findAtom(name string) (int32, bool) {
	id, ok := x.memory.ids[name]
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
		x.inSpans.addID(id)
	}
	for i := n; i < len(x.atoms); i++ {
		x.atoms[i].worth = int32(x.atoms[i].value(x.now))
	}
	x.draftAtoms = append(x.draftAtoms, make([]draftAtom, len(x.atoms)-n)...)
}

// maxLate is the number of atoms that are counted one by one: each takes a walk. Of 1,344 summaries of a real session,
// all together had 236.
const maxLate = 16

// inSummary is the worth of a in the summary of a span. A name outside of all spans, in an earlier summary too, is read
// there. But the recent messages that have it will be summarized, too: a name of an earlier summary in the span stays
// worth a part.
func (x *Index) inSummary(a *atom) int32 {
	worth := a.worth
	if !a.spanned || a.kept && !a.old {
		return 0
	}
	switch {
	case a.old && x.wasOften(a.text):
		worth = max(worth, worthOftenName)
	case a.old && (a.kind == Path || a.kind == Identifier):
		worth = max(worth, worthOldName)
	}
	if a.kept {
		worth = worth * worthElsewhere / 100
	}
	return worth
}

// addSummary counts the atoms of an earlier summary by its lines. A line represents several occurrences, since it was
// worth keeping. Or it counts only the atom with an id.
func (x *Index) addSummary(m, span int, text string, only int32) {
	turn := x.turns[m]
	_, rest := marker.Parse(text)
	said, _ := words.Cut(rest)
	for i := range said {
		Atoms(said[i].Text, func(k FactKind, name string) {
			if id := x.memory.id(name); x.counts(id, only) {
				x.addAtom(fact{id, k}, m, -1, false, true, false)
			}
		})
	}
	for s, line := range linesOf(text) {
		if line.turn > 0 {
			turn = line.turn
		}
		Atoms(line.text, func(k FactKind, name string) {
			id := x.memory.id(name)
			if !x.counts(id, only) {
				return
			}
			a := x.addAtom(fact{id, k}, m, span, true, false, section(s) == sectionErrors)
			a.old = a.old || span >= 0
			a.seen = min(a.seen+occurrencesOfOldLine, maxCounted)
			a.lastSeen, a.lastSaid = int32(turn), int32(turn)
		})
	}
}

const occurrencesOfOldLine = 2

// lastAssistantText is the last text of the assistant in the span, if it is the last span and no earlier summary comes
// after the text: then the work went on. Otherwise its Message is -1.
func (x *Index) lastAssistantText(span msg.Span) msg.Ref {
	if x.spans[len(x.spans)-1] != span {
		return msg.Ref{Message: -1}
	}
	for m := span.End - 1; m >= span.Start; m-- {
		for b := len(x.c.Messages[m].Blocks) - 1; b >= 0; b-- {
			block := &x.c.Messages[m].Blocks[b]
			if block.IsSummary() {
				return msg.Ref{Message: -1}
			}
			if block.Kind == msg.KindText && x.c.Messages[m].Role == msg.Assistant && len(block.Text) > 20 {
				return msg.Ref{Message: m, Block: b}
			}
		}
	}
	return msg.Ref{Message: -1}
}

// draftAtom is the state of an atom in one draft.
type draftAtom struct {
	draft int32 // number of the draft, from 1; the state of an earlier draft is stale
	owner int32 // the group that mentioned it last; -1 for none
	worth int32 // remaining worth; 0 after a chosen unit contains it
	name  int32 // the chosen unit of its bare name; 0 for none

	inLine bool // a unit other than a head contains it
}
