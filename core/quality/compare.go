package quality

import (
	"strings"
	"unicode/utf8"

	"tamp/core/msg"
	"tamp/core/summarize"
)

// fact is one fact of the removed part.
type fact struct {
	kind Kind
	text string
}

// Compare reports which facts of the removed part, the blocks of before that after does not contain verbatim, are still
// present anywhere in after. It reads each side once; the cost is linear.
func Compare(before, after *msg.Conversation) Report {
	verbatim := map[string]struct{}{}
	have := map[fact]struct{}{}
	keep := func(f fact) { have[f] = struct{}{} }
	for b := range after.System {
		visitPossible(after.System[b].Text, keep)
	}
	for m := range after.Messages {
		for b := range after.Messages[m].Blocks {
			block := &after.Messages[m].Blocks[b]
			verbatim[block.Text] = struct{}{}
			visitTexts(block, func(text string) { visitPossible(text, keep) })
		}
	}
	var list []fact
	listed := map[fact]struct{}{}
	add := func(f fact) {
		if _, ok := listed[f]; !ok {
			listed[f] = struct{}{}
			list = append(list, f)
		}
	}
	for m := range before.Messages {
		for b := range before.Messages[m].Blocks {
			block := &before.Messages[m].Blocks[b]
			if _, ok := verbatim[block.Text]; !ok {
				visitFacts(&before.Messages[m], block, add)
			}
		}
	}
	return newReport(list, have)
}

// visitFacts visits the facts of a removed block.
func visitFacts(m *msg.Message, b *msg.Block, add func(fact)) {
	visitTexts(b, func(text string) { atoms(text, add) })
	switch {
	case b.Kind == msg.KindToolResult && summarize.IsError(b):
		for _, line := range summarize.ErrorLines(b.Text, maxErrors) {
			add(fact{Errors, key(line)})
		}
	case b.Kind == msg.KindText && m.Role == msg.User && !m.Meta && !b.IsInjected():
		for _, s := range summarize.Constraints(b.Text) {
			add(fact{Constraints, key(s)})
		}
	}
}

// maxErrors is the number of error lines of one result that count as facts: the later lines usually follow from the
// first.
const maxErrors = 6

// visitPossible visits all facts that a text can contain: its atoms, its lines and its constraints.
func visitPossible(text string, keep func(fact)) {
	atoms(text, keep)
	for line := range strings.Lines(text) {
		keep(fact{Errors, key(line)})
	}
	for _, s := range summarize.Constraints(text) {
		keep(fact{Constraints, key(s)})
	}
}

func atoms(text string, visit func(fact)) {
	summarize.Atoms(text, func(k summarize.FactKind, s string) {
		if kind, ok := kindOf(k, s); ok {
			visit(fact{kind, s})
		}
	})
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

// newReport makes the report: list holds the facts of the removed part, have those of the new context.
func newReport(list []fact, have map[fact]struct{}) Report {
	order := Kinds()
	counts := make([]Count, len(order))
	place := map[Kind]int{}
	for i, k := range order {
		place[k] = i
		counts[i] = Count{Kind: k, KeptFacts: []string{}, LostFacts: []string{}}
	}
	r := Report{Permille: 1000, Kinds: []Count{}}
	for _, f := range list {
		c := &counts[place[f.kind]]
		facts := &c.LostFacts
		if _, ok := have[f]; ok {
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
