package bpe

import (
	"math/bits"

	"tamp/core/internal/swar"
)

// table finds the rank of a token by its bytes. It is exact: entries found by a hash are compared.
//
// Short tokens are their own keys: up to seven bytes with their number in the top byte, or eight bytes whose last byte
// cannot be such a number. Of all other tokens the table has a hash and the rank, and compares their bytes in blob.
type table struct {
	keys      []uint64 // 0 is an empty slot
	ranks     []uint32
	shift     uint
	long      []uint64         // low half of the hash << 32 | rank + 1; 0 is an empty slot
	longShift uint             // of long
	pairs     *[1 << 16]uint32 // rank + 1
	single    [256]uint32
	cuts      *cuts
	sizes     []uint16 // of the tokens, which are concatenated in blob
	starts    []uint32 // offset in blob of every eighth token
	blob      string
	length    int // of the longest token
}

// none is the rank of bytes that are not a token.
const none = 1<<32 - 1

// maxProbes is many times the maximum of the published vocabularies. A file that was made to need more is refused.
const maxProbes = 200

func newTable(p packed) (*table, error) {
	t := &table{sizes: p.sizes, starts: make([]uint32, len(p.sizes)/8+1), blob: p.blob, length: p.length,
		pairs: new([1 << 16]uint32), cuts: new(cuts)}
	for i := range t.single {
		t.single[i] = none
	}
	t.keys, t.shift = slots(p.short)
	t.ranks = make([]uint32, len(t.keys))
	t.long, t.longShift = slots(p.long)
	// New memory is faster when it is first touched in order; adding tokens touches it in random order.
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

// slots allocates a hash table for n entries, with a load between a third and two thirds, and returns the shift from
// hash to slot.
func slots(n int) ([]uint64, uint) {
	log := bits.Len(uint(n + n/2))
	return make([]uint64, 1<<log), uint(64 - log)
}

// batch is the number of tokens added by one call. A call for each token takes twice as long in a wasm engine that has
// not optimized the code yet; one call for all tokens would prevent the engine from replacing the code by the optimized
// one.
const batch = 256

// addBatch adds the next tokens from rank, which begin at offset start of blob. It returns the offset where the last
// one ends.
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
			key = keyOfFirst(swar.Load(t.blob, start), uint(n))
		} else {
			key, short = shortKey(t.blob, start, end)
		}
		if !short || key&swar.Highs != 0 {
			t.cuts.addBoundaries(t.blob, start, end)
		}
		if !short {
			if err := t.addLong(start, end, rank); err != nil {
				return 0, err
			}
			start = end
			continue
		}
		slot := key * swar.FibonacciMultiplier >> (t.shift & 63)
		for probes := 0; t.keys[slot] != 0; probes++ {
			if t.keys[slot] == key {
				return 0, errDuplicateToken(rank)
			}
			if probes == maxProbes {
				return 0, errTooManyCollisions()
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
	slot := hash >> t.longShift
	for probes := 0; t.long[slot] != 0; probes++ {
		if t.long[slot]>>32 == hash&(1<<32-1) && t.token(uint32(t.long[slot])-1) == t.blob[start:end] {
			return errDuplicateToken(rank)
		}
		if probes == maxProbes {
			return errTooManyCollisions()
		}
		slot = (slot + 1) & uint64(len(t.long)-1)
	}
	t.long[slot] = hash<<32 | uint64(rank+1)
	return nil
}

func errDuplicateToken(rank int) error { return cannotLoad("token % is a duplicate", rank) }

func errTooManyCollisions() error { return cannotLoad("too many tokens share a hash") }

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
		for slot := key * swar.FibonacciMultiplier >> t.shift; ; slot = (slot + 1) & uint64(len(t.keys)-1) {
			switch t.keys[slot] {
			case key:
				return t.ranks[slot]
			case 0:
				return none
			}
		}
	}
	hash := longHash(s, start, end)
	for slot := hash >> t.longShift; ; slot = (slot + 1) & uint64(len(t.long)-1) {
		entry := t.long[slot]
		if entry == 0 {
			return none
		}
		if entry>>32 == hash&(1<<32-1) && t.token(uint32(entry)-1) == s[start:end] {
			return uint32(entry) - 1
		}
	}
}

// has reports whether s[start:end] is a token. For short spans it is faster than rank.
func (t *table) has(s string, start, end int) bool {
	n := uint(end - start)
	if n >= 8 || start+8 > len(s) {
		return t.rank(s, start, end) != none
	}
	key := keyOfFirst(swar.Load(s, start), n)
	for slot := key * swar.FibonacciMultiplier >> (t.shift & 63); ; slot++ {
		switch t.keys[slot&uint64(len(t.keys)-1)] {
		case key:
			return true
		case 0:
			return false
		}
	}
}

func pair(s string, at int) uint { return uint(s[at])<<8 | uint(s[at+1]) }

// shortKey returns the bytes s[start:end] as a key, and false if they have no key: more than eight bytes, or eight of
// which the last is a possible length. No key is 0.
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

// keyOfFirst returns the key of the first n bytes of eight; n is at most 7.
func keyOfFirst(eight uint64, n uint) uint64 {
	return eight<<(64-8*n&63)>>(64-8*n&63) | uint64(n)<<56
}

// word returns the bytes s[start:end], at most eight, the first one lowest.
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
		hash = bits.RotateLeft64((hash^swar.Load(s, start))*swar.FibonacciMultiplier, 32)
	}
	return hash * swar.FibonacciMultiplier
}
