package pass

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tamp/core/internal/marker"
	"tamp/core/internal/secrets"
	"tamp/core/msg"
)

// Intake is the policy of layer 0: outputs and inputs over a limit are cut or replaced, with the original in the
// archive.
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
	return p.RunRange(in, from, len(in.Conversation.Messages), ref)
}

// RunRange is Run for the messages in [from, to).
func (p Intake) RunRange(in *Input, from, to int, ref func(string) string) []Decision {
	if p.MaxBytes <= 0 && p.MaxChars <= 0 {
		return nil
	}
	var decisions []Decision
	c := in.Conversation
	for it := c.WalkIn(msg.Span{Start: from, End: to}); it.Next(); {
		r := it.Ref
		block, before := in.block(r)
		text, kind, why := "", EditKind(""), ""
		switch {
		case block.IsSummary() || marker.IsSetAside(block.Text):
			continue
		case p.MaxBytes > 0 && block.Kind == msg.KindToolResult && !block.Server && !block.HasMedia() &&
			len(block.Text) > p.MaxBytes:
			if marker.IsLimited(block.Text) {
				continue // cut before: it has the name of its original
			}
			text, kind = limit(block.Text, p.MaxBytes, ref(block.Text)), LimitOutput
			why = strconv.Itoa(len(block.Text)) + " bytes of output, over maxBytes " + strconv.Itoa(p.MaxBytes)
		case p.MaxChars > 0 && block.Kind == msg.KindText && c.Messages[r.Message].Role == msg.User && !block.IsInjected() &&
			longer(block.Text, p.MaxChars):
			n := utf8.RuneCountInString(block.Text)
			text, kind = marker.SetAside(ref(block.Text), n), OversizeInput
			why = strconv.Itoa(n) + " characters of input, over maxChars " + strconv.Itoa(p.MaxChars)
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
		decisions = append(decisions, Decision{Ref: r, Fate: Truncated, Tool: tool, Reason: why,
			Edit: &Edit{Message: r.Message, Block: r.Block,
				Kind: kind, Text: text, Tool: tool, Tokens: before, After: after, Reason: why}})
	}
	return decisions
}

// limit keeps the head and the tail of a text, cut at line boundaries, with a note between them about the omitted part.
// The result has at most max bytes if the note fits, so limiting it again changes nothing.
func limit(text string, max int, ref string) string {
	room := max - 100 // the note, its numbers included
	text = secrets.Mask(text)
	half := min(room/2, len(text)/2)
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
		head, tail = text[:msg.BackToRune(text, half)], text[msg.BackToRune(text, len(text)-half):]
	}
	gone := text[len(head) : len(text)-len(tail)]
	note := marker.Omitted(len(gone), lines(gone), ref)
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	if tail != "" {
		note += "\n"
	}
	return head + note + tail
}

// lines counts the lines of a text, including a last one without a line break.
func lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
