package summarize

import (
	"strings"

	"tamp/core/msg"
)

// withoutColors returns a block without the color codes of a terminal, ESC [ … m, in its text: they are no words, and
// in front of "FAIL" they hide an error.
func withoutColors(b *msg.Block) *msg.Block {
	if !strings.Contains(b.Text, colorCode) {
		return b
	}
	text := make([]byte, 0, len(b.Text))
	rest := b.Text
	for {
		before, after, found := strings.Cut(rest, colorCode)
		text = append(text, before...)
		if !found {
			break
		}
		if code := strings.TrimLeft(after, "0123456789;"); strings.HasPrefix(code, "m") {
			after = code[1:]
		} else {
			text = append(text, colorCode...)
		}
		rest = after
	}
	plain := *b
	plain.Text = string(text)
	return &plain
}

// withoutReminders returns a block without the reminders to the agent that clients put behind a result: they are no
// text of a file.
func withoutReminders(b *msg.Block) *msg.Block {
	const opening, closing = "<system-reminder>", "</system-reminder>"
	var kept strings.Builder
	for rest := b.Text; ; {
		before, after, found := strings.Cut(rest, opening)
		_, after, closed := strings.Cut(after, closing)
		if !found || !closed {
			if len(rest) == len(b.Text) {
				return b
			}
			kept.WriteString(rest)
			break
		}
		kept.WriteString(before)
		rest = after
	}
	plain := *b
	plain.Text = kept.String()
	return &plain
}

const colorCode = "\x1b["
