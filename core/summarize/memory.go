package summarize

import (
	"tamp/core/msg"
	"tamp/core/provenance"
)

// Memory keeps the names of texts that were read: the plans and summaries of one session read the
// same texts again and again. The zero value is empty, nil keeps nothing. Not safe for concurrent use.
type Memory struct {
	blocks map[blockKey][]readText // nil: nothing is kept
	ids    map[string]int32        // of all atoms: their index in names
	names  []string
	marks  []int32 // of each atom: the last text that has it, and its kind there
	texts  int32   // number of texts read
	size   int     // of these, in bytes
}

// blockKey identifies a block: by its address, since no code changes blocks in place, and by the properties of the
// message that its authors depend on. The pointer keeps the blocks alive, so an address is never reused.
type blockKey struct {
	first *msg.Block // of the message
	at    int        // 4 × the index of the block, + 1 for a user's message, + 2 for a Meta message
}

// readText is a part of a block with one author.
type readText struct {
	user  bool   // its text is the user's
	atoms []fact // each once, or more often if it is of several kinds
}

// fact is an atom of a text.
type fact struct {
	id   int32
	kind FactKind
}

// maxMemoryBytes is the size of the texts that are kept; above it they are forgotten.
const maxMemoryBytes = 8 << 20

// begin starts with a conversation.
func (s *Memory) begin(keep bool) {
	if s.ids == nil {
		s.ids = map[string]int32{}
		if keep {
			s.blocks = map[blockKey][]readText{}
		}
	}
}

// takeAll returns what s has, which is empty then.
func (s *Memory) takeAll() *Memory {
	all := *s
	*s = Memory{}
	return &all
}

// id returns the id of an atom.
func (s *Memory) id(name string) int32 {
	id, ok := s.ids[name]
	if !ok {
		id = int32(len(s.names))
		s.ids[name] = id
		s.names, s.marks = append(s.names, name), append(s.marks, 0)
	}
	return id
}

func keyOf(m *msg.Message, block int) blockKey {
	key := blockKey{&m.Blocks[0], 4 * block}
	if m.Role == msg.User {
		key.at++
	}
	if m.Meta {
		key.at += 2
	}
	return key
}

// VisitRead calls visit for the facts of a block that was read and has one author, as Atoms does, but for each once. It
// returns false for other blocks.
func (s *Memory) VisitRead(m *msg.Message, block int, visit func(FactKind, string)) bool {
	if s == nil {
		return false
	}
	texts := s.blocks[keyOf(m, block)]
	if len(texts) != 1 {
		return false
	}
	for _, f := range texts[0].atoms {
		visit(f.kind, s.names[f.id])
	}
	return true
}

// readBlock returns the texts of a block of the message.
func (s *Memory) readBlock(m *msg.Message, block int) []readText {
	key := keyOf(m, block)
	texts, ok := s.blocks[key]
	if ok {
		return texts
	}
	b := &m.Blocks[block]
	s.size += len(b.Text)
	switch {
	case b.Kind == msg.KindToolUse:
		var text readText
		s.texts++
		s.addAtoms(&text, b.Name)
		for _, f := range fields(b.Text) {
			s.addAtoms(&text, f.text)
		}
		texts = append(texts, text)
	case !provenance.MayQuote(m, block):
		texts = append(texts, s.newText(b.Text))
	default:
		for _, span := range provenance.Spans(m, block) {
			part := b.Text[span.Start:span.End]
			text := s.newText(part)
			text.user = span.Author == provenance.User
			texts = append(texts, text)
		}
	}
	if s.blocks != nil && s.size <= maxMemoryBytes {
		s.blocks[key] = texts
	}
	return texts
}

// newText reads a text.
func (s *Memory) newText(text string) (out readText) {
	s.texts++
	s.addAtoms(&out, text)
	return out
}

// addAtoms adds the atoms of a part of the newest text.
func (s *Memory) addAtoms(out *readText, part string) {
	Atoms(part, func(k FactKind, name string) {
		if id, mark := s.id(name), s.texts*int32(kinds)+int32(k); s.marks[id] != mark {
			s.marks[id] = mark
			out.atoms = append(out.atoms, fact{id, k})
		}
	})
}
