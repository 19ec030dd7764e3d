package promptcache

import (
	"math/bits"

	"tamp/core/internal/hash"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/swar"
	"tamp/core/msg"
)

// digests represents a list of items: lines, tools or messages. The digest of an item depends on its index, so digests
// can be added: a list that is too long to store keeps one sum per group of items, and can still be compared.
type digests struct {
	n    int      // items
	size int      // items in a group, a power of two; the last group may be short
	sums []uint32 // one for each group, 24 bits
}

// digestBits limits a stored digest to three bytes. Two different items have equal digests once in 16 million; only the
// cause in a warning depends on it.
const digestBits = 1<<24 - 1

func newDigests(items []uint64) digests {
	d := digests{n: len(items), size: 1, sums: make([]uint32, len(items))}
	for i, item := range items {
		item = (item ^ uint64(i)) * swar.FibonacciMultiplier
		d.sums[i] = uint32(item>>40) & digestBits
	}
	return d
}

// regroup returns the same list in at most limit groups.
func (d digests) regroup(limit int) digests {
	for len(d.sums) > limit {
		merged := make([]uint32, (len(d.sums)+1)/2)
		for i, sum := range d.sums {
			merged[i/2] = (merged[i/2] + sum) & digestBits
		}
		d.sums, d.size = merged, d.size*2
	}
	return d
}

// span is where two lists first differ: an item in [from, to).
type span struct{ from, to int }

// firstDifference returns the first difference between d and later, which is not grouped, as the items of one group. If
// growth is true, items after those of d do not count.
func (d digests) firstDifference(later digests, growth bool) (span, bool) {
	for g, sum := range d.sums {
		at := span{g * d.size, min((g+1)*d.size, d.n)}
		if at.to > later.n {
			return span{min(at.from, later.n), at.to}, true
		}
		got := uint32(0)
		for _, s := range later.sums[at.from:at.to] {
			got = (got + s) & digestBits
		}
		if got != sum {
			return at, true
		}
	}
	return span{d.n, d.n + 1}, !growth && later.n > d.n
}

// digester is hash.Hash128 over fields; its methods return the digester with one more of them.
type digester struct{ hash.Hash128 }

func newDigester() digester { return digester{hash.New128()} }

// sum returns 64 bits of the digest.
func (h digester) sum() uint64 { return h.A ^ bits.RotateLeft64(h.B, 32) }

func (h digester) text(s string) digester {
	h.Text(s)
	return h
}

func (h digester) number(n int) digester {
	h.Number(uint64(n))
	return h
}

// object adds the members of an object without cache_control and without the white space between members.
func (h digester) object(raw rawjson.Value) digester {
	if raw.Kind() != '{' {
		return h.text(string(raw))
	}
	for it := raw.Walk(); it.Next(); {
		name, value := it.Name, it.Value
		if name != "cache_control" {
			h = h.text(name).text(string(value))
		}
	}
	return h
}

// block adds the content of a block, without its breakpoints: the part that the provider's cache compares.
func (h digester) block(b *msg.Block) digester {
	h = h.text(string(b.Kind)).text(b.ID).text(b.Name).text(b.Text).number(len(b.Parts))
	if b.IsError {
		h = h.number(1)
	}
	if b.Text == "" || b.Signed { // an image or a signature differs only in its raw JSON
		h = h.object(b.Raw)
	}
	for i := range b.Parts {
		h = h.block(&b.Parts[i])
	}
	return h
}
