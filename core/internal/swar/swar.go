// Package swar processes text eight bytes at a time in one register (SIMD within a register). A loop over single bytes
// takes several times as long, above all in wasm, where Go has no wider instructions.
//
// A mark is the highest bit of a byte.
package swar

const (
	Ones  = 0x0101010101010101
	Highs = 0x8080808080808080 // all marks; in UTF-8, only bytes that are not ASCII have it
)

// FibonacciMultiplier is 2^64 divided by the golden ratio, made odd. Multiplying a key by it mixes the low bits into
// the high ones, of which a hash table takes its index (Fibonacci hashing).
const FibonacciMultiplier = 0x9E3779B97F4A7C15

// Load returns the eight bytes of s at i, the first one lowest. The compiler makes one load of it.
func Load(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Between marks the bytes of x from lo to hi, both of them ASCII. No sum carries over into the next byte.
func Between(x uint64, lo, hi byte) uint64 {
	y := x &^ Highs
	return (y + Ones*(0x80-uint64(lo))) &^ (y + Ones*(0x7F-uint64(hi))) &^ x & Highs
}
