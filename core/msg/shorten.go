package msg

import (
	"strings"
	"unicode/utf8"
)

// Shorten returns the first n code points of s, followed by "…" if s is longer; else it returns s. A byte that is not
// part of valid UTF-8 counts as one code point and is kept. If n is below 1, the result of a text that is not empty is
// "…".
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count >= n {
			return s[:i] + "…"
		}
		count++
	}
	return s
}

// BackToLine returns the start of the line or, if that is far, of the word or the code point at offset i of text.
func BackToLine(text string, i int) int {
	for _, end := range [...]string{"\n", " "} {
		if n := strings.LastIndex(text[:i], end) + 1; n > i*2/3 {
			return n
		}
	}
	return BackToRune(text, i)
}

// BackToRune returns the start of the code point at offset i of text.
func BackToRune(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}
