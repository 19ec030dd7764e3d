package tokens

import "tamp/core/internal/swar"

// upToEight loads eight bytes near the end of s, too, as if bytes that no UTF-8 has followed it.
func upToEight(s string, i int) uint64 {
	if i+8 <= len(s) {
		return swar.Load(s, i)
	}
	x := ^uint64(0)
	for j := len(s) - 1; j >= i; j-- {
		x = x<<8 | uint64(s[j])
	}
	return x
}
