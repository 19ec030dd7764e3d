package bpe

import (
	"math/bits"

	"tamp/core/internal/swar"
)

// A long run of Chinese is one piece, but few pairs of adjacent characters are in a token. If no token contains a
// boundary between two characters, no merge can cross it, so the piece can be cut there and its parts merged one by
// one: the same tokens with far less work.

// cuts decides whether a token may cross a boundary between two multi-byte characters, by the three bytes before and
// after it. False positives are possible, false negatives are not.
type cuts struct {
	near [64]uint64                // by the last and the first byte: tokens with fewer than three bytes on one side
	far  [1 << (farLog - 6)]uint64 // a hash filter over all six bytes
}

const farLog = 18

// addBoundaries marks the boundaries within the token s[start:end].
func (c *cuts) addBoundaries(s string, start, end int) {
	if n := end - start; n >= 8 && n <= 16 && (swar.Load(s, start)|swar.Load(s, end-8))&swar.Highs == 0 {
		return // most tokens are ASCII
	}
	for at := start; at+1 < end; at += 7 {
		w := word(s, at, min(at+8, end))
		first, rest := w&(w<<1)&swar.Highs, w&^(w<<1)&swar.Highs
		for lines := first & (rest << 8); lines != 0; lines &= lines - 1 {
			if i := at + bits.TrailingZeros64(lines)/8; i >= start+3 && i+3 <= end {
				h := hashAround(s, i)
				c.far[h/64] |= 1 << (h % 64)
			} else {
				c.near[s[i-1]&63] |= 1 << (s[i] & 63)
			}
		}
	}
}

// next returns the end of the first part of s[start:end].
func (c *cuts) next(s string, start, end int) int {
	for i := start + 3; i+3 <= end; i++ {
		if isBoundary(s, i) && c.near[s[i-1]&63]>>(s[i]&63)&1 == 0 {
			if h := hashAround(s, i); c.far[h/64]>>(h%64)&1 == 0 {
				return i
			}
		}
	}
	return end
}

func isBoundary(s string, i int) bool { return s[i] >= 0xC0 && s[i-1]&0xC0 == 0x80 }

func hashAround(s string, i int) uint64 {
	return word(s, i-3, i+3) * swar.FibonacciMultiplier >> (64 - farLog)
}
