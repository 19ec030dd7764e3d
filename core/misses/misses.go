package misses

import (
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/summarize"
)

// Session is a recorded session that grows call by call, with the context of its next call. Not safe for concurrent
// use.
type Session struct {
	words    words
	messages []msg.Message   // of the whole session
	answers  map[int]*answer // by message

	first   []int   // of each message of the history: the number of its first block
	blocks  []block // of the history
	numbers map[string]int
	context []*place
	at      map[string]int        // of each path of the context: its message
	written int                   // messages of the context that a compaction wrote
	places  map[*msg.Block]*place // of all messages that were read, by their first block
}

// answer is what an answer uses: the nodes of its names, those of the lines of each old text, and its keys.
type answer struct {
	names []int
	edits [][]int
	keys  []string // of its blocks, see summarize.ReadUse
}

// block is a block of the history.
type block struct {
	ref   msg.Ref
	key   string // of a call
	call  int    // of a result: the number of the block of its call; -1 if there is none
	again bool   // it was to be read again
}

// place is a message with the texts that it has.
type place struct {
	blocks []msg.Block
	path   string
	hits   []hit
}

// hit is a text that a message has, with the last block that has it.
type hit struct{ node, block int }

// has reports whether a place is of the message m: an unchanged message shares its blocks.
func (p *place) has(m *msg.Message) bool {
	return len(p.blocks) == len(m.Blocks) && (len(m.Blocks) == 0 || &p.blocks[0] == &m.Blocks[0])
}

// New reads the answers of c: the messages with these indices. The history begins empty.
func New(c *msg.Conversation, answers []int) *Session {
	s := &Session{messages: c.Messages, answers: map[int]*answer{}, numbers: map[string]int{}, at: map[string]int{},
		places: map[*msg.Block]*place{}}
	s.words.nodes, s.words.next = make([]node, 1), map[uint64]int{}
	for _, m := range answers {
		s.answers[m] = s.readAnswer(&c.Messages[m])
	}
	s.count(s.findHits(c.System), 1)
	s.count(s.findHits(c.Tools), 1)
	return s
}

// readAnswer reads an answer. Its thinking does not count: many logs do not have it.
func (s *Session) readAnswer(m *msg.Message) *answer {
	a := &answer{keys: make([]string, len(m.Blocks))}
	s.words.search++
	name := func(kind summarize.FactKind, text string) {
		if kind == summarize.Number && countDigits(text) < 4 {
			return
		}
		if at := s.words.addWord(text); at > 0 && s.words.isNew(&s.words.nodes[at]) {
			a.names = append(a.names, at)
		}
	}
	for b := range m.Blocks {
		switch block := &m.Blocks[b]; block.Kind {
		case msg.KindText:
			summarize.Atoms(block.Text, name)
		case msg.KindToolUse:
			a.keys[b] = summarize.ReadUse(block.Name, block.Text, func(text string, old bool) {
				if !old {
					summarize.Atoms(text, name)
					return
				}
				var lines []int
				for rest, more := text, true; more; {
					text, rest, more = strings.Cut(rest, "\n")
					if at := s.words.addWord(strings.TrimSpace(text)); at > 0 {
						lines = append(lines, at)
					}
				}
				if lines != nil {
					a.edits = append(a.edits, lines)
				}
			})
		}
	}
	return a
}

// countDigits counts the digits of a text, anywhere in it.
func countDigits(text string) (n int) {
	for i := 0; i < len(text); i++ {
		if text[i] >= '0' && text[i] <= '9' {
			n++
		}
	}
	return n
}

// findHits returns the texts that blocks have.
func (s *Session) findHits(blocks []msg.Block) (found []hit) {
	s.words.search++
	for b := len(blocks) - 1; b >= 0; b-- {
		block := &blocks[b]
		search := func(text string) {
			s.words.findWords(text, func(at int) { found = append(found, hit{at, b}) })
		}
		switch block.Kind {
		case msg.KindToolUse:
			summarize.Inputs(block.Text, search)
		case msg.KindImage, msg.KindOther:
		default:
			search(block.Text)
		}
	}
	return found
}

// place reads a message, once for as long as its blocks are shared.
func (s *Session) place(m *msg.Message) *place {
	var first *msg.Block
	if len(m.Blocks) > 0 {
		first = &m.Blocks[0]
	}
	p := s.places[first]
	if p == nil || p.path != m.Path || !p.has(m) {
		p = &place{m.Blocks, m.Path, s.findHits(m.Blocks)}
		s.places[first] = p
	}
	return p
}

func (s *Session) count(hits []hit, n int) {
	for _, h := range hits {
		s.words.nodes[h.node].count += n
	}
}

// Grow adds the messages of the session before the message `end` to the history.
func (s *Session) Grow(end int) {
	for at := len(s.first); at < end; at++ {
		m, first := &s.messages[at], len(s.blocks)
		s.first = append(s.first, first)
		for _, h := range s.place(m).hits {
			s.words.nodes[h.node].last = first + h.block
		}
		for b := range m.Blocks {
			x := block{ref: msg.Ref{Message: at, Block: b}, call: -1}
			id := "id " + m.Blocks[b].ID
			switch m.Blocks[b].Kind {
			case msg.KindToolUse:
				if a := s.answers[at]; a != nil {
					x.key = a.keys[b]
				}
				s.numbers[id] = len(s.blocks)
			case msg.KindToolResult:
				if call, ok := s.numbers[id]; ok {
					x.call = call
					s.numbers["key "+s.blocks[call].key] = len(s.blocks)
				}
			}
			s.blocks = append(s.blocks, x)
		}
	}
}

