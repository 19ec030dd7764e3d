package summarize

import (
	"strings"

	"tamp/core/provenance"
)

// This file adds the texts of the assistant.

// saidText is the state of addAssistantText.
type saidText struct {
	d          *draft
	g          int32
	turn       int
	n          int  // sentences of the text so far
	gap        bool // the sentence before is no unit
	inProgress bool
}

// addAssistantText adds the sentences of an assistant text, and the lines of its code blocks that have names.
// inProgress marks the last text, which reports the work in progress.
func addAssistantText(d *draft, g int32, text string, turn int, inProgress bool) {
	t := saidText{d: d, g: g, turn: turn, inProgress: inProgress}
	fences := 0
	for line, rest := provenance.NextLine(text); line != ""; line, rest = provenance.NextLine(rest) {
		if isFence(line) {
			fences++
		}
	}
	code := false
	for line, rest := provenance.NextLine(text); line != ""; line, rest = provenance.NextLine(rest) {
		if isFence(line) {
			code = !code && fences%2 == 0 // a fence without a partner opens no block
			continue
		}
		opens := true // the next unit is the first of its line
		if code {
			pieces(line, maxLineLength, func(part string) {
				t.addSentence(strings.TrimSpace(part), 0, opens)
				opens = false
			})
			continue
		}
		provenance.Sentences(line, func(s string) {
			s = shortLine(s, maxSentenceLength)
			worth := worthOfSentence(s, turn)
			if worth == worthSaid && !d.x.files {
				worth = worthTalk
			}
			t.addSentence(s, worth, opens)
			opens = false
		})
	}
}

// addSentence adds a sentence or a line of code.
func (t *saidText) addSentence(s string, base int, opens bool) {
	p := partSaid
	if t.inProgress {
		p = partNow
		if !hasText(s) && base == 0 { // code
			return
		}
		t.n++
		base += leading(worthNow, t.n)
	}
	added := t.d.addUnit(t.g, p, t.turn, base, minLineWorth, s)
	if added {
		u := &t.d.units[len(t.d.units)-1]
		u.gap, u.opens = t.gap, opens
	}
	t.gap = !added
}

// worthOfSentence is the base worth of a sentence of the assistant.
func worthOfSentence(s string, turn int) int {
	switch {
	case isDecision(s), isFirstValue(s, turn):
		return worthDecision
	case isAnnouncement(s):
		return worthFiller
	case isFinding(s):
		return worthFinding
	case isPlan(s):
		return worthPlan
	case isFiller(s), isShort(s):
		return worthFiller
	}
	return worthSaid
}

// leading is the base worth of the n-th sentence of a text whose first three are worth most.
func leading(worth, n int) int {
	if n > 3 {
		return worth / (n + 1)
	}
	return worth
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
