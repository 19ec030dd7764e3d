package summarize

import (
	"strings"

	"tamp/core/internal/heap"
	"tamp/core/internal/marker"
	"tamp/core/internal/secrets"
)

// BestLines shortens a tool result of the conversation to its lines that are worth most, word for word and in their
// order, and fills maxBytes with its first lines. A line "[…]" marks each gap. omittedBytes and omittedLines are left
// out; values that look like secrets are masked. kept is "" if the text has few lines, or none of worth that fits.
func (x *Index) BestLines(text string, maxBytes int) (kept string, omittedBytes, omittedLines int) {
	l := resultLines{x: x, last: -1, covered: map[int32]bool{}}
	text = secrets.Mask(text)
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		l.readLine(line)
	}
	if len(l.lines) < minLines || !l.choose(maxBytes) {
		return "", 0, 0
	}
	var w strings.Builder
	gap := false
	for i := range l.lines {
		if isGap(l.lines[i].text) {
			gap = true
			continue
		}
		if !l.lines[i].kept {
			gap = true
			omittedBytes += len(l.lines[i].text) + 1
			omittedLines++
			continue
		}
		if gap {
			w.WriteString(Gap + "\n")
		}
		gap = false
		w.WriteString(l.lines[i].text + "\n")
	}
	return w.String(), omittedBytes, omittedLines
}

// Gap is the line in place of lines that BestLines left out.
const Gap = "[…]"

// isGap reports a line that an earlier cut wrote.
func isGap(line string) bool {
	return strings.HasPrefix(line, "[…") && (line == Gap || marker.IsLimited(line))
}

const minLines = 6 // a text with fewer lines is cut better in the middle

// resultLines is the state of BestLines.
type resultLines struct {
	x       *Index
	lines   []resultLine
	last    int     // the last line that is kept; -1 for none
	pool    []int32 // the atoms of all lines
	covered map[int32]bool
}

type resultLine struct {
	text   string
	lo, hi int32 // its atoms, in pool
	base   int32 // worth in addition to its atoms
	tries  uint8
	kept   bool
}

func (l *resultLines) readLine(text string) {
	line := resultLine{text: text, lo: int32(len(l.pool))}
	Atoms(text, func(_ FactKind, name string) {
		if id, ok := l.x.findAtom(name); ok {
			l.pool = append(l.pool, id)
		}
	})
	if number, code := splitLineNumber(text); number != "" && !hasText(code) {
		l.pool = l.pool[:line.lo] // the number of an empty line of a file, or of a bracket, is no fact
	}
	line.hi = int32(len(l.pool))
	switch trimmed := strings.TrimSpace(text); {
	case len(l.lines) == 0, isTestLine(trimmed): // the first line says what the output is
		line.base = worthTest
	case isErrorLine(trimmed):
		line.base = worthError
	}
	l.lines = append(l.lines, line)
}

// gain is the worth that a line adds now, per thousand bytes.
func (l *resultLines) gain(line *resultLine) int {
	worth := int(line.base)
	for _, id := range l.pool[line.lo:line.hi] {
		if !l.covered[id] {
			worth += int(l.x.atoms[id].worth)
		}
	}
	return worth * 1000 / (len(line.text) + len(Gap) + 2)
}

// size returns the bytes that line i adds, with the marks of the gaps around it.
func (l *resultLines) size(i int) int {
	gaps := 0
	if i > 0 && !l.lines[i-1].kept {
		gaps++
	}
	if i < l.last && l.lines[i+1].kept { // it ends a gap
		gaps--
	}
	return len(l.lines[i].text) + 1 + gaps*(len(Gap)+1)
}

// choose takes the lines with the highest gain, as draft.choose does, and fills the room that is left with the first
// lines without one, so that the text is not far shorter than it may be. It reports whether a line with a gain was
// taken.
func (l *resultLines) choose(room int) bool {
	ranked := make(heap.Heap, 0, len(l.lines))
	for i := range l.lines {
		if len(l.lines[i].text) < room && !isGap(l.lines[i].text) {
			ranked = append(ranked, rankOf(l.gain(&l.lines[i]), int32(i)))
		}
	}
	ranked.Order()
	any := false
	for len(ranked) > 0 {
		gain, i := ofRank(ranked.Pop())
		line := &l.lines[i]
		now := l.gain(line)
		if now < gain && line.tries < maxTries {
			line.tries++
			ranked.Push(rankOf(now, i))
			continue
		}
		if size := l.size(int(i)); size <= room {
			l.last = max(l.last, int(i))
			room -= size
			line.kept, any = true, any || now > 0
			for _, id := range l.pool[line.lo:line.hi] {
				l.covered[id] = true
			}
		}
	}
	return any
}
