package hash

import (
	"encoding/binary"
	"math/bits"

	"tamp/core/internal/swar"
)

// Hash128 is a streaming hash of 128 bits. It is fast and not cryptographic: use it to compare contents in memory, and
// sha256.Sum for names that leave the process. A copy of the value continues independently. Start with New128.
//
// It mixes words by the high and low half of their product, as wyhash does. The length of each text is part of the
// input, so different sequences of texts have different input words.
type Hash128 struct{ A, B uint64 }

// New128 returns the hash of the empty sequence.
func New128() Hash128 { return Hash128{0x243f6a8885a308d3, 0x13198a2e03707344} } // the first hex digits of pi

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
