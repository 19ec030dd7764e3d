package bpe

import (
	"unicode"
	"unicode/utf8"
)

// The classes of a code point that the patterns distinguish, one bit each. Every code point is in exactly one.
const (
	upper   = 1 << iota // \p{Lu} \p{Lt}
	lower               // \p{Ll}
	uncased             // \p{Lm} \p{Lo}
	mark                // \p{M}
	number              // \p{N}
	space               // \s, without the next two
	newline             // \r and \n
	other               // everything else

	letter = upper | lower | uncased
	white  = space | newline
)

// Beyond the second plane there are only a few large blocks, for which a search is fast enough.
const planes = 0x20000

// classes has the class of each code point of the first two planes. It is made from the tables of package unicode, so
// it agrees with other programs built by the same Go, such as the reference.
type classes [planes]uint8

func newClasses() *classes {
	c := new(classes)
	c[0] = other
	for n := 1; n < len(c); n *= 2 {
		copy(c[n:], c[:n])
	}
	for _, set := range []struct {
		table *unicode.RangeTable
		class uint8
	}{
		{unicode.Lu, upper}, {unicode.Lt, upper}, {unicode.Ll, lower}, {unicode.Lm, uncased}, {unicode.Lo, uncased},
		{unicode.M, mark}, {unicode.N, number}, {unicode.White_Space, space},
	} {
		for _, r := range set.table.R16 {
			for i := int(r.Lo); i <= int(r.Hi); i += int(r.Stride) {
				c[i] = set.class
			}
		}
		for _, r := range set.table.R32 {
			for i := int(r.Lo); i <= int(r.Hi) && i < planes; i += int(r.Stride) {
				c[i] = set.class
			}
		}
	}
	c['\r'], c['\n'] = newline, newline
	return c
}

// at returns the class of the code point at s[i] and its length. The text is valid UTF-8. Hot loops look up ASCII
// themselves and call multibyte for the rest.
func (c *classes) at(s string, i int) (uint8, int) {
	b := s[i]
	if b < utf8.RuneSelf {
		return c[b], 1
	}
	return c.multibyte(s, i)
}

func (c *classes) multibyte(s string, i int) (uint8, int) {
	switch b := s[i]; {
	case b < 0xE0:
		return c[uint32(b&0x1F)<<6|uint32(s[i+1]&0x3F)], 2
	case b < 0xF0:
		return c[uint32(b&0x0F)<<12|uint32(s[i+1]&0x3F)<<6|uint32(s[i+2]&0x3F)], 3
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	if r < planes {
		return c[r], 4
	}
	switch {
	case unicode.Is(unicode.Lo, r):
		return uncased, 4
	case unicode.Is(unicode.M, r):
		return mark, 4
	}
	return other, 4
}

// run returns the end of the run of code points at s[i] whose classes are in set.
func (c *classes) run(s string, i int, set uint8) int {
	for i < len(s) {
		b, size := s[i], 1
		class := c[b]
		if b >= utf8.RuneSelf {
			class, size = c.multibyte(s, i)
		}
		if class&set == 0 {
			break
		}
		i += size
	}
	return i
}
