package summarize

import (
	"strings"

	"tamp/core/msg"
)

// minBreaks is the number of escaped line breaks from which a long line is a quoted text: a path of Windows or a
// regular expression has one or two `\n`.
const minBreaks = 3

// unquotedLines yields the lines of a tool's result. Some clients print a result as a quoted string: a long line with
// escaped line breaks, `\n`. Such a line is divided at them, so that each part reads like a line of the text. Minified
// JSON is printed.
func unquotedLines(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			if isMinified(line) {
				if !printedLines(line, yield) {
					return
				}
				continue
			}
			if !isQuoted(line) {
				if !yield(line) {
					return
				}
				continue
			}
			for line != "" {
				end, next := escapedBreak(line)
				if part := strings.Trim(line[:end], " \t\r\n\\"); part != "" && !yield(part) {
					return
				}
				line = line[next:]
			}
		}
	}
}

// isQuoted reports whether a long line is a quoted text of several lines.
func isQuoted(line string) bool {
	if len(line) <= maxLineLength {
		return false
	}
	for range minBreaks {
		_, next := escapedBreak(line)
		if next == len(line) {
			return false
		}
		line = line[next:]
	}
	return true
}

// escapedBreak returns the begin and the end of the first escaped line break, backslashes and an n; the length of the
// line twice if it has none. One after a colon is in a path of Windows.
func escapedBreak(line string) (start, end int) {
	for from := 0; ; {
		i := strings.IndexByte(line[from:], '\\')
		if i < 0 {
			return len(line), len(line)
		}
		start = from + i
		end = start + 1
		for end < len(line) && line[end] == '\\' {
			end++
		}
		if end < len(line) && line[end] == 'n' && (start == 0 || line[start-1] != ':') {
			return start, end + 1
		}
		from = end
	}
}

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

// withoutFrame returns a block without the lines that Codex puts before the output of a command that ended: the time,
// the number of tokens, and the exit code, which the outcome has.
func withoutFrame(b *msg.Block) *msg.Block {
	start := b.Text[:min(len(b.Text), maxFrame)]
	frame, _, found := strings.Cut(start, "\nOutput:\n")
	if !found || !strings.Contains(frame, "Wall time: ") || strings.Contains(frame, "session ID") ||
		!strings.HasPrefix(frame, "Chunk ID: ") && !strings.HasPrefix(frame, "Exit code: ") {
		return b
	}
	plain := *b
	plain.Text = b.Text[len(frame)+len("\nOutput:\n"):]
	return &plain
}

const maxFrame = 300 // bytes
