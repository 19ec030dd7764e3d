package misses

import (
	"slices"
	"strings"

	"tamp/core/msg"
	"tamp/core/summarize"
)

// Session is a recorded session that grows call by call, with the context of its next call. Not safe for concurrent
// use. Of each node of words it has where the history has the text last, and how many messages of the context have it.
type Session struct {
	words   *words
	answers map[int]answer // by message

	history []msg.Message
	last    []msg.Ref              // of each node; Message -1 if the history does not have it
	calls   map[string]calling     // the newest call of each id
	results map[string]msg.Ref     // the newest result of each key of a call
	of      map[msg.Ref]msg.Ref    // the call of each result
	again   map[msg.Ref]bool       // blocks that were to be read again
	hits    map[messageKey][]hit   // of messages of the history and of contexts
	context []place                // of the messages of the context
	counts  []int                  // of each node: the messages of the context that have it, and system prompt and tools
	present map[string][]msg.Block // of the messages of the context, by path
	written int                    // messages of the context that a compaction wrote
}

// answer is what an answer uses.
type answer struct {
	names []name
	edits []edit
	calls []call
}

// name is a name or a line, with its node.
type name struct {
	node int32
	text string
}

// edit is the old text of one change, by line.
type edit []name

// call is a call of an answer: its id, its block, and the key of what it reads.
type call struct {
	id    string
	block int
	key   string
}

// calling is a call of the history.
type calling struct {
	ref msg.Ref
	key string
}

// hit is a text that a message has, with the last block that has it.
type hit struct{ node, block int32 }

// messageKey identifies a message by the address of its blocks, which an unchanged message shares.
type messageKey struct {
	first  *msg.Block
	blocks int
}

// place is a message of the context.
type place struct {
	messageKey
	path string
}

func (p *place) written() int {
	if p.path == "" {
		return 1
	}
	return 0
}

func keyOf(m *msg.Message) (k messageKey) {
	if k.blocks = len(m.Blocks); k.blocks > 0 {
		k.first = &m.Blocks[0]
	}
	return k
}

// New reads the answers of c: the messages with these indices. The session begins empty.
func New(c *msg.Conversation, answers []int) *Session {
	s := &Session{words: newWords(), answers: map[int]answer{}, calls: map[string]calling{}, results: map[string]msg.Ref{},
		of: map[msg.Ref]msg.Ref{}, again: map[msg.Ref]bool{}, hits: map[messageKey][]hit{},
		present: map[string][]msg.Block{}}
	for _, m := range answers {
		s.answers[m] = s.read(&c.Messages[m])
	}
	nodes := len(s.words.isText)
	s.last, s.counts = make([]msg.Ref, nodes), make([]int, nodes)
	for i := range s.last {
		s.last[i].Message = -1
	}
	for _, blocks := range [][]msg.Block{c.System, c.Tools} {
		s.count(s.find(&msg.Message{Blocks: blocks}), 1)
	}
	return s
}

// read reads an answer. Its thinking does not count: many logs do not have it.
func (s *Session) read(m *msg.Message) (a answer) {
	s.words.search++
	addName := func(kind summarize.FactKind, text string) {
		if kind == summarize.Number && digits(text) < 4 {
			return
		}
		if node := s.words.add(text); node > 0 && s.words.seen[node] != s.words.search {
			s.words.seen[node] = s.words.search
			a.names = append(a.names, name{node, text})
		}
	}
	for b := range m.Blocks {
		switch block := &m.Blocks[b]; block.Kind {
		case msg.KindText:
			summarize.Atoms(block.Text, addName)
		case msg.KindToolUse:
			use := summarize.ReadUse(block.Name, block.Text)
			for _, text := range use.Texts {
				summarize.Atoms(text, addName)
			}
			for _, old := range use.Old {
				var e edit
				for line := range strings.Lines(old) {
					if node := s.words.add(line); node > 0 {
						e = append(e, name{node, strings.TrimSpace(line)})
					}
				}
				if e != nil {
					a.edits = append(a.edits, e)
				}
			}
			a.calls = append(a.calls, call{block.ID, b, use.Key})
		}
	}
	return a
}

func digits(text string) (n int) {
	for i := 0; i < len(text); i++ {
		if text[i] >= '0' && text[i] <= '9' {
			n++
		}
	}
	return n
}

// find returns the texts that a message has.
func (s *Session) find(m *msg.Message) (found []hit) {
	var nodes []int32
	s.words.search++
	for b := len(m.Blocks) - 1; b >= 0; b-- {
		block := &m.Blocks[b]
		nodes = nodes[:0]
		switch block.Kind {
		case msg.KindToolUse:
			summarize.Inputs(block.Text, func(text string) { nodes = s.words.find(nodes, text) })
		case msg.KindImage, msg.KindOther:
		default:
			nodes = s.words.find(nodes, block.Text)
		}
		for _, node := range nodes {
			found = append(found, hit{node, int32(b)})
		}
	}
	return found
}

// hitsOf is find, once for each message.
func (s *Session) hitsOf(m *msg.Message) []hit {
	k := keyOf(m)
	found, ok := s.hits[k]
	if !ok {
		found = s.find(m)
		s.hits[k] = found
	}
	return found
}

