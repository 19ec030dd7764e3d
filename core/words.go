package core

import (
	"strings"
	"unicode"
)

// eachWord yields the words of four letters or more, in lower case; of a script without spaces, each letter pair.
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