// SetContext sets the messages that the next call receives. grown means that they begin with those of the context
// before, so that only the new ones are read.
func (s *Session) SetContext(messages []msg.Message, grown bool) {
	same := len(s.context)
	for i := 0; !grown && i < same; i++ {
		if i == len(messages) || !s.context[i].has(&messages[i]) {
			same = i
		}
	}
	for i, p := range s.context[same:] {
		// Clearing replaces messages one by one; if messages were removed, all after them are counted again.
		if len(messages) < len(s.context) || !p.has(&messages[same+i]) {
			s.leave(p)
			s.context[same+i] = nil
		}
	}
	s.context = s.context[:min(len(s.context), len(messages))]
	for i := same; i < len(messages); i++ {
		if i == len(s.context) {
			s.context = append(s.context, nil)
		}
		if s.context[i] == nil {
			p := s.place(&messages[i])
			s.context[i] = p
			s.count(p.hits, 1)
			s.at[p.path] = i
			if p.path == "" {
				s.written++
			}
		}
	}
}

// leave removes a message from the counts of the context.
func (s *Session) leave(p *place) {
	s.count(p.hits, -1)
	delete(s.at, p.path)
	if p.path == "" {
		s.written--
	}
}

// Found is what one answer uses, and what of it the context does not have.
type Found struct {
	Names, Missed    int // names that the history had, and of these those that the context does not have
	Edits, Lost      int // edits whose old text the history had, and of these the lost ones
	Repeats, LeftOut int // calls that repeat an earlier one, and of these those whose earlier result was left out
	List             []Miss
	Again            []msg.Ref // the blocks that are missing, each once in the session
}

// Miss is a name, or a line of the old text of an edit, that an answer uses and its request does not have.
type Miss struct {
	Name string `json:"name"`           // at most 200 code points
	Edit bool   `json:"edit,omitempty"` // the first line that is lost of the old text of an edit
	Path string `json:"path"`           // JSON Pointer of the block of the session that had it last
	Tool string `json:"tool,omitempty"` // of the call whose result that block is
	Fate string `json:"fate"`           // of that block: "cleared", "truncated", "summarized" or "dropped"
}

// The limits of the list of an answer. The counts have no limit.
const (
	maxMisses = 20
	maxName   = 200 // code points: a line may be long
)

// Call compares what an answer uses with the history and the context before it.
func (s *Session) Call(m int) (f Found) {
	a := s.answers[m]
	for _, key := range a.keys {
		if n, ok := s.numbers["key "+key]; ok && key != "" {
			f.Repeats++
			if s.fate(n) != "" {
				f.LeftOut++
				s.blocks[n].again = true // the session itself reads it again
			}
		}
	}
	for _, lines := range a.edits {
		had, lost := true, false
		for _, at := range lines {
			had = had && s.words.nodes[at].last >= 0
		}
		if !had {
			continue
		}
		f.Edits++
		for _, at := range lines {
			if s.words.nodes[at].count == 0 {
				s.miss(&f, at, true, !lost)
				lost = true
			}
		}
		if lost {
			f.Lost++
		}
	}
	for _, at := range a.names {
		if n := &s.words.nodes[at]; n.last >= 0 {
			f.Names++
			if n.count == 0 {
				f.Missed++
				s.miss(&f, at, false, true)
			}
		}
	}
	return f
}

// miss adds a text that the context does not have, to the list only if it is listed.
func (s *Session) miss(f *Found, at int, edit, listed bool) {
	n := &s.words.nodes[at]
	b := &s.blocks[n.last]
	if !b.again {
		b.again = true
		f.Again = append(f.Again, b.ref)
	}
	if !listed || len(f.List) == maxMisses {
		return
	}
	miss := Miss{Name: msg.Shorten(n.text, maxName), Edit: edit, Path: s.block(n.last).Path, Fate: s.fate(n.last)}
	if b.call >= 0 {
		miss.Tool = s.block(b.call).Name
	}
	f.List = append(f.List, miss)
}

// CallOf returns the place of the call of a result of the history, nil if there is none.
func (s *Session) CallOf(ref msg.Ref) *msg.Ref {
	if call := s.blocks[s.first[ref.Message]+ref.Block].call; call >= 0 {
		return &s.blocks[call].ref
	}
	return nil
}

// block returns the block of the history with a number.
func (s *Session) block(n int) *msg.Block {
	ref := s.blocks[n].ref
	return &s.messages[ref.Message].Blocks[ref.Block]
}

// fate returns what became of a block of the history, "" if the context has it unchanged.
func (s *Session) fate(n int) string {
	ref, block := s.blocks[n].ref, s.block(n)
	at, ok := s.at[s.messages[ref.Message].Path]
	if !ok {
		if s.written > 0 {
			return "summarized"
		}
		return "dropped"
	}
	now := s.context[at].blocks
	for b := range now {
		x := &now[b]
		first, _, lines := strings.Cut(x.Text, "\n")
		switch {
		case x.Path != block.Path || x.Path == "" && b != ref.Block:
		case x.IsSummary() && !block.IsSummary():
			return "summarized"
		case x.Text == block.Text:
			return ""
		case lines && !marker.BeginsLikePlaceholder(first):
			return "truncated"
		default:
			return "cleared"
		}
	}
	return "dropped"
}
