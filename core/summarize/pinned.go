package summarize

import (
	"cmp"
	"slices"
	"strings"

	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// Pinned is a statement of the user in a message of a conversation, or in a line of an earlier summary that quotes it.
type Pinned struct {
	At     msg.Ref
	Kind   provenance.Kind
	Text   string // word for word
	Holds  bool   // no later statement repeats, replaces or revokes it
	Listed bool   // it is one of more than maxTyped in its text
}

// maxTyped is the number of statements that a user types in one text at most. A longer list was pasted: what the user
// types elsewhere ranks above it, at whatever time.
const maxTyped = 8

// ReadPinned returns the statements of the user in a conversation whose summaries are marked, in order.
func (s *Memory) ReadPinned(c *msg.Conversation) []Pinned {
	var out []Pinned
	var all []provenance.Constraint
	add := func(found []provenance.Constraint, at msg.Ref, listed bool) {
		all = append(all, found...)
		for _, c := range found {
			out = append(out, Pinned{At: at, Kind: c.Kind, Text: c.Text, Listed: listed})
		}
	}
	for it := c.Walk(); it.Next(); {
		block := it.Block
		if block.IsSummary() {
			summaryLines(block.Text, func(at section, _ bool, _ int, line string) {
				if at.pinned() {
					add(s.statementsOf(unquote(line)), it.Ref, at == sectionLists)
				}
			})
			continue
		}
		for _, span := range provenance.Spans(&c.Messages[it.Ref.Message], it.Ref.Block) {
			if span.Author == provenance.User {
				found := s.constraintsOf(block.Text[span.Start:span.End])
				add(found, it.Ref, len(found) > maxTyped)
			}
		}
	}
	for i, holds := range s.holding(all) {
		out[i].Holds = holds
	}
	return out
}

// Holding reports for each statement whether it still holds. Of equal statements, the last does.
func Holding(all []provenance.Constraint) []bool {
	holds := make([]bool, len(all))
	latest := provenance.Latest(all)
	n := len(latest) - 1
	for i, c := range slices.Backward(all) {
		if n >= 0 && latest[n].Text == c.Text {
			holds[i] = true
			n--
		}
	}
	return holds
}

// holding is the function Holding. It does not read the statements of the last call again.
func (s *Memory) holding(all []provenance.Constraint) []bool {
	if s == nil {
		return Holding(all)
	}
	if s.holds == nil || !slices.Equal(s.statements, all) {
		s.statements, s.holds = all, Holding(all)
	}
	return s.holds
}

// Stale returns the statements that do not hold any more, in no place.
func Stale(all []Pinned) map[string]bool {
	stale := map[string]bool{}
	for _, s := range all {
		stale[s.Text] = true
	}
	for _, s := range all {
		if s.Holds {
			delete(stale, s.Text)
		}
	}
	return stale
}

// statementsOf returns the statements of a line that quotes the user. The words are pinned even if the line alone is
// not recognized as a statement.
func (s *Memory) statementsOf(line string) []provenance.Constraint {
	found := s.constraintsOf(line)
	if len(found) == 0 {
		found = []provenance.Constraint{{Kind: provenance.Fact, Text: line, Subject: line}}
	}
	return found
}

// LineTokens is the approximate size of a statement in a summary, in tokens of a counter.
func LineTokens(text string, count func(string) int) int {
	return count(text) + markupTokens(partConstraint)
}

// FrameTokens is the approximate size of the heading of the statements.
const FrameTokens = 12

// KeepPinned returns a summary with the statements that fit budget, those of long lists last, of the others rules
// first. Those that are not in its sections of the user's constraints are added to them, in the order in which they
// were said. If that is more than maxTokens, the end of the summary is cut, but no statement, so the result can still
// be longer.
func KeepPinned(summary string, statements []Pinned, budget, maxTokens int, count func(string) int) string {
	ranked := slices.Clone(statements)
	slices.Reverse(ranked) // the newest first
	order.Stable(ranked, func(a, b Pinned) int {
		return cmp.Or(listedFirst(b.Listed, a.Listed), int(a.Kind)-int(b.Kind))
	})
	used, fits := FrameTokens, map[string]bool{}
	for _, s := range ranked {
		if n := LineTokens(s.Text, count); used+n <= budget {
			used += n
			fits[s.Text] = true
		}
	}
	wanted := slices.DeleteFunc(slices.Clone(statements), func(s Pinned) bool { return !fits[s.Text] })
	text := addPinned(summary, wanted)
	if text == summary || count(text) <= maxTokens {
		return text
	}
	summary = ShortenToTokens(summary, max(maxTokens-used, 0), count)
	if cut := strings.LastIndexByte(summary, '\n'); strings.HasPrefix(summary[cut+1:], "#") {
		summary = strings.TrimSpace(summary[:max(cut, 0)]) // a heading without a line
	}
	return addPinned(summary, wanted)
}

// addPinned adds the statements that no section of constraints has. Only there are they read as the user's when the
// summary is compacted.
func addPinned(summary string, statements []Pinned) string {
	for _, listed := range [...]bool{false, true} {
		of := slices.DeleteFunc(slices.Clone(statements), func(s Pinned) bool { return s.Listed != listed })
		summary = addTo(summary, headings[sectionOf(listed)], of)
	}
	return summary
}

// addTo adds the statements that no section of constraints has to the last one with a heading, in order: the later of
// two statements holds.
func addTo(summary, heading string, statements []Pinned) string {
	have := ""
	summaryLines(summary, func(s section, _ bool, _ int, line string) {
		if s.pinned() {
			have += plain(line) + "\n"
		}
	})
	type quote struct {
		line string
		last int // of statements, that the line has
	}
	var quotes []quote
	forms := make([][2]string, len(statements))
	for i, s := range statements {
		clause := provenance.BindingClause(provenance.Constraint{Text: s.Text}, bindingLimit)
		forms[i] = [...]string{plain(s.Text), plain(clause)}
		if !strings.Contains(have, forms[i][0]) && !strings.Contains(have, forms[i][1]) {
			quotes = append(quotes, quote{"- \"" + s.Text + "\"", i})
		}
	}
	if len(quotes) == 0 {
		return summary
	}
	heading = "## " + heading
	before, after, found := cutLast("\n"+summary+"\n", "\n"+heading+"\n")
	if !found {
		before, after = strings.TrimRight(before, "\n"), ""
		if before != "" {
			before += "\n"
		}
	}
	text := strings.TrimPrefix(before+"\n"+heading, "\n")
	old := []quote{}
	for line := range strings.Lines(after) {
		line = strings.TrimRight(line, "\n")
		if endsSection(line) || strings.TrimSpace(line) == "" {
			break
		}
		words, last := quoted(line), -1
		if len(old) > 0 {
			last = old[len(old)-1].last
		}
		for i, f := range forms {
			if strings.Contains(words, f[0]) || strings.Contains(words, f[1]) {
				last = i
			}
		}
		old = append(old, quote{line, last})
		after = after[min(len(line)+1, len(after)):]
	}
	quotes = append(old, quotes...)
	order.Stable(quotes, func(a, b quote) int { return a.last - b.last })
	for _, q := range quotes {
		text += "\n" + q.line
	}
	return strings.TrimRight(text+"\n"+after, "\n")
}

// cutLast is strings.Cut at the last occurrence.
func cutLast(text, mark string) (before, after string, found bool) {
	if i := strings.LastIndex(text, mark); i >= 0 {
		return text[:i], text[i+len(mark):], true
	}
	return text, "", false
}
