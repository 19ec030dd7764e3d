package quality

import (
	"strings"
	"unicode/utf8"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/summarize"
	"tamp/core/words"
)

// fact is one fact of the removed part.
type fact struct {
	kind Kind
	text string
}

// Compare reports which facts of the removed part, the blocks of before that after does not contain verbatim, are still
// present anywhere in after. It reads each side once; the cost is linear. Unchanged text is only searched for the
// facts of the removed part, so the cost is small if little was removed.
func Compare(before, after *msg.Conversation) Report { return CompareRead(before, after, nil) }

// CompareRead is Compare with the texts that a session has read; nil: none.
func CompareRead(before, after *msg.Conversation, texts *summarize.Memory) Report {
	verbatim := newTextSet(after)
	facts := newFactList()
	for it := before.Walk(); it.Next(); {
		if !verbatim.has(it.Block.Text) {
			facts.addBlock(&before.Messages[it.Ref.Message], it.Ref.Block, texts)
		}
	}
	for b := range after.System {
		facts.markText(after.System[b].Text)
	}
	for it := after.Walk(); it.Next(); {
		if facts.kept == len(facts.list) {
			return facts.report()
		}
		visitTexts(it.Block, facts.markText)
	}
	return facts.report()
}

// textSet is the set of the texts of a conversation's blocks.
type textSet struct {
	texts   map[string]struct{}
	lengths map[int]struct{} // of the texts: a removed text usually has the length of none of them
}

func newTextSet(c *msg.Conversation) textSet {
	s := textSet{texts: map[string]struct{}{}, lengths: map[int]struct{}{}}
	for it := c.Walk(); it.Next(); {
		text := it.Block.Text
		s.texts[text] = struct{}{}
		s.lengths[len(text)] = struct{}{}
	}
	return s
}

func (s textSet) has(text string) bool {
	if _, ok := s.lengths[len(text)]; !ok {
		return false
	}
	_, ok := s.texts[text]
	return ok
}

// factList has the facts of the removed part, in the order of their first occurrence, and which of them are kept.
type factList struct {
	list   []fact
	isKept []bool // of each fact: the new context has it
	kept   int
	places map[Kind]map[string]int32 // index in list
}

func newFactList() *factList {
	l := &factList{places: map[Kind]map[string]int32{}}
	for _, kind := range Kinds() {
		l.places[kind] = map[string]int32{}
	}
	return l
}

// addFact adds a fact, unless it is in the list.
func (l *factList) addFact(kind Kind, text string) {
	places := l.places[kind]
	if _, ok := places[text]; !ok {
		places[text] = int32(len(l.list))
		l.list = append(l.list, fact{kind, text})
		l.isKept = append(l.isKept, false)
	}
}

// addAtom adds an atom. The parameters are those of the visitor of summarize.Atoms.
func (l *factList) addAtom(k summarize.FactKind, text string) {
	if kind, ok := kindOf(k, text); ok {
		l.addFact(kind, text)
	}
}

// addBlock adds the facts of a removed block of m.
func (l *factList) addBlock(m *msg.Message, index int, texts *summarize.Memory) {
	b := &m.Blocks[index]
	if !texts.VisitRead(m, index, l.addAtom) {
		visitTexts(b, func(text string) { summarize.Atoms(text, l.addAtom) })
	}
	switch {
	case b.Kind == msg.KindToolResult && summarize.IsError(b) && !provenance.MayQuote(m, index):
		for _, line := range summarize.ErrorLines(b.Text, maxErrors) {
			l.addFact(Errors, key(line))
		}
	case provenance.MayQuote(m, index):
		provenance.Sentences(words.Typed(m, index), func(s string) { l.addFact(Words, key(s)) })
	}
}

// maxErrors is the number of error lines of one result that count as facts: the later lines usually follow from the
// first.
const maxErrors = 6

// mark marks a fact of the new context, if it is in the list.
func (l *factList) mark(kind Kind, text string) {
	if i, ok := l.places[kind][text]; ok && !l.isKept[i] {
		l.isKept[i] = true
		l.kept++
	}
}

// markAtom marks an atom. The parameters are those of the visitor of summarize.Atoms.
func (l *factList) markAtom(k summarize.FactKind, text string) {
	if kind, ok := kindOf(k, text); ok {
		l.mark(kind, text)
	}
}

// markText marks all facts that a text of the new context can contain: its atoms, its lines and its sentences. Lines
// and sentences are read only if the list has some.
func (l *factList) markText(text string) {
	summarize.Atoms(text, l.markAtom)
	if len(l.places[Errors]) > 0 {
		for line, more := provenance.NextLine(text); line != ""; line, more = provenance.NextLine(more) {
			l.mark(Errors, key(line))
		}
	}
	if len(l.places[Words]) > 0 {
		_, rest := marker.Parse(text)
		said, rest := words.Cut(rest)
		for i := range said {
			provenance.Sentences(said[i].Text, func(s string) { l.mark(Words, key(s)) })
		}
		provenance.Sentences(rest, func(s string) { l.mark(Words, key(s)) })
	}
}

// visitTexts visits the texts of a block; the input of a call is decoded.
func visitTexts(b *msg.Block, visit func(string)) {
	switch b.Kind {
	case msg.KindToolUse:
		visit(b.Name)
		summarize.Inputs(b.Text, visit)
	case msg.KindImage, msg.KindOther:
	default:
		visit(b.Text)
	}
}

// keyLength is the number of bytes of a line that are compared: a summary may shorten its end.
const keyLength = 90

// key is the compared form of a line or a sentence: without list marks, quotes, turn labels and repeated white space.
func key(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimLeft(s, "-*>#+•|= \t\"“'!")
	if rest, ok := strings.CutPrefix(s, "turn "); ok {
		if digits := len(rest) - len(strings.TrimLeft(rest, "0123456789")); digits > 0 &&
			strings.HasPrefix(rest[digits:], ": ") {
			s = strings.TrimLeft(rest[digits+2:], "-*>#+•|= \t\"“'!")
		}
	}
	s = strings.TrimRight(s, "\"”'. \r\n\t")
	if strings.ContainsAny(s, "\t") || strings.Contains(s, "  ") {
		s = strings.Join(strings.Fields(s), " ")
	}
	return bytePrefix(s, keyLength)
}

// bytePrefix returns the first n bytes of s, fewer if a code point would be cut in two.
func bytePrefix(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// report makes the report.
func (l *factList) report() Report {
	order := Kinds()
	counts := make([]Count, len(order))
	place := map[Kind]int{}
	for i, k := range order {
		place[k] = i
		counts[i] = Count{Kind: k, KeptFacts: []string{}, LostFacts: []string{}}
	}
	r := Report{Permille: 1000, Kinds: []Count{}}
	for i, f := range l.list {
		c := &counts[place[f.kind]]
		facts := &c.LostFacts
		if l.isKept[i] {
			r.Kept++
			c.Kept++
			facts = &c.KeptFacts
		} else {
			r.Lost++
			c.Lost++
		}
		if len(*facts) < MaxListed {
			*facts = append(*facts, msg.Shorten(f.text, maxListedLength))
		}
	}
	if n := r.Kept + r.Lost; n > 0 {
		r.Permille = r.Kept * 1000 / n
	}
	for i := range counts {
		if counts[i].Kept+counts[i].Lost > 0 {
			r.Kinds = append(r.Kinds, counts[i])
		}
	}
	return r
}
