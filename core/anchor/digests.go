package anchor

import (
	"tamp/core/internal/swar"
	"tamp/core/msg"
)

// digests stand for a list of items: lines, tools or messages. Each item's digest has its place mixed in, so digests may be
// added up: a list too long to be stored keeps one sum for each group of items, and can still be compared.
type digests struct {
	n    int      // items
	size int      // items in a group, a power of two; the last group may be short
	sums []uint32 // one for each group, 24 bits
}

// digestBits keeps a stored digest at three bytes. Two different items look equal once in 16 million; all that depends
// on it is which cause a warning names.
const digestBits = 1<<24 - 1

func newDigests(items []uint64) digests {
	d := digests{n: len(items), size: 1, sums: make([]uint32, len(items))}
	for i, item := range items {
		item = (item ^ uint64(i)) * swar.FibonacciMultiplier // the place goes in
		d.sums[i] = uint32(item>>40) & digestBits
	}
	return d
}

// coarse returns the same list in at most limit groups.
func (d digests) coarse(limit int) digests {
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

// differs finds the first place where later, which is not grouped, is not what d was. Where growth is allowed, items that come
// after those of d are no difference.
func (d digests) differs(later digests, growth bool) (span, bool) {
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

// hash is FNV-1a over fields, each with its length, so that no two lists of fields share their bytes.
type hash uint64

const fnvOffset, fnvPrime hash = 14695981039346656037, 1099511628211

func newHash() hash { return fnvOffset }

func (h hash) text(s string) hash {
	h = h.number(len(s))
	for i := 0; i < len(s); i++ {
		h = (h ^ hash(s[i])) * fnvPrime
	}
	return h
}

// object adds the members of an object but for its breakpoint, which may come and go with the white space around it.
func (h hash) object(raw msg.Raw) hash {
	if raw.Kind() != '{' {
		return h.text(string(raw))
	}
	for name, value := range raw.Members() {
		if name != "cache_control" {
			h = h.text(name).text(string(value))
		}
	}
	return h
}

func (h hash) number(n int) hash {
	for ; n > 0x7f; n >>= 7 {
		h = (h ^ hash(n&0x7f|0x80)) * fnvPrime
	}
	return (h ^ hash(n)) * fnvPrime
}

// block adds what the provider's cache sees of a block: everything but where its breakpoints are.
func (h hash) block(b *msg.Block) hash {
	h = h.text(string(b.Kind)).text(b.ID).text(b.Name).text(b.Text).number(len(b.Parts))
	if b.IsError {
		h = h.number(1)
	}
	if b.Text == "" || b.Signed { // an image, a signature: nothing else tells two of them apart
		h = h.object(b.Raw)
	}
	for i := range b.Parts {
		h = h.block(&b.Parts[i])
	}
	return h
}