func (s *Session) count(hits []hit, n int) {
	for _, h := range hits {
		s.counts[h.node] += n
	}
}

// Append adds messages to the history, those of the session in their order. The caller must not change them.
func (s *Session) Append(messages []msg.Message) {
	for i := range messages {
		m, at := &messages[i], len(s.history)
		for _, h := range s.hitsOf(m) {
			s.last[h.node] = msg.Ref{Message: at, Block: int(h.block)}
		}
		for _, c := range s.answers[at].calls {
			s.calls[c.id] = calling{msg.Ref{Message: at, Block: c.block}, c.key}
		}
		for b := range m.Blocks {
			if m.Blocks[b].Kind != msg.KindToolResult {
				continue
			}
			if c, ok := s.calls[m.Blocks[b].ID]; ok {
				ref := msg.Ref{Message: at, Block: b}
				s.of[ref] = c.ref
				if c.key != "" {
					s.results[c.key] = ref
				}
			}
		}
		s.history = append(s.history, *m)
	}
}

// SetContext sets the messages that the next call receives. grown means that they begin with those of the context
// before, so that only the new ones are read.
func (s *Session) SetContext(messages []msg.Message, grown bool) {
	same := len(s.context)
	if !grown {
		for same = 0; same < min(len(s.context), len(messages)) && s.context[same].messageKey == keyOf(&messages[same]); {
			same++
		}
	}
	old, added := s.context[same:], messages[same:]
	changed := func(i int) bool { // clearing replaces messages one by one
		return len(old) > len(added) || i >= len(old) || old[i].messageKey != keyOf(&added[i])
	}
	for i := range old {
		if len(old) > len(added) || changed(i) {
			s.count(s.hits[old[i].messageKey], -1)
			delete(s.present, old[i].path)
			s.written -= old[i].written()
		}
	}
	s.context = s.context[:same]
	for i := range added {
		m := &added[i]
		at := place{keyOf(m), m.Path}
		if changed(i) {
			s.count(s.hitsOf(m), 1)
			s.present[m.Path] = m.Blocks
			s.written += at.written()
		}
		s.context = append(s.context, at)
	}
}

// Found is what one answer uses, and what of it the context does not have.
type Found struct {
	Names, Missed    int // names that the history had, and of these those that the context does not have
	Edits, Lost      int // edits whose old text the history had, and of these the lost ones
	Repeats, LeftOut int // calls that repeat an earlier one, and of these those whose earlier result was left out
	List             []Miss
	Again            []msg.Ref // the blocks with what is missing, each once in the session
}

// Miss is a name, or a line of the old text of an edit, that the context does not have.
type Miss struct {
	Text string
	Edit bool
	Ref  msg.Ref // the block of the history that had it last
	// The call of that result; Message -1 if it is not a result.
	Call msg.Ref
	Fate string // of that block, as core.BlockFate says it
}

// Call compares what an answer uses with the history and the context before it.
func (s *Session) Call(m int) (f Found) {
	a := s.answers[m]
	for _, c := range a.calls {
		if ref, ok := s.results[c.key]; ok && c.key != "" {
			f.Repeats++
			if s.fate(ref) != "" {
				f.LeftOut++
				s.again[ref] = true // the session itself reads it again
			}
		}
	}
	for _, e := range a.edits {
		if slices.ContainsFunc(e, func(line name) bool { return s.last[line.node].Message < 0 }) {
			continue
		}
		f.Edits++
		lost := false
		for _, line := range e {
			if s.counts[line.node] == 0 {
				s.miss(&f, line, !lost, true)
				lost = true
			}
		}
		if lost {
			f.Lost++
		}
	}
	for _, n := range a.names {
		if s.last[n.node].Message >= 0 {
			f.Names++
			if s.counts[n.node] == 0 {
				f.Missed++
				s.miss(&f, n, true, false)
			}
		}
	}
	return f
}

// miss adds a text that the context does not have, to the list only if it is listed.
func (s *Session) miss(f *Found, n name, listed, edit bool) {
	ref := s.last[n.node]
	if !s.again[ref] {
		s.again[ref] = true
		f.Again = append(f.Again, ref)
	}
	if !listed {
		return
	}
	call, ok := s.of[ref]
	if !ok {
		call.Message = -1
	}
	f.List = append(f.List, Miss{n.text, edit, ref, call, s.fate(ref)})
}

// CallOf returns the call of a result of the history.
func (s *Session) CallOf(ref msg.Ref) (call msg.Ref, ok bool) {
	call, ok = s.of[ref]
	return call, ok
}

// fate returns what became of a block of the history, "" if the context has it unchanged.
func (s *Session) fate(ref msg.Ref) string {
	m := &s.history[ref.Message]
	block := &m.Blocks[ref.Block]
	now, ok := s.present[m.Path]
	if !ok {
		if s.written > 0 {
			return "summarized"
		}
		return "dropped"
	}
	for b := range now {
		switch x := &now[b]; {
		case x.Path != block.Path || x.Path == "" && b != ref.Block:
		case x.IsSummary() && !block.IsSummary():
			return "summarized"
		case x.Text == block.Text:
			return ""
		case strings.Contains(x.Text, "\n"):
			return "truncated"
		default:
			return "cleared"
		}
	}
	return "dropped"
}
