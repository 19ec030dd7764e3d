package summarize

import (
	"cmp"
	"slices"
	"strings"

	"tamp/core/internal/order"
	"tamp/core/provenance"
)

// Fitting returns the statements that a summary of budget tokens has room for, in their order, and their tokens:
// those of long lists last, of the others rules first, and the newest of a kind.
func Fitting(statements []Pinned, budget int, count func(string) int) (fit []Pinned, used int) {
	ranked := slices.Clone(statements)
	slices.Reverse(ranked) // the newest first
	order.Stable(ranked, func(a, b Pinned) int {
		return cmp.Or(listedFirst(b.Listed, a.Listed), int(a.Kind)-int(b.Kind))
	})
	fits := map[string]bool{}
	used = FrameTokens
	for _, s := range ranked {
		if n := LineTokens(s.Text, count); used+n <= budget {
			used += n
			fits[s.Text] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(statements), func(s Pinned) bool { return !fits[s.Text] }), used
}

// KeepPinned returns a summary with the statements that are Fitting in budget. Those that are not in its sections of
// the user's constraints are added to them, in the order in which they were said. If that is more than maxTokens, the
// end of the summary is cut, but no statement, so the result can still be longer.
func KeepPinned(summary string, statements []Pinned, budget, maxTokens int, count func(string) int) string {
	wanted, used := Fitting(statements, budget, count)
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
	var lines []string
	summaryLines(summary, func(s section, _ bool, _ int, line string) {
		if s.pinned() {
			lines = append(lines, plain(line))
		}
	})
	have := strings.Join(lines, "\n")
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
	lines = append(lines[:0], text)
	for _, q := range quotes {
		lines = append(lines, q.line)
	}
	return strings.TrimRight(strings.Join(append(lines, after), "\n"), "\n")
}

// cutLast is strings.Cut at the last occurrence.
func cutLast(text, mark string) (before, after string, found bool) {
	if i := strings.LastIndex(text, mark); i >= 0 {
		return text[:i], text[i+len(mark):], true
	}
	return text, "", false
}

// LineTokens is the approximate size of a statement in a summary, in tokens of a counter.
func LineTokens(text string, count func(string) int) int {
	return count(text) + markupTokens(partConstraint)
}

// FrameTokens is the approximate size of the heading of the statements.
const FrameTokens = 12
