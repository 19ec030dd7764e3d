package bpe

// A piece that is not a token itself is merged from its single bytes: of all adjacent pairs whose bytes together are a
// token, the pair of the lowest rank merges, the leftmost of equal ones, until no pair is left.

// merger has the memory of merging, which is reused between calls.
type merger struct {
	*table
	parts []part // result of the last merge; empty if it is in long
	long  chain
	cache cache
	work  int // number of steps, for the tests that bound it
}

// part is a byte or a merged token: its offset in the piece, and the rank of its bytes together with the next part's.
// The last part is empty, at the end of the piece.
type part struct{ start, rank uint32 }

// maxShort is the length in bytes up to which a linear search for the lowest rank is faster than a heap.
const maxShort = 96

// count counts the tokens of a piece that is not a token.
func (m *merger) count(s string, start, end int) int {
	if end-start <= cacheable {
		return m.mergeCached(s, start, end)
	}
	n := 0
	for start < end {
		cut := m.cuts.next(s, start, end)
		if cut-start <= cacheable {
			n += m.mergeCached(s, start, cut)
		} else {
			n += m.merge(s, start, cut)
		}
		start = cut
	}
	return n
}

// mergeCached is merge with a cache, for at most cacheable bytes.
func (m *merger) mergeCached(s string, start, end int) int {
	entry, piece := m.cache.findPiece(s, start, end)
	if entry.piece != piece {
		*entry = cached{piece, m.merge(s, start, end)}
	}
	return entry.tokens
}

// merge merges s[start:end], two bytes or more, and returns the number of tokens; ends yields them.
func (m *merger) merge(s string, start, end int) int {
	if end-start > maxShort {
		return m.mergeLong(s, start, end)
	}
	parts := m.parts[:0]
	s = s[start:]
	for i := range end - start - 1 {
		parts = append(parts, part{uint32(i), m.pairs[pair(s, i)] - 1})
	}
	parts = append(parts, part{uint32(end - start - 1), none}, part{uint32(end - start), none})
	for {
		low, at := uint32(none), 0
		for i := range parts {
			if parts[i].rank < low {
				low, at = parts[i].rank, i
			}
		}
		m.work += len(parts)
		if low == none {
			break
		}
		copy(parts[at+1:], parts[at+2:])
		parts = parts[:len(parts)-1]
		parts[at].rank = m.join(s, parts, at)
		if at > 0 {
			parts[at-1].rank = m.join(s, parts, at-1)
		}
	}
	m.parts = parts
	return len(parts) - 1
}

// join returns the rank of the part at and the next one together.
func (m *merger) join(s string, parts []part, at int) uint32 {
	if at+2 >= len(parts) {
		return none
	}
	m.work++
	return m.rank(s, int(parts[at].start), int(parts[at+2].start))
}

// ends yields the end of each token of the last merge, in bytes from the start of the piece.
func (m *merger) ends(yield func(end int) bool) {
	if len(m.parts) == 0 {
		m.long.ends(yield)
		return
	}
	for _, p := range m.parts[1:] {
		if !yield(int(p.start)) {
			return
		}
	}
}
