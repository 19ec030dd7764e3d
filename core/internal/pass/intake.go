package pass

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tamp/core/msg"
)

// Intake is the policy of layer 0: what is too large to begin with is cut or set aside, its original in the archive.
type Intake struct {
	MaxBytes int `json:"maxBytes"` // a tool output over this many bytes keeps its head and its tail; 0 = off
	MaxChars int `json:"maxChars"` // a user's text over this many code points is named instead; 0 = off
}

const (
	LimitOutput   EditKind = "limit_output"   // a tool output keeps its head and its tail
	OversizeInput EditKind = "oversize_input" // a user's text is saved and named
)

// Run decides about outputs and inputs that are over their limit. ref names an original.
func (p Intake) Run(in *Input, ref func(string) string) []Decision {
	return p.RunFrom(in, 0, ref)
}

// RunFrom is Run on the messages from one on.
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
			case p.MaxBytes > 0 && block.Kind == msg.KindToolResult && !block.Server && !block.HasMedia() && len(block.Text) > p.MaxBytes:
				text, kind = limit(block.Text, p.MaxBytes, ref(block.Text)), LimitOutput
				why = strconv.Itoa(len(block.Text)) + " bytes of output, over maxBytes " + strconv.Itoa(p.MaxBytes)
			case p.MaxChars > 0 && block.Kind == msg.KindText && c.Messages[m].Role == msg.User && !block.IsInjected() &&
				!block.IsSummary() && longer(block.Text, p.MaxChars):
				n := strconv.Itoa(utf8.RuneCountInString(block.Text))
				text, kind = "[Large input saved to "+ref(block.Text)+", "+n+" chars. Use the recall tool to read it.]", OversizeInput
				why = n + " characters of input, over maxChars " + strconv.Itoa(p.MaxChars)
			default:
				continue
			}
			after := in.after(block.WithText(text))
			if len(text) >= len(block.Text) || after > before {
				continue
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

// limit keeps the head and the tail of a text on line boundaries, with one line between that says what is missing.
// The result is at most max bytes where a note fits at all, so limiting it again changes nothing.
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
	note := "[… " + strconv.Itoa(len(gone)) + " bytes, " + strconv.Itoa(lines(gone)) + " lines omitted; original " + ref + "]"
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

// lines counts the lines that a text has, the last one without a line break too.
func lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
