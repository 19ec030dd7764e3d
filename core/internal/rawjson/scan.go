package rawjson

import (
	"encoding/binary"
	"math/bits"

	"tamp/core/internal/swar"
)

// Most of a session is plain text inside strings, so most of the time to read it is spent here. In wasm, reading eight
// bytes at a time is three times as fast as one byte at a time, which is all that bytes.IndexByte does there.

// plainEnd returns the offset of the first quote, backslash or control character at or after i, or len(b).
func plainEnd(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		if found := special(binary.LittleEndian.Uint64(b[i:])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c == '"' || c == '\\' || c < ' ' {
			return i
		}
	}
	return len(b)
}

// copyPlain is plainEnd, and copies the bytes before that offset to out, which must be 8 bytes longer. Most runs are
// too short for a call of copy to pay off.
func copyPlain(out, b []byte, i int) int {
	n := 0
	for ; i+8 <= len(b); i, n = i+8, n+8 {
		x := binary.LittleEndian.Uint64(b[i:])
		binary.LittleEndian.PutUint64(out[n:], x)
		if found := special(x); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(b); i, n = i+1, n+1 {
		c := b[i]
		if c == '"' || c == '\\' || c < ' ' {
			return i
		}
		out[n] = c
	}
	return len(b)
}

// special sets the high bit of each byte that is a quote, a backslash or a control character. A borrow can set further
// bits, but only above such a byte, so the lowest set bit is correct. The masks have no high bits, so those of x say
// which bytes are over 127.
func special(x uint64) uint64 {
	quote, slash := x^(swar.Ones*'"'), x^(swar.Ones*'\\')
	return ((x - swar.Ones*' ') | (quote - swar.Ones) | (slash - swar.Ones)) &^ x & swar.Highs
}
