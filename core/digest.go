package core

import (
	"encoding/binary"
	"math/bits"
	"strconv"

	"tamp/core/msg"
)

// Digest tells two conversations apart: 128 bits in hexadecimal. It guards against mistakes, a plan that meets another
// conversation than its own, and is made twice in every turn over megabytes, so it is quick rather than
// cryptographic. What names content for others (Ref, a request's ID) is SHA-256.
type Digest string

// Ref names an original in the archive: the first 16 hexadecimal digits of the SHA-256 of its bytes.
func Ref(original []byte) string { return msg.Hex(msg.Sum256(original), 16) }

// digest identifies the messages by what they say, not by how their JSON is laid out: moving a cache breakpoint or
// reformatting a file does not make a plan stale, any other change does.
func digest(messages []msg.Message) Digest {
	d := digester{0x243f6a8885a308d3, 0x13198a2e03707344} // the first digits of pi: nothing up our sleeve
	for m := range messages {
		d.text(string(messages[m].Role))
		d.number(uint64(len(messages[m].Blocks)))
		for b := range messages[m].Blocks {
			d.block(&messages[m].Blocks[b])
		}
	}
	d.number(uint64(len(messages)))
	return Digest(strconv.FormatUint(d.a|1<<63, 16) + strconv.FormatUint(d.b|1<<63, 16))
}

// digester mixes words by the high and low half of their product, as wyhash does. Every field goes in with
// its length, so that no two different conversations feed it the same words.
type digester struct{ a, b uint64 }

func (d *digester) block(b *msg.Block) {
	d.text(string(b.Kind))
	d.text(b.ID)
	d.text(b.Name)
	d.text(b.Text)
	if b.IsError {
		d.number(1)
	}
	if b.Text == "" || b.Signed {
		d.text(string(b.Raw)) // an image, a signature: nothing else tells two of them apart
	}
	d.number(uint64(len(b.Parts)))
	for i := range b.Parts {
		d.block(&b.Parts[i])
	}
}

func (d *digester) number(n uint64) { d.mix(n, 0xa0761d6478bd642f) }

func (d *digester) text(s string) {
	d.number(uint64(len(s)))
	for len(s) >= 16 {
		d.mix(word(s), word(s[8:]))
		s = s[16:]
	}
	var rest [16]byte
	copy(rest[:], s)
	d.mix(binary.LittleEndian.Uint64(rest[:]), binary.LittleEndian.Uint64(rest[8:]))
}

func (d *digester) mix(x, y uint64) {
	high, low := bits.Mul64(d.a^x^0xe7037ed1a0b428db, d.b^y^0x8ebc6af09c88c6e3)
	d.a, d.b = bits.RotateLeft64(d.a, 23)^high^x, bits.RotateLeft64(d.b, 41)^low^y
}

func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
