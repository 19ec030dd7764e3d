package summarize

import (
	"slices"
	"strings"

	"tamp/core/provenance"
)

// This file adds the texts of the assistant.

// saidText is the state of addAssistantText.
type saidText struct {
	d          *draft
	g          int32
	turn       int
	first      int  // its first unit
	gap        bool // the sentence before is no unit
	inProgress bool
}

// addAssistantText adds the sentences of an assistant text, and the lines of its code blocks that have names.
// inProgress marks the last text, which reports the work in progress.
func (d *draft) addAssistantText(g int32, text string, turn int, inProgress bool) {
	t := saidText{d: d, g: g, turn: turn, first: len(d.units), inProgress: inProgress}
	fences := 0
	for line := range strings.Lines(text) {
		if isFence(line) {
			fences++
		}
	}
	code, before := false, len(d.units) // before: the first unit of the line before
	lines := slices.Collect(strings.Lines(text))
	for i, used := 0, 1; i < len(lines); i += used {
		line := lines[i]
		if used = 1; isFence(line) {
			code = !code && fences%2 == 0 // a fence without a partner opens no block
			continue
		}
		if !code && isTableRuler(line) { // the heading above says nothing without the rows, which say enough
			for u := before; u < len(d.units); u++ {
				d.units[u].part = partDropped
			}
			continue
		}
		before = len(d.units)
		opens := true // the next unit is the first of its line
		if code {
			pieces(line, maxLineLength, func(part string) {
				t.add(strings.TrimSpace(part), 0, opens)
				opens = false
			})
			continue
		}
		line, used = withItems(lines[i:])
		provenance.Sentences(line, func(s string) {
			s = paired(shortLine(s, maxSentenceLength))
			if isCorrection(s) {
				d.demote(g, t.first)
			}
			if isAnnouncement(s) && !inProgress {
				t.gap = true
				return
			}
			delete(d.seen, s) // of equal sentences the last one counts
			if t.add(s, worthOfSentence(s, turn), opens) {
				d.dropRepeated(s)
			}
			opens = false
		})
	}
}

// add adds a sentence or a line of code. It reports whether there is a unit for it.
func (t *saidText) add(s string, base int, opens bool) bool {
	p := partSaid
	if t.inProgress {
		p = partNow
		if base += worthNow; base == worthNow { // code
			base /= 4
		}
	}
	if t.inProgress && !hasText(s) && base < worthNow {
		return false
	}
	added := t.d.add(t.g, p, t.turn, base, minLineWorth, s)
	if added {
		u := &t.d.units[len(t.d.units)-1]
		u.gap, u.opens = t.gap, opens
	}
	t.gap = !added
	return added
}

// worthOfSentence is the base worth of a sentence of the assistant.
func worthOfSentence(s string, turn int) int {
	switch {
	case isDecision(s):
		return worthDecision
	case isFinding(s):
		return worthFinding
	case isFirstValue(s, turn):
		return worthDecision
	case isPlan(s):
		return worthPlan
	case isFiller(s), isShort(s):
		return worthFiller
	}
	return worthSaid
}

// isShort reports a sentence of so few words that it says nothing alone: "Still running.", "好问题。"
func isShort(s string) bool {
	return strings.Count(s, " ") < 3 && len(s) < 30
}

// isFence reports a line that begins or ends a code block.
func isFence(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "```") && !strings.Contains(line[3:], "`")
}

// maxSentenceLength is the length at which a sentence is cut, in code points.
const maxSentenceLength = 280

// maxLineLength is the length of the parts of a longer line, in code points.
const maxLineLength = 140
