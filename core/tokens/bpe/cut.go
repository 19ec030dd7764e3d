package bpe

import (
	"math/bits"

	"tamp/core/internal/swar"
)

// A long run of Chinese is one piece, yet few of its neighbors ever meet within a token. Where no token crosses the line between
// two characters no merge can, so a piece may be cut there and its parts merged one by one: the same tokens for far less work.

// cuts knows between which characters no token lies, and errs towards "some may". It looks at the three bytes
// before and the three after a line where a character of several bytes ends and another begins.
type cuts struct {
	near [64]uint64                // by the last byte and the first: tokens that hold fewer than three bytes on one side
	far  [1 << (farLog - 6)]uint64 // a filter over all six bytes
}

const farLog = 18

// learn marks the lines within the token s[start:end].
func (c *cuts) learn(s string, start, end int) {
	if n := end - start; n >= 8 && n <= 16 && (swar.Load(s, start)|swar.Load(s, end-8))&swar.Highs == 0 {
		return // most tokens are ASCII
	}
	for at := start; at+1 < end; at += 7 {
		w := word(s, at, min(at+8, end))
		first, rest := w&(w<<1)&swar.Highs, w&^(w<<1)&swar.Highs
		for lines := first & (rest << 8); lines != 0; lines &= lines - 1 {
			if i := at + bits.TrailingZeros64(lines)/8; i >= start+3 && i+3 <= end {
				h := six(s, i)
				c.far[h/64] |= 1 << (h % 64)
			} else {
				c.near[s[i-1]&63] |= 1 << (s[i] & 63)
			}
		}
	}
}

// next returns where the first part of s[start:end] ends.
func (c *cuts) next(s string, start, end int) int {
	for i := start + 3; i+3 <= end; i++ {
		if line(s, i) && c.near[s[i-1]&63]>>(s[i]&63)&1 == 0 {
			if h := six(s, i); c.far[h/64]>>(h%64)&1 == 0 {
				return i
			}
		}
	}
	return end
}

func line(s string, i int) bool { return s[i] >= 0xC0 && s[i-1]&0xC0 == 0x80 }

func six(s string, i int) uint64 { return word(s, i-3, i+3) * spread >> (64 - farLog) }
