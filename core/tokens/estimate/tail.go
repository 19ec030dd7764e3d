package estimate

import "tamp/core/internal/swar"

// loadTail64 returns the eight bytes of s at i, the first one lowest. Bytes after the end of s are 0xFF, which no UTF-8
// has.
func loadTail64(s string, i int) uint64 {
	if i+8 <= len(s) {
		return swar.Load(s, i)
	}
	x := ^uint64(0)
	for j := len(s) - 1; j >= i; j-- {
		x = x<<8 | uint64(s[j])
	}
	return x
}
