package bpe

import (
	"math/bits"

	"tamp/core/internal/swar"
)

// Most pieces of most texts are a word of ASCII letters with the one character before it, 15 bytes at most. They are
// found here by eight bytes at once. Whatever is not plain is left to next, which knows the whole pattern; the two
// agree wherever quick answers.

// lead says of the first byte of a piece where its word would begin.
type lead [256]uint8

// leave is the lead of a byte with which quick does nothing.
const leave = 8

// newLead makes the table for a pattern: what may stand before a word.
func newLead(kinds *classes, name string) *lead {
	l := new(lead)
	for b := range l {
		l[b] = leave
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

// letters marks those that are a to z or A to Z.
func letters(w uint64) uint64 { return lowers(w | ' '*swar.Ones) }

// quick returns how many bytes the piece has that begins with the eight bytes of w at s[i], 0 where that is left to next.
// A word is letters; where capitals part words (o200k_base), one letter and then lower case. There are 16 bytes at
// least from i on.
func (l *lead) quick(w uint64, s string, i int, capitals bool) uint {
	start := uint(l[byte(w)])
	any := letters(w)
	if start == leave || any>>(8*start&63)&0x80 == 0 {
		return 0
	}
	run := any
	if capitals {
		run = lowers(w)
	}
	end := start + 1
	rest := (run ^ swar.Highs) >> (8 * end & 63)
	if rest == 0 {
		return l.longer(swar.Load(s, i+8), capitals)
	}
	end += uint(bits.TrailingZeros64(rest)) / 8
	if end == start+1 && (any&^run)>>(8*start&63)&0x80 != 0 && any>>(8*end&63)&0x80 != 0 {
		return 0 // another capital after the first
	}
	if after := w >> (8 * end & 63); after&0x80 != 0 || byte(after) == '\'' {
		return 0 // a code point that may belong to the word, or a contraction
	}
	return end
}

// longer is quick for a word that goes on through its first eight bytes; w is the next eight.
func (l *lead) longer(w uint64, capitals bool) uint {
	run := letters(w)
	if capitals {
		run = lowers(w)
	}
	if run == swar.Highs {
		return 0 // longer than this looks
	}
	end := uint(bits.TrailingZeros64(run^swar.Highs)) / 8
	if after := w >> (8 * end & 63); after&0x80 != 0 || byte(after) == '\'' {
		return 0
	}
	return 8 + end
}
