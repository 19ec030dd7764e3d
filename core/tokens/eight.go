package tokens

// Texts are gone through eight bytes at a time where that is quicker. A loop by the byte costs several times as much, most of
// all as wasm. A mark is the highest bit of a byte.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080 // the bit that only bytes beyond ASCII have
)

// eight returns the eight bytes of s at i, the first one lowest. The compiler makes one load of it.
func eight(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// upToEight does the same near the end of s, as if bytes that no UTF-8 has followed it.
func upToEight(s string, i int) uint64 {
	if i+8 <= len(s) {
		return eight(s, i)
	}
	x := ^uint64(0)
	for j := len(s) - 1; j >= i; j-- {
		x = x<<8 | uint64(s[j])
	}
	return x
}

// between marks the bytes from lo to hi, both of them ASCII.
func between(x uint64, lo, hi byte) uint64 {
	y := x &^ highs
	return (y + ones*(0x80-uint64(lo))) &^ (y + ones*(0x7F-uint64(hi))) &^ x & highs
}
