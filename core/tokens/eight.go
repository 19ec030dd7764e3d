package tokens

// Texts are gone through eight bytes at a time where that is quicker. A loop by the byte costs several times as much, most of
// all as wasm.

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
