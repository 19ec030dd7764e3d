package bpe

import (
	"math/bits"

	"tamp/core/internal/swar"
)

// table answers which rank the token with these bytes has. It is exact: what a hash finds is compared.
//
// Short tokens are their own keys: up to seven bytes with their number in the top byte, or eight bytes of which the
// last is no such number. Of all others the table holds a hash and the rank, and their bytes lie in blob.
type table struct {
	keys   []uint64 // 0 is an empty slot
	ranks  []uint32
	shift  uint
	long   []uint64         // half a hash << 32 | rank + 1; 0 is an empty slot
	wide   uint             // shift of long
	pairs  *[1 << 16]uint32 // rank + 1
	single [256]uint32
	cuts   *cuts
	sizes  []uint16 // of the tokens, which stand in blob one after the other
	starts []uint32 // where in blob every eighth begins
	blob   string
	length int // of the longest token
}

// none is the rank of bytes that are no token.
const none = 1<<32 - 1

// spread is 2^64 divided by the golden ratio, made odd: multiplying by it mixes the low bits of a key into the high ones.
const spread = 0x9E3779B97F4A7C15

// maxProbes is many times what the published vocabularies need; a file made to need more is refused.
const maxProbes = 200

func newTable(p packed) (*table, error) {
	t := &table{sizes: p.sizes, starts: make([]uint32, len(p.sizes)/8+1), blob: p.blob, length: p.length, pairs: new([1 << 16]uint32), cuts: new(cuts)}
	for i := range t.single {
		t.single[i] = none
	}
	t.keys, t.shift = slots(p.short)
	t.ranks = make([]uint32, len(t.keys))
	t.long, t.wide = slots(p.long)
	// What is new of memory costs least where it is first touched in order, and tokens go all over it.
	clear(t.keys)
	clear(t.ranks)
	clear(t.long)
	start := 0
	for rank := 0; rank < len(t.sizes); rank += batch {
		var err error
		if start, err = t.addBatch(start, rank); err != nil {
			return nil, err
		}
	}
	for b, rank := range t.single {
		if rank == none {
			return nil, cannotLoad("byte % is no token", b)
		}
	}
	return t, nil
}

// slots makes room for n entries, filled to between a third and two thirds, and the shift that turns a hash into a slot.
func slots(n int) ([]uint64, uint) {
	log := bits.Len(uint(n + n/2))
	return make([]uint64, 1<<log), uint(64 - log)
}

// batch is how many tokens are added at a time. To call a function for each takes twice as long where the code is new to the engine
// that runs it, and to add them all in one call would keep the engine from going on with better code.
const batch = 256

// addBatch adds the tokens from a rank on, which begin at start. It returns where the last one ends.
func (t *table) addBatch(start, rank int) (int, error) {
	for last := min(rank+batch, len(t.sizes)); rank < last; rank++ {
		n := int(t.sizes[rank])
		end := start + n
		if rank%8 == 0 {
			t.starts[rank/8] = uint32(start)
		}
		switch n {
		case 1:
			t.single[t.blob[start]] = uint32(rank)
		case 2:
			t.pairs[pair(t.blob, start)] = uint32(rank + 1)
		}
		key, short := uint64(0), n < 8 && start+8 <= len(t.blob)
		if short {
			key = shorter(swar.Load(t.blob, start), uint(n))
		} else {
			key, short = shortKey(t.blob, start, end)
		}
		if !short || key&swar.Highs != 0 {
			t.cuts.learn(t.blob, start, end)
		}
		if !short {
			if err := t.addLong(start, end, rank); err != nil {
				return 0, err
			}
			start = end
			continue
		}
		slot := key * spread >> (t.shift & 63)
		for probes := 0; t.keys[slot] != 0; probes++ {
			if t.keys[slot] == key {
				return 0, thereTwice(rank)
			}
			if probes == maxProbes {
				return 0, tooMany()
			}
			slot = (slot + 1) & uint64(len(t.keys)-1)
		}
		t.keys[slot], t.ranks[slot] = key, uint32(rank)
		start = end
	}
	return start, nil
}

