package bpe

import (
	"math/bits"

	"tamp/core/internal/swar"
)

// cache has the number of tokens of the last few thousand merged pieces. An entry holds the whole piece, so it is never
// wrong.
type cache [1 << cacheLog]cached

const (
	cacheLog  = 12
	cacheable = 23 // bytes
)

// cached is a piece and its tokens.
type cached struct {
	piece  [3]uint64 // the bytes, their number in the last
	tokens int
}

// findPiece returns the entry for a piece of at most cacheable bytes, and the key of the entry if it holds the piece.
func (c *cache) findPiece(s string, start, end int) (entry *cached, piece [3]uint64) {
	n := end - start
	piece[2] = uint64(n) << 56
	switch {
	case n <= 8:
		piece[0] = word(s, start, end)
	case n <= 16:
		piece[0], piece[1] = swar.Load(s, start), word(s, start+8, end)
	default:
		piece[0], piece[1] = swar.Load(s, start), swar.Load(s, start+8)
		piece[2] |= word(s, start+16, end)
	}
	hash := bits.RotateLeft64(piece[0]*swar.FibonacciMultiplier, 32) ^ piece[1]
	hash = bits.RotateLeft64(hash*swar.FibonacciMultiplier, 32) ^ piece[2]
	return &c[hash*swar.FibonacciMultiplier>>(64-cacheLog)], piece
}
