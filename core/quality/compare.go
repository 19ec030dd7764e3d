package quality

import (
	"strings"
	"unicode/utf8"

	"tamp/core/extract"
	"tamp/core/msg"
)

// fact is one thing that may be lost.
type fact struct {
	kind Kind
	text string
}

// Compare reports which facts of what after no longer holds verbatim are still present somewhere in after.
// It reads each side once; the cost is linear.
func Compare(before, after *msg.Conversation) Report {
	verbatim := map[string]struct{}{}
	have := map[fact]struct{}{}
	keep := func(f fact) { have[f] = struct{}{} }
	for b := range after.System {
		present(after.System[b].Text, keep)
	}
	for m := range after.Messages {
		for b := range after.Messages[m].Blocks {
			block := &after.Messages[m].Blocks[b]
			verbatim[block.Text] = struct{}{}
			eachText(block, func(text string) { present(text, keep) })
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
				removed(&before.Messages[m], block, add)
			}
		}
	}
	return count(list, have)
}

// removed visits the facts of a block.
func removed(m *msg.Message, b *msg.Block, add func(fact)) {
	eachText(b, func(text string) { atoms(text, add) })
	switch {
	case b.Kind == msg.KindToolResult && extract.IsError(b):
		for _, line := range extract.ErrorLines(b.Text, mostErrors) {
			add(fact{Errors, key(line)})
		}
	case b.Kind == msg.KindText && m.Role == msg.User && !m.Meta && !b.IsInjected():
		for _, s := range extract.Constraints(b.Text) {
			add(fact{Constraints, key(s)})
		}
	}
}

// mostErrors is how many error lines of one result count as facts: the first say what went wrong, the rest follow from it.
const mostErrors = 6

// present visits everything in a text that a fact could be found in: its atoms, and its lines and sentences whole.
func present(text string, keep func(fact)) {
	atoms(text, keep)
	for line := range strings.Lines(text) {
		keep(fact{Errors, key(line)})
	}
	for _, s := range extract.Constraints(text) {
		keep(fact{Constraints, key(s)})
	}
}

func atoms(text string, visit func(fact)) {
	extract.Atoms(text, func(k extract.Kind, s string) {
		if kind, ok := kindOf(k, s); ok {
			visit(fact{kind, s})
		}
	})
}

// eachText visits the texts of a block, a call's input decoded.
func eachText(b *msg.Block, visit func(string)) {
	switch b.Kind {
	case msg.KindToolUse:
		visit(b.Name)
		extract.Inputs(b.Text, visit)
	case msg.KindImage, msg.KindOther:
	default:
		visit(b.Text)
	}
}

// keyLength is how much of a line must be there for it to count as kept, in bytes: a summary may shorten its end.
const keyLength = 90

// key is a line or a sentence without what lists, quotes and labels put around it.
func key(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimLeft(s, "-*>#+•|= \t\"“'!")
	if rest, ok := strings.CutPrefix(s, "turn "); ok {
		if digits := len(rest) - len(strings.TrimLeft(rest, "0123456789")); digits > 0 && strings.HasPrefix(rest[digits:], ": ") {
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

func count(list []fact, have map[fact]struct{}) Report {
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
		if len(*facts) < MostListed {
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
