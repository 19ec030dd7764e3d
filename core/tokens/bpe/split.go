package bpe

import "unicode/utf8"

// What the patterns have in common. Each next function returns where the piece that begins at s[i] ends; i < len(s), and
// s is valid UTF-8. A piece is never empty.

// numbers takes up to three.
func (c *classes) numbers(s string, i int) int {
	for n := 0; n < 3 && i < len(s); n++ {
		b, size := s[i], 1
		class := c[b]
		if b >= utf8.RuneSelf {
			class, size = c.wide(s, i)
		}
		if class != number {
			break
		}
		i += size
	}
	return i
}

// blanks is \s*[\r\n]+|\s+(?!\S)|\s+ where s[i] is white: up to the last newline; else all up to the end of the text;
// else all but the last, which goes with what follows; else the one there is.
func (c *classes) blanks(s string, i int) int {
	end, last, cut := i, i, 0
	for end < len(s) {
		b, size := s[end], 1
		class := c[b]
		if b >= utf8.RuneSelf {
			class, size = c.wide(s, end)
		}
		if class&white == 0 {
			break
		}
		last = end
		end += size
		if class == newline {
			cut = end
		}
	}
	switch {
	case cut > 0:
		return cut
	case end == len(s) || last == i:
		return end
	}
	return last
}

// contraction returns the length of 's, 't, 're, 've, 'm, 'll or 'd at s[i], in any case of ASCII, and 0 where there is
// none. The reference folds no other letter, so neither do we (U+017F is not s).
//
//go:noinline
func contraction(s string, i int) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return 0
	}
	a := s[i+1] | 0x20
	switch a {
	case 's', 't', 'm', 'd':
		return 2
	}
	if i+2 < len(s) {
		b := s[i+2] | 0x20
		if b == 'e' && (a == 'r' || a == 'v') || a == 'l' && b == 'l' {
			return 3
		}
	}
	return 0
}
