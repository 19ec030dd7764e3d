package bpe

import (
	"math/bits"

	"tamp/core/internal/swar"
)

// Most pieces are a word of ASCII letters with at most one character before it, of at most 15 bytes. plainWord finds
// these pieces eight bytes at a time. All other pieces are left to Vocabulary.next, which implements the whole pattern.
// The two agree if plainWord returns a length.

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
