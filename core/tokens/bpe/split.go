package bpe

import "unicode/utf8"

// The common parts of the patterns. Each function returns the end of the piece that begins at s[i]; i < len(s), and s
// is valid UTF-8. A piece is never empty.

// numbers is \p{N}{1,3}.
func (c *classes) numbers(s string, i int) int {
	for n := 0; n < 3 && i < len(s); n++ {
		b, size := s[i], 1
		class := c[b]
		if b >= utf8.RuneSelf {
			class, size = c.multibyte(s, i)
		}
		if class != number {
			break
		}
		i += size
	}
	return i
}

// blanks is \s*[\r\n]+|\s+(?!\S)|\s+ for a white s[i]. The piece is the white space up to the last newline; without a
// newline all of it at the end of the text; else all but the last code point, which belongs to the next piece; a single
// one is a piece.
func (c *classes) blanks(s string, i int) int {
	end, last, cut := i, i, 0
	for end < len(s) {
		b, size := s[end], 1
		class := c[b]
		if b >= utf8.RuneSelf {
			class, size = c.multibyte(s, end)
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

// contraction returns the length of 's, 't, 're, 've, 'm, 'll or 'd at s[i], in any ASCII case, or 0. As in the
// reference, no other letter is folded (U+017F is not s).
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
