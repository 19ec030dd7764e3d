package pass

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tamp/core/msg"
)

// Intake is the policy of layer 0: outputs and inputs over a limit are cut or replaced, with the original in the archive.
type Intake struct {
	MaxBytes int `json:"maxBytes"` // a tool output over this many bytes keeps its head and its tail; 0 = off
	MaxChars int `json:"maxChars"` // a user's text over this many code points is replaced by its name; 0 = off
}

const (
	LimitOutput   EditKind = "limit_output"   // a tool output keeps its head and its tail
	OversizeInput EditKind = "oversize_input" // a user's text is saved and replaced by its name
)

// Run returns a decision for each output and input over its limit. ref returns the name of an original.
func (p Intake) Run(in *Input, ref func(string) string) []Decision {
	return p.RunFrom(in, 0, ref)
}

// RunFrom is Run for the messages from index from on.
func (p Intake) RunFrom(in *Input, from int, ref func(string) string) []Decision {
	if p.MaxBytes <= 0 && p.MaxChars <= 0 {
		return nil
	}
	var decisions []Decision
	c := in.Conversation
	for m := from; m < len(c.Messages); m++ {
		for b := range c.Messages[m].Blocks {
			r := msg.Ref{Message: m, Block: b}
			block, before := in.block(r)
			text, kind, why := "", EditKind(""), ""
			switch {
			case block.IsSummary() || isSetAside(block.Text):
				continue
			case p.MaxBytes > 0 && block.Kind == msg.KindToolResult && !block.Server && !block.HasMedia() && len(block.Text) > p.MaxBytes:
				if isLimited(block.Text) {
					continue // cut before: it has the name of its original
				}
				text, kind = limit(block.Text, p.MaxBytes, ref(block.Text)), LimitOutput
				why = strconv.Itoa(len(block.Text)) + " bytes of output, over maxBytes " + strconv.Itoa(p.MaxBytes)
			case p.MaxChars > 0 && block.Kind == msg.KindText && c.Messages[m].Role == msg.User && !block.IsInjected() &&
				longer(block.Text, p.MaxChars):
				n := strconv.Itoa(utf8.RuneCountInString(block.Text))
				text, kind = setAsideHead+ref(block.Text)+", "+n+setAsideTail, OversizeInput
				why = n + " characters of input, over maxChars " + strconv.Itoa(p.MaxChars)
			default:
				continue
			}
			after := in.after(block.WithText(text))
			if len(text) >= len(block.Text) || after > before {
				continue // the placeholder is longer, or has more tokens
			}
			tool := ""
			if kind == LimitOutput {
				tool = in.Pairing.ToolName(c, r)
			}
			decisions = append(decisions, Decision{Ref: r, Fate: Truncated, Tool: tool, Reason: why, Edit: &Edit{Message: m, Block: b,
				Kind: kind, Text: text, Tool: tool, Tokens: before, After: after, Reason: why}})
		}
	}
	return decisions
}

// The texts of the two placeholders. Tamp and the recall tool recognize them by their exact text, so they never change.
const (
	setAsideHead = "[Large input saved to "
	setAsideTail = " chars. Use the recall tool to read it.]"
	omittedHead  = "[… "
	omittedTail  = " lines omitted; original "
)

// isSetAside reports whether a text is exactly the placeholder of a user's text.
func isSetAside(text string) bool {
	inner, ok := strings.CutPrefix(text, setAsideHead)
	if !ok {
		return false
	}
	inner, ok = strings.CutSuffix(inner, setAsideTail)
	ref, chars, both := strings.Cut(inner, ", ")
	return ok && both && isRef(ref) && isNumber(chars)
}

// isLimited reports whether an output was cut before, at any limit: one of its lines is the note that limit writes.
func isLimited(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		inner, ok := strings.CutPrefix(line, omittedHead)
		if !ok {
			continue
		}
		bytes, behind, _ := strings.Cut(inner, " bytes, ")
		count, ref, _ := strings.Cut(behind, omittedTail)
		if ref, ok = strings.CutSuffix(ref, "]"); ok && isNumber(bytes) && isNumber(count) && isRef(ref) {
			return true
		}
	}
	return false
}

// isRef reports whether text has the form of a name of an original: see core.Ref.
func isRef(text string) bool { return len(text) == 16 && strings.Trim(text, "0123456789abcdef") == "" }

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// limit keeps the head and the tail of a text, cut at line boundaries, with a note between them about the omitted part.
// The result has at most max bytes if the note fits, so limiting it again changes nothing.
func limit(text string, max int, ref string) string {
	room := max - 100 // the note, its numbers included
	half := room / 2
	if room < 0 {
		half = 0
	}
	head, tail := text[:half], text[len(text)-half:]
	if i := strings.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1]
	} else {
		head = ""
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 {
		tail = tail[i+1:]
	} else {
		tail = ""
	}
	if head == "" && tail == "" { // one endless line: cut between code points instead
		head, tail = text[:backToRune(text, half)], text[backToRune(text, len(text)-half):]
	}
	gone := text[len(head) : len(text)-len(tail)]
	note := omittedHead + strconv.Itoa(len(gone)) + " bytes, " + strconv.Itoa(lines(gone)) + omittedTail + ref + "]"
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	if tail != "" {
		note += "\n"
	}
	return head + note + tail
}

func backToRune(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// lines counts the lines of a text, including a last one without a line break.
func lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
