// Package sha256 names content by its SHA-256; it is not used for security.
package sha256

import (
	"encoding/binary"
	"math/bits"
)

// SHA-256 by its specification (FIPS 180-4). The standard library's adds its whole cryptographic module: 0.13 MB of
// gzipped wasm, a tenth of the download of a page.

// sum is Sum where the standard library is too large.
func sum(data []byte) [32]byte {
	h := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	whole := len(data) &^ 63
	for i := 0; i < whole; i += 64 {
		sumBlock(&h, (*[64]byte)(data[i:]))
	}
	// The rest is padded by a one bit, zeros, and the length in bits: one block, or two if the length does not fit.
	var tail [128]byte
	n := copy(tail[:], data[whole:])
	tail[n] = 0x80
	end := 64
	if n >= 56 {
		end = 128
	}
	binary.BigEndian.PutUint64(tail[end-8:], uint64(len(data))*8)
	sumBlock(&h, (*[64]byte)(tail[:]))
	if end == 128 {
		sumBlock(&h, (*[64]byte)(tail[64:]))
	}
	var out [32]byte
	for i, word := range h {
		binary.BigEndian.PutUint32(out[4*i:], word)
	}
	return out
}

func sumBlock(h *[8]uint32, block *[64]byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(block[4*i:])
	}
	for i := 16; i < 64; i++ {
		a, b := w[i-15], w[i-2]
		s0 := bits.RotateLeft32(a, -7) ^ bits.RotateLeft32(a, -18) ^ a>>3
		s1 := bits.RotateLeft32(b, -17) ^ bits.RotateLeft32(b, -19) ^ b>>10
		w[i] = w[i-16] + s0 + w[i-7] + s1
	}
	a, b, c, d, e, f, g, x := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
	for i := 0; i < 64; i += 8 { // after eight rounds the variables are in their order again
		k, w := (*[8]uint32)(sha256K[i:]), (*[8]uint32)(w[i:])
		d, x = round(a, b, c, d, e, f, g, x+k[0]+w[0])
		c, g = round(x, a, b, c, d, e, f, g+k[1]+w[1])
		b, f = round(g, x, a, b, c, d, e, f+k[2]+w[2])
		a, e = round(f, g, x, a, b, c, d, e+k[3]+w[3])
		x, d = round(e, f, g, x, a, b, c, d+k[4]+w[4])
		g, c = round(d, e, f, g, x, a, b, c+k[5]+w[5])
		f, b = round(c, d, e, f, g, x, a, b+k[6]+w[6])
		e, a = round(b, c, d, e, f, g, x, a+k[7]+w[7])
	}
	h[0] += a
	h[1] += b
	h[2] += c
	h[3] += d
	h[4] += e
	h[5] += f
	h[6] += g
	h[7] += x
}

// round returns what becomes of the variables d and h in a round; h has the constant and the word of the round.
func round(a, b, c, d, e, f, g, h uint32) (nextE, nextA uint32) {
	h += (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (g ^ e&(f^g))
	return d + h, h + (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b | c&(a|b))
}

// sha256K is the specification's table: the first 32 bits of the fractional parts of the cube roots of the first 64
// primes.
var sha256K = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// Hex returns the first n hexadecimal digits of a sum.
func Hex(sum [32]byte, n int) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 64)
	for _, b := range sum {
		out = append(out, digits[b>>4], digits[b&15])
	}
	return string(out[:n])
}
