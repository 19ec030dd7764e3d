package summarize

import (
	"cmp"
	"slices"
	"strings"

	"tamp/core/internal/order"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// A summary has each name in one line, so after a compaction nothing shows how often a name was written. The State
// therefore lists the keys of the names in summaries that the agent or the user wrote in several lines of the replaced
// messages: condensing keeps these names first.

// WrittenNames counts the lines of the agent and of the user that have a name. The zero value is empty.
type WrittenNames struct {
	names map[string]writtenName
	line  int // the number of the last line
}

type writtenName struct{ lines, last int }

const (
	minWrittenLines = 3    // with 2 or 4 fewer of the names of three lines are left
	maxWrittenNames = 1000 // keys: about 11 KB of State
)

// Add counts the names of a message. Results, thinking, summaries and texts that a client wrote do not count.
func (w *WrittenNames) Add(m *msg.Message) {
	for b := range m.Blocks {
		block := &m.Blocks[b]
		switch {
		case block.IsSummary():
		case block.Kind == msg.KindToolUse:
			for _, f := range fields(block.Text) {
				w.addText(f.text)
			}
		case block.Kind == msg.KindText && m.Role == msg.Assistant:
			w.addText(block.Text)
		case provenance.MayQuote(m, b):
			for _, span := range provenance.Spans(m, b) {
				if span.Author == provenance.User {
					w.addText(block.Text[span.Start:span.End])
				}
			}
		}
	}
}

func (w *WrittenNames) addText(text string) {
	if w.names == nil {
		w.names = map[string]writtenName{}
	}
	for _, line := range strings.Split(text, "\n") {
		w.line++
		Atoms(line, func(_ FactKind, name string) {
			if n := w.names[name]; n.last != w.line {
				w.names[name] = writtenName{n.lines + 1, w.line}
			}
		})
	}
}

// candidate is a name that is in a summary.
type candidate struct {
	key     string
	earlier bool // its key was listed before
	lines   int
}

// rank is higher for the names that are listed first.
func (c *candidate) rank() int {
	if c.earlier {
		return c.lines + 1<<30
	}
	return c.lines
}

// Keys returns the keys, sorted, of the names in summaries that are in minWrittenLines lines, or whose keys are in
// earlier (sorted). If there are more than maxWrittenNames, it returns the earlier ones and those in most lines.
func (w *WrittenNames) Keys(summaries []string, earlier []string) []string {
	var found []candidate
	seen := map[string]bool{}
	for _, text := range summaries {
		Atoms(text, func(_ FactKind, name string) {
			if seen[name] {
				return
			}
			seen[name] = true
			lines := w.names[name].lines
			if lines < minWrittenLines && len(earlier) == 0 {
				return
			}
			c := candidate{key: nameKey(name), lines: lines}
			if _, c.earlier = slices.BinarySearch(earlier, c.key); c.earlier || c.lines >= minWrittenLines {
				found = append(found, c)
			}
		})
	}
	if len(found) > maxWrittenNames {
		order.Stable(found, func(a, b candidate) int { return cmp.Compare(b.rank(), a.rank()) })
		found = found[:maxWrittenNames]
	}
	var keys []string
	for _, c := range found {
		keys = append(keys, c.key)
	}
	order.Stable(keys, strings.Compare)
	return slices.Compact(keys)
}

// nameKey returns the key of a name, which does not reveal it.
func nameKey(name string) string { return sha256.Hex(sha256.Sum([]byte(name)), 8) }