func (t *table) addLong(start, end, rank int) error {
	hash := longHash(t.blob, start, end)
	slot := hash >> t.wide
	for probes := 0; t.long[slot] != 0; probes++ {
		if t.long[slot]>>32 == hash&(1<<32-1) && t.token(uint32(t.long[slot])-1) == t.blob[start:end] {
			return thereTwice(rank)
		}
		if probes == maxProbes {
			return tooMany()
		}
		slot = (slot + 1) & uint64(len(t.long)-1)
	}
	t.long[slot] = hash<<32 | uint64(rank+1)
	return nil
}

func thereTwice(rank int) error { return cannotLoad("token % is there twice", rank) }

func tooMany() error { return cannotLoad("too many tokens share a hash") }

// token returns the bytes of a token.
func (t *table) token(rank uint32) string {
	start := t.starts[rank/8]
	for _, size := range t.sizes[rank&^7 : rank] {
		start += uint32(size)
	}
	return t.blob[start : start+uint32(t.sizes[rank])]
}

// rank returns the rank of the token s[start:end], or none. The span is not empty.
func (t *table) rank(s string, start, end int) uint32 {
	switch n := end - start; {
	case n == 1:
		return t.single[s[start]]
	case n == 2:
		return t.pairs[pair(s, start)] - 1
	case n > t.length:
		return none
	}
	if key, ok := shortKey(s, start, end); ok {
		for slot := key * spread >> t.shift; ; slot = (slot + 1) & uint64(len(t.keys)-1) {
			switch t.keys[slot] {
			case key:
				return t.ranks[slot]
			case 0:
				return none
			}
		}
	}
	hash := longHash(s, start, end)
	for slot := hash >> t.wide; ; slot = (slot + 1) & uint64(len(t.long)-1) {
		entry := t.long[slot]
		if entry == 0 {
			return none
		}
		if entry>>32 == hash&(1<<32-1) && t.token(uint32(entry)-1) == s[start:end] {
			return uint32(entry) - 1
		}
	}
}

// has reports whether s[start:end] is a token. It is rank for most of what is asked, and quicker.
func (t *table) has(s string, start, end int) bool {
	n := uint(end - start)
	if n >= 8 || start+8 > len(s) {
		return t.rank(s, start, end) != none
	}
	key := shorter(swar.Load(s, start), n)
	for slot := key * spread >> (t.shift & 63); ; slot++ {
		switch t.keys[slot&uint64(len(t.keys)-1)] {
		case key:
			return true
		case 0:
			return false
		}
	}
}

func pair(s string, at int) uint { return uint(s[at])<<8 | uint(s[at+1]) }

// shortKey returns the bytes s[start:end] as a key, and false where they are none: too many, or eight that end in what
// would be read as a length. No key is 0.
func shortKey(s string, start, end int) (uint64, bool) {
	n := end - start
	if n > 8 {
		return 0, false
	}
	w := word(s, start, end)
	if n == 8 {
		return w, w>>56 >= 8
	}
	return w | uint64(n)<<56, true
}

// shorter is the key of the first n bytes of eight, of which there are seven at most.
func shorter(eight uint64, n uint) uint64 {
	return eight<<(64-8*n&63)>>(64-8*n&63) | uint64(n)<<56
}

// word returns the bytes s[start:end], eight at most, the first lowest.
func word(s string, start, end int) uint64 {
	if start+8 <= len(s) {
		return swar.Load(s, start) << (8 * (8 - (end - start)) & 63) >> (8 * (8 - (end - start)) & 63)
	}
	w := uint64(0)
	for end > start {
		end--
		w = w<<8 | uint64(s[end])
	}
	return w
}

// longHash hashes eight bytes or more.
func longHash(s string, start, end int) uint64 {
	hash := swar.Load(s, end-8) ^ uint64(end-start)
	for ; start+8 < end; start += 8 {
		hash = bits.RotateLeft64((hash^swar.Load(s, start))*spread, 32)
	}
	return hash * spread
}
