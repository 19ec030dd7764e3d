package bpe

import (
	"math/bits"

	"tamp/core/internal/swar"
)

// Most pieces are a word of ASCII letters with at most one character before it, of at most 15 bytes. plainWord finds
// these pieces eight bytes at a time, and plainOther most pieces of ASCII digits, signs or white space. All other
// pieces are left to Vocabulary.next, which implements the whole pattern. They agree with it if they return a length.

// lead has the offset of the word for each first byte of a piece.
type lead [256]uint8

// notPlain is the lead of a first byte for which plainWord returns 0.
const notPlain = 8

// newLead makes the table for a pattern, which decides which characters may be before a word.
func newLead(kinds *classes, name string) *lead {
	l := new(lead)
	for b := range l {
		l[b] = notPlain
		class := kinds[b]
		switch {
		case b >= 0x80:
		case class&letter != 0:
			l[b] = 0
		case name == "cl100k_base" && b == '\'', class&(number|newline) != 0:
		default:
			l[b] = 1
		}
	}
	return l
}

// lowers marks the bytes of w that are a to z.
func lowers(w uint64) uint64 { return swar.Between(w, 'a', 'z') }

// letters marks the bytes of w that are a to z or A to Z.
func letters(w uint64) uint64 { return lowers(w | ' '*swar.Ones) }

// plainWord returns the length of the piece at s[i], or 0 if next must find it; w has the eight bytes at s[i]. A word
// is a run of letters or, if capitals begin words (o200k_base), one letter and then lower case. s has at least 16 bytes
// from i.
func (l *lead) plainWord(w uint64, s string, i int, capitals bool) uint {
	start := uint(l[byte(w)])
	any := letters(w)
	if start == notPlain || any>>(8*start&63)&0x80 == 0 {
		return 0
	}
	run := any
	if capitals {
		run = lowers(w)
	}
	end := start + 1
	rest := (run ^ swar.Highs) >> (8 * end & 63)
	if rest == 0 {
		return l.plainWordTail(swar.Load(s, i+8), capitals)
	}
	end += uint(bits.TrailingZeros64(rest)) / 8
	if end == start+1 && (any&^run)>>(8*start&63)&0x80 != 0 && any>>(8*end&63)&0x80 != 0 {
		return 0 // a second capital
	}
	if after := w >> (8 * end & 63); after&0x80 != 0 || byte(after) == '\'' {
		return 0 // a code point that may belong to the word, or a contraction
	}
	return end
}

// plainWordTail is plainWord for a word that is longer than its first eight bytes; w has the next eight.
func (l *lead) plainWordTail(w uint64, capitals bool) uint {
	run := letters(w)
	if capitals {
		run = lowers(w)
	}
	if run == swar.Highs {
		return 0 // more than 15 bytes
	}
	end := uint(bits.TrailingZeros64(run^swar.Highs)) / 8
	if after := w >> (8 * end & 63); after&0x80 != 0 || byte(after) == '\'' {
		return 0
	}
	return 8 + end
}

// plainOther returns the length of a piece of at most seven bytes without letters, or 0 if next must find it; w has its
// first eight bytes. plainWord has returned 0 for it.
func (v *Vocabulary) plainOther(w uint64) uint {
	first, second := byte(w), byte(w>>8)
	if first|second >= 0x80 {
		return 0
	}
	digits := swar.Between(w, '0', '9')
	class := v.kinds[first]
	if class == number {
		end := uint(bits.TrailingZeros64(digits^swar.Highs)) / 8
		if end >= 3 {
			return 3
		}
		if byte(w>>(8*end&63)) >= 0x80 {
			return 0 // a code point that may be a digit
		}
		return end
	}
	white := swar.Between(w, '\t', '\r') | swar.Between(w, ' ', ' ')
	if class == other || first == ' ' && v.kinds[second] == other {
		rest := (letters(w) | digits | white | w&swar.Highs) >> 8
		if rest == 0 || first == '\'' && !v.capitals {
			return 0 // more than seven bytes, or a contraction
		}
		end := 1 + uint(bits.TrailingZeros64(rest))/8
		switch after := byte(w >> (8 * end & 63)); {
		case after >= 0x80, after == '\n', after == '\r', end == 1 && v.kinds[after]&letter != 0:
			return 0
		}
		return end
	}
	rest := white ^ swar.Highs
	if class&(space|newline) == 0 || rest == 0 {
		return 0
	}
	end := uint(bits.TrailingZeros64(rest)) / 8
	after := byte(w >> (8 * end & 63))
	lines := (swar.Between(w, '\n', '\n') | swar.Between(w, '\r', '\r')) & (1<<(8*end&63) - 1)
	switch {
	case after >= 0x80:
		return 0 // a code point that may be white
	case lines != 0:
		return uint(bits.Len64(lines)) / 8 // up to the last newline
	case end > 1:
		return end - 1 // the last one belongs to the next piece
	case v.kinds[after]&letter != 0:
		return 0
	}
	return 1
}
