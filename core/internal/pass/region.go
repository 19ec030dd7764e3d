package pass

import "tamp/core/msg"

// A region is what one summary replaces. Its messages or blocks lie in one run; nothing pinned is among them, and both
// halves of every pair that it touches lie inside, so that it can be replaced, or left, without a look at others.

// Region is a run of messages, or of blocks in a run of messages.
type Region struct {
	Span   msg.Span
	Blocks []msg.Ref // with granularity block: the results and injected texts; nil where whole messages go
	Tokens int
}

// SpanRegions returns the maximal runs of whole messages before end that may go, oldest first. keep says which
// messages stay whatever happens: prompts, summaries, instructions, what is critical.
//
// Invariant: a pair with one half in a region has the other in the same region, and no region begins between a call
// and its result. A message that would break it is given back, which may break another pair; so giving back is
// repeated until nothing changes.
func SpanRegions(in *Input, end int, keep func(int) bool) []Region {
	c := in.Conversation
	free := make([]bool, len(c.Messages))
	for m := range end {
		free[m] = !keep(m)
	}
	run := make([]int, len(c.Messages)) // which run of free messages a message is in
	inside := InsidePairs(c, in.Pairing)
	for changed := true; changed; {
		changed = false
		for m := range end { // what takes a run's place comes where the run begins
			if free[m] && inside[m] && (m == 0 || !free[m-1]) {
				free[m] = false
			}
		}
		number := 0
		for m := range c.Messages {
			if m > 0 && free[m] != free[m-1] || !free[m] {
				number++
			}
			run[m] = number
		}
		for m := range end {
			if free[m] && !closed(in, m, free, run) {
				free[m], changed = false, true
			}
		}
	}
	var regions []Region
	for m := 0; m < end; m++ {
		if !free[m] {
			continue
		}
		r := Region{Span: msg.Span{Start: m}}
		for ; m < end && free[m]; m++ {
			r.Tokens += in.Counts.Messages[m].Tokens
		}
		r.Span.End = m
		regions = append(regions, r)
	}
	return regions
}

// InsidePairs says for each message, and for the end, whether a message that is put before it would come between a
// call and its result.
func InsidePairs(c *msg.Conversation, pairs msg.Pairing) []bool {
	inside := make([]bool, len(c.Messages)+1)
	last := 0 // where the results of the calls so far end
	for m := range c.Messages {
		inside[m] = m <= last && m > 0
		for b := range c.Messages[m].Blocks {
			if result, ok := pairs.Result(msg.Ref{Message: m, Block: b}); ok {
				last = max(last, result.Message)
			}
		}
	}
	return inside
}

// closed reports whether every pair of message m lies in m's run.
func closed(in *Input, m int, free []bool, run []int) bool {
	for b := range in.Conversation.Messages[m].Blocks {
		ref := msg.Ref{Message: m, Block: b}
		other, ok := in.Pairing.Call(ref)
		if !ok {
			other, ok = in.Pairing.Result(ref)
		}
		if ok && (!free[other.Message] || run[other.Message] != run[m]) {
			return false
		}
	}
	return true
}

// BlockRegions returns the maximal runs of compactable blocks before end, oldest first: tool results and injected texts.
// Each is replaced in place, so that calls keep their results and no pair is parted.
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
	for m := range end {
		for b := range c.Messages[m].Blocks {
			ref := msg.Ref{Message: m, Block: b}
			block, tokens := in.block(ref)
			if !Compactable(block) || skip(ref) {
				flush()
				continue
			}
			if len(r.Blocks) == 0 {
				r.Span.Start = m
			}
			r.Span.End = m + 1
			r.Blocks = append(r.Blocks, ref)
			r.Tokens += tokens
		}
	}
	flush()
	return regions
}

// Compactable reports a block that a summary may stand for by itself: a tool result or injected text.
func Compactable(b *msg.Block) bool {
	return b.Kind == msg.KindToolResult && !b.Server || b.IsInjected()
}
