package bpe

// How a piece that is no token itself becomes tokens: it begins as its single bytes, and of all neighbors whose bytes
// together are a token, the pair of the lowest rank merges, the leftmost of equals, until none is left.

// merger holds what merging needs between calls, so that it allocates once.
type merger struct {
	*table
	parts []part // what the last merge made; none where it went to long
	long  chain
	known cache
	work  int // steps done, for the tests that bound them
}

// part is one token in the making: where it starts in the piece, and the rank of its bytes together with the next part's.
// The last part is empty: the end of the piece.
type part struct{ start, rank uint32 }

// maxShort is the length in bytes up to which looking at every part for the lowest rank beats keeping a heap.
const maxShort = 96

// count counts the tokens of a piece that is no token.
func (m *merger) count(s string, start, end int) int {
	if end-start <= cacheable {
		return m.remembered(s, start, end)
	}
	n := 0
	for start < end {
		cut := m.cuts.next(s, start, end)
		if cut-start <= cacheable {
			n += m.remembered(s, start, cut)
		} else {
			n += m.merge(s, start, cut)
		}
		start = cut
	}
	return n
}

// remembered merges at most cacheable bytes that it has not met lately.
func (m *merger) remembered(s string, start, end int) int {
	entry, piece := m.known.find(s, start, end)
	if entry.piece != piece {
		*entry = cached{piece, m.merge(s, start, end)}
	}
	return entry.tokens
}

// merge merges all of s[start:end], two bytes or more, and returns the number of tokens; ends knows them.
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

// join returns the rank of the part at and the one after it together.
func (m *merger) join(s string, parts []part, at int) uint32 {
	if at+2 >= len(parts) {
		return none
	}
	m.work++
	return m.rank(s, int(parts[at].start), int(parts[at+2].start))
}

// ends yields where each token ends that the last merge made, in bytes from the start of the piece.
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
