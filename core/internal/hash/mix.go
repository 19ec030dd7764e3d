package hash

import (
	"encoding/binary"
	"math/bits"

	"tamp/core/internal/swar"
)

// Mix is a digest of 128 bits, quick rather than cryptographic: it tells contents apart that meet by accident, and names nothing for
// others (Sum256 does). It is a value: a copy goes on from where it was taken. Start with NewMix.
//
// It mixes words by the high and low half of their product, as wyhash does. Every text goes in with its length, so that no two
// different sequences feed it the same words.
type Hash128 struct{ A, B uint64 }

// NewMix returns the digest of nothing.
func New128() Hash128 { return Hash128{0x243f6a8885a308d3, 0x13198a2e03707344} } // the first digits of pi: nothing up our sleeve

// Number adds a number.
func (d *Hash128) Number(n uint64) { d.mix(n, 0xa0761d6478bd642f) }

// Text adds a text and its length.
func (d *Hash128) Text(s string) {
	d.Number(uint64(len(s)))
	for len(s) >= 16 {
		d.mix(swar.Load(s, 0), swar.Load(s, 8))
		s = s[16:]
	}
	var rest [16]byte
	copy(rest[:], s)
	d.mix(binary.LittleEndian.Uint64(rest[:]), binary.LittleEndian.Uint64(rest[8:]))
}

func (d *Hash128) mix(x, y uint64) {
	high, low := bits.Mul64(d.A^x^0xe7037ed1a0b428db, d.B^y^0x8ebc6af09c88c6e3)
	d.A, d.B = bits.RotateLeft64(d.A, 23)^high^x, bits.RotateLeft64(d.B, 41)^low^y
}
