package pass

import (
	"tamp/core/msg"
	"tamp/core/provenance"
)

// A region is the messages or blocks that one summary replaces. They are consecutive, none is pinned, and a region has
// both halves of each of its pairs, so that each region can be replaced independently of the others.

// Region is a run of messages, or of blocks in a run of messages.
type Region struct {
	Span   msg.Span
	Blocks []msg.Ref // with granularity block: the results and injected texts; nil if whole messages are replaced
	Tokens int
}

// SpanRegions returns the maximal runs of whole messages from start to end that may be replaced, oldest first. keep
// reports the messages that must stay: prompts, summaries, instructions, critical messages.
//
// Invariant: a pair with one half in a region has the other in the same region, as has code its calls, and no region
// begins between a call and its result. A message that would violate it is excluded, which may exclude further
// messages; see giveBack.
func SpanRegions(in *Input, start, end int, keep func(int) bool) []Region {
	c := in.Conversation
	free := make([]bool, end-start) // of message start and those after it
	for i := range free {
		free[i] = !keep(start + i)
	}
	inside := in.insidePairs()
	giveBack(free, func(i int, visit func(partner int)) {
		for b := range c.Messages[start+i].Blocks {
			in.Pairing.Linked(msg.Ref{Message: start + i, Block: b}, func(other msg.Ref) { visit(other.Message - start) })
		}
	}, func(i int) bool { return inside[start+i] })
	var regions []Region
	for i := 0; i < len(free); i++ {
		if !free[i] {
			continue
		}
		r := Region{Span: msg.Span{Start: start + i}}
		for ; i < len(free) && free[i]; i++ {
			r.Tokens += in.Counts.Messages[start+i].Tokens
		}
		r.Span.End = start + i
		regions = append(regions, r)
	}
	return regions
}

// giveBack clears free for both messages of every pair that has a message in it, from its call to its result, that is
// not free, and for the first message of a run of free messages if it is inside a pair, until there are no such pairs
// and runs. partners visits the messages that hold the other halves of a message's pairs; one outside of free is not
// free. It is called at most twice for each message. Time: O((messages + pairs) log messages).
func giveBack(free []bool, partners func(m int, visit func(partner int)), inside func(m int) bool) {
	ends := newSpanEnds(len(free))
	var kept []int // messages that are not free and not processed yet
	give := func(m int) {
		if m >= 0 && m < len(free) && free[m] {
			free[m] = false
			kept = append(kept, m)
		}
	}
	for m := range free {
		if !free[m] {
			kept = append(kept, m)
			continue
		}
		partners(m, func(partner int) {
			if partner < 0 || partner >= len(free) {
				give(m)
			} else {
				ends.raise(min(m, partner), max(m, partner))
			}
		})
	}
	if len(free) > 0 && inside(0) {
		give(0)
	}
	for len(kept) > 0 {
		m := kept[len(kept)-1]
		kept = kept[:len(kept)-1]
		if m+1 < len(free) && inside(m+1) {
			give(m + 1)
		}
		for start := ends.covering(m); start >= 0; start = ends.covering(m) {
			give(start)
			ends.drop(start)
			partners(start, give)
		}
	}
}

// spanEnds holds for each message the last message that one of its pairs reaches, as a binary tree of maxima: node i
// has the children 2i and 2i+1, and message m is the leaf half+m. 0 means that no pair begins in the message.
type spanEnds struct {
	half int
	last []int // its index + 1
}

func newSpanEnds(messages int) spanEnds {
	half := 1
	for half < messages {
		half *= 2
	}
	return spanEnds{half, make([]int, 2*half)}
}

// raise records a pair from message m to message end.
func (s spanEnds) raise(m, end int) {
	for i := s.half + m; i > 0 && s.last[i] <= end; i /= 2 {
		s.last[i] = end + 1
	}
}

// drop removes the pairs that begin in message m.
func (s spanEnds) drop(m int) {
	i := s.half + m
	s.last[i] = 0
	for i /= 2; i > 0; i /= 2 {
		s.last[i] = max(s.last[2*i], s.last[2*i+1])
	}
}

// covering returns the first message up to m in which a pair begins that ends at m or later, -1 if no pair does.
func (s spanEnds) covering(m int) int {
	if s.last[1] <= m {
		return -1
	}
	i := 1
	for i < s.half {
		if i *= 2; s.last[i] <= m {
			i++
		}
	}
	if i -= s.half; i > m {
		return -1
	}
	return i
}

// InsidePairs returns for each message, and for the end, whether a message inserted before it would be between a call
// and its result.
func InsidePairs(c *msg.Conversation, pairs msg.Pairing) []bool {
	inside := make([]bool, len(c.Messages)+1)
	last := 0 // the last message with a result of the calls so far, or with a call of the code so far
	for m := range c.Messages {
		inside[m] = m <= last && m > 0
		for b := range c.Messages[m].Blocks {
			pairs.Linked(msg.Ref{Message: m, Block: b}, func(other msg.Ref) { last = max(last, other.Message) })
		}
	}
	return inside
}

// BlockRegions returns the maximal runs of compactable blocks before end, oldest first: tool results and injected
// texts. Each is replaced in place, so pairs stay complete.
func BlockRegions(in *Input, end int, skip func(msg.Ref) bool) []Region {
	c := in.Conversation
	var regions []Region
	var r Region
	flush := func() {
		if len(r.Blocks) > 0 {
			regions = append(regions, r)
		}
		r = Region{}
	}
	for it := c.WalkIn(msg.Span{End: end}); it.Next(); {
		ref := it.Ref
		_, tokens := in.block(ref)
		if skip(ref) || !Compactable(&c.Messages[ref.Message], ref.Block) {
			flush()
			continue
		}
		if len(r.Blocks) == 0 {
			r.Span.Start = ref.Message
		}
		r.Span.End = ref.Message + 1
		r.Blocks = append(r.Blocks, ref)
		r.Tokens += tokens
	}
	flush()
	return regions
}

// Compactable reports whether a summary may replace block b alone: a tool result or text that a program inserted.
func Compactable(m *msg.Message, b int) bool {
	block := &m.Blocks[b]
	return block.Kind == msg.KindToolResult && !block.Server || provenance.IsInjected(m, b)
}
