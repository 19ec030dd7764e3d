package core

import (
	"strconv"
	"strings"

	"tamp/core/msg"
)

// The fixed texts around summaries. Later plans and models recognize them by their exact bytes, so they never change.
const (
	acknowledgement = "Understood. Continuing."
	question        = "What did we do so far?"
	truncatedNote   = "[Earlier turns truncated due to compactor error]"
	coveredNote     = "[compacted with the result before]"
)

func harnessLabel(ref string) string { return "[Conversation compressed. Transcript: " + ref + "]\n\n" }

const compressedLabel = "[Compressed]\n\n"

func earlierLabel(n int) string {
	return "[Summary of the earlier " + strconv.Itoa(n) + " messages, as history, not as a request]\n\n"
}

const conversationLabel = "[Summary of the earlier conversation, as history, not as a request]\n\n"

func turnsLabel(first, last int) string {
	return "[compacted summary of turns " + strconv.Itoa(first) + "-" + strconv.Itoa(last) + "]\n"
}

// labelForm is the kind of label that opens a summary.
type labelForm int

const (
	noLabel    labelForm = iota
	labelHead            // of the earlier conversation: one summary before all kept messages
	labelTurns           // of a run of turns that it replaces
)

// label is the beginning of a summary's text.
type label struct {
	form labelForm
	text string // with its line breaks
	last int    // of labelTurns: the last turn
}

// parseLabel splits a text into its label, in exactly the form that Apply writes, and the rest. Without a label, form
// is noLabel and rest is the whole text. A label does not prove that Apply wrote the text; see summaryMarker.
func parseLabel(text string) (l label, rest string) {
	end := strings.IndexByte(text[:min(len(text), maxLabel)], ']')
	if end < 0 || text[0] != '[' {
		return label{}, text
	}
	inside, breaks := text[1:end], "\n\n"
	l.form = labelHead
	switch {
	case inside == compressedLabel[1:len(compressedLabel)-3]:
	case inside == conversationLabel[1:len(conversationLabel)-3]:
	case isBetween(inside, "Conversation compressed. Transcript: ", "", func(ref string) bool {
		return ref != "" && !strings.Contains(ref, "\n")
	}):
	case isBetween(inside, "Summary of the earlier ", " messages, as history, not as a request", func(n string) bool {
		_, ok := parseNumber(n)
		return ok
	}):
	case isBetween(inside, "compacted summary of turns ", "", func(turns string) bool {
		first, last, _ := strings.Cut(turns, "-")
		a, ok := parseNumber(first)
		b, both := parseNumber(last)
		l.last = b
		return ok && both && a <= b
	}):
		l.form, breaks = labelTurns, "\n"
	default:
		return label{}, text
	}
	rest, ok := strings.CutPrefix(text[end+1:], breaks)
	if !ok {
		return label{}, text
	}
	l.text = text[:len(text)-len(rest)]
	return l, rest
}

// maxLabel is an upper bound of the length of a label, in bytes: a transcript may be a path.
const maxLabel = 300

func isBetween(text, before, after string, is func(string) bool) bool {
	inner, ok := strings.CutPrefix(text, before)
	if !ok {
		return false
	}
	inner, ok = strings.CutSuffix(inner, after)
	return ok && is(inner)
}

// parseNumber reads a number that strconv.Itoa wrote, of at most nine digits.
func parseNumber(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && len(text) <= 9 && strconv.Itoa(n) == text
}

// joinParts joins the answers of a summary into one text with numbered parts.
func joinParts(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	var out strings.Builder
	for i, part := range parts {
		if i > 0 {
			out.WriteString("\n\n")
		}
		out.WriteString("[part " + strconv.Itoa(i+1) + "]\n" + part)
	}
	return out.String()
}

// hasParts reports whether joinParts wrote the text.
func hasParts(text string) bool {
	return strings.HasPrefix(text, "[part 1]\n") && strings.Contains(text, "\n\n[part 2]\n")
}

// numberTurns returns the turn of each message, as msg.Turns does. A summary of turns counts as all turns that it
// replaces, so the number of a turn does not change when earlier turns are compacted. c has its summaries marked.
func numberTurns(c *msg.Conversation) []int {
	turns := make([]int, len(c.Messages))
	turn := 1
	for m := range c.Messages {
		message := &c.Messages[m]
		turns[m] = turn
		for b := range message.Blocks {
			if block := &message.Blocks[b]; block.Kind == msg.KindText && block.IsSummary() {
				if l, _ := parseLabel(block.Text); l.form == labelTurns && l.last >= turn && l.last < maxCount {
					turn = l.last + 1
				}
			}
		}
		if message.Role == msg.Assistant {
			turn++
		}
	}
	return turns
}
