package core

import (
	"strings"
	"unicode"
)

// eachWord yields the words of at least four bytes, in lower case. In Han script, which has no spaces, it yields each
// pair of adjacent letters.
func eachWord(text string, yield func(string)) {
	start, last := -1, rune(0)
	for i, r := range text + " " {
		switch {
		case unicode.Is(unicode.Han, r):
			if unicode.Is(unicode.Han, last) {
				yield(string(last) + string(r))
			}
			start = -1
		case unicode.IsLetter(r) || r == '_':
			if start < 0 {
				start = i
			}
		default:
			if start >= 0 && i-start >= 4 {
				yield(strings.ToLower(text[start:i]))
			}
			start = -1
		}
		last = r
	}
}
