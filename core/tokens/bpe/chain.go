package bpe

import (
	"math/bits"

	"tamp/core/internal/heap"
)

// A long piece merges over a linked list of its parts and a heap of the pairs that can merge, so that a run of a
// million letters costs n log n steps. Such pieces are rare. They take about 30 bytes of memory for each byte, which
// release frees.

// chain is the linked list of the parts of one piece, indexed by the offset of their first byte.
type chain struct {
	next, prev []uint32  // the end of the piece is a part without a rank
	rank       []uint32  // of the part's bytes together with the next part's
	heap       heap.Heap // rank << 32 | offset; an entry whose rank is not the current one of its part is skipped
}

func (m *merger) mergeLong(s string, start, end int) int {
	c, size := &m.long, end-start
	c.next, c.prev, c.rank = grow(c.next, size+1), grow(c.prev, size+1), grow(c.rank, size+1)
	c.heap = c.heap[:0]
	for i := range size + 1 {
		c.next[i], c.prev[i], c.rank[i] = uint32(i)+1, uint32(i)-1, none
		if i+1 < size {
			c.rank[i] = m.pairs[pair(s, start+i)] - 1
			if c.rank[i] != none {
				c.heap = append(c.heap, uint64(c.rank[i])<<32|uint64(i))
			}
		}
	}
	c.heap.Order()
	m.work += len(c.heap)
	n := size
	for len(c.heap) > 0 {
		top := c.heap[0]
		at := uint32(top)
		m.work += bits.Len(uint(len(c.heap))) // levels of the heap
		if c.rank[at] != uint32(top>>32) {
			c.heap.Pop()
			continue
		}
		removed := c.next[at]
		c.next[at] = c.next[removed]
		c.prev[c.next[removed]] = at
		c.rank[removed] = none
		n--
		c.rank[at] = none
		c.heap.Pop()
		m.joinLong(s, start, size, at)
		if at > 0 {
			m.joinLong(s, start, size, c.prev[at])
		}
	}
	m.parts = m.parts[:0]
	return n
}

// joinLong finds the rank of the part at with the next one, and pushes the pair on the heap if it can merge.
func (m *merger) joinLong(s string, start, size int, at uint32) {
	c := &m.long
	c.rank[at] = none
	if second := int(c.next[at]); second < size {
		end := int(c.next[second])
		m.work += 1 + min(end-int(at), m.length)/8 // words that a look-up reads
		if rank := m.table.rank(s, start+int(at), start+end); rank != none {
			c.rank[at] = rank
			m.work++
			c.heap.Push(uint64(rank)<<32 | uint64(at))
		}
	}
}

func (c *chain) ends(yield func(end int) bool) {
	last := uint32(len(c.next)) - 1
	for at := c.next[0]; ; at = c.next[at] {
		if !yield(int(at)) || at == last {
			return
		}
	}
}

func grow(list []uint32, n int) []uint32 {
	if cap(list) < n {
		return make([]uint32, n)
	}
	return list[:n]
}

// maxKeptParts is the maximum capacity of a chain between counts, in parts.
const maxKeptParts = 1 << 14

// release frees the memory of a very long piece.
func (c *chain) release() {
	if cap(c.next) > maxKeptParts {
		*c = chain{}
	}
}
