package apply

import (
	"slices"

	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/provenance"
)

// regionGroups is a conversation in which the messages of each request form one span.
type regionGroups struct {
	c     *msg.Conversation
	turns []int // of the messages of c, before they were reordered
	spans []msg.Span
	ids   []string // of the requests, one per span
}

// groupByRegion reorders the messages so that those of each region are consecutive; messages between the spans of a
// region, which stay, are moved before it. Blocks that are summarized in place become messages of their own. Every
// block occurs once. The parts of a summary to merge are the lines of a summary.
func groupByRegion(c *msg.Conversation, pl *plan.Plan, turns []int) regionGroups {
	regions := make([]*plan.Region, len(pl.Regions))
	for i := range pl.Regions {
		regions[i] = &pl.Regions[i]
	}
	order.Stable(regions, func(a, b *plan.Region) int {
		if a.Spans[0].Start != b.Spans[0].Start || len(a.Blocks) == 0 || len(b.Blocks) == 0 {
			return a.Spans[0].Start - b.Spans[0].Start
		}
		return a.Blocks[0].Block - b.Blocks[0].Block // two regions in one message
	})
	var g regionGroups
	messages := make([]msg.Message, 0, len(c.Messages)+len(regions))
	g.turns = make([]int, 0, cap(messages))
	next := msg.Ref{} // the first block that is not appended yet
	keep := func(end msg.Ref) {
		for next.Message < end.Message || next.Message == end.Message && next.Block < end.Block {
			m := c.Messages[next.Message]
			to := len(m.Blocks)
			if next.Message == end.Message {
				to = end.Block
			}
			if next.Block > 0 || to < len(m.Blocks) {
				m = m.WithBlocks(m.Blocks[next.Block:to:to])
			}
			messages = append(messages, m)
			g.turns = append(g.turns, turns[next.Message])
			if next = (msg.Ref{Message: next.Message, Block: to}); to == len(c.Messages[next.Message].Blocks) {
				next = msg.Ref{Message: next.Message + 1}
			}
		}
	}
	for _, r := range regions {
		var inside []msg.Message
		switch {
		case r.Blocks != nil:
			for _, ref := range r.Blocks {
				keep(ref)
				m := &c.Messages[ref.Message]
				single := m.WithBlocks(m.Blocks[ref.Block : ref.Block+1 : ref.Block+1])
				if r.Level == 2 {
					single = m.WithBlocks(slices.Clone(single.Blocks))
					single.Blocks[0].Summary = true
				}
				single.Meta = m.Meta || provenance.IsInjected(m, ref.Block) // which the block before it may tell
				inside = append(inside, single)
				if next = (msg.Ref{Message: ref.Message, Block: ref.Block + 1}); next.Block == len(m.Blocks) {
					next = msg.Ref{Message: ref.Message + 1}
				}
			}
		default:
			for _, s := range r.Spans {
				keep(msg.Ref{Message: s.Start})
				inside = append(inside, c.Messages[s.Start:s.End]...)
				next = msg.Ref{Message: s.End}
			}
		}
		g.divide(r, len(messages), inside)
		messages = append(messages, inside...)
		switch {
		case r.Blocks != nil:
			for _, ref := range r.Blocks {
				g.turns = append(g.turns, turns[ref.Message])
			}
		default:
			for _, s := range r.Spans {
				g.turns = append(g.turns, turns[s.Start:s.End]...)
			}
		}
	}
	keep(msg.Ref{Message: len(c.Messages)})
	g.c = c.WithMessages(messages)
	return g
}

// divide assigns the messages of a region to its requests, in order, with about the same length each.
func (g *regionGroups) divide(r *plan.Region, start int, inside []msg.Message) {
	total, n := 0, len(r.Requests)
	sizes := make([]int, len(inside))
	for i := range inside {
		for b := range inside[i].Blocks {
			sizes[i] += len(inside[i].Blocks[b].Text) + 1
		}
		total += sizes[i]
	}
	sum, at := 0, 0
	for k, id := range r.Requests {
		s := msg.Span{Start: start + at}
		for at < len(inside) && (k == n-1 || int64(sum)*int64(n) < int64(total)*int64(k+1)) {
			sum += sizes[at]
			at++
		}
		s.End = start + at
		g.ids, g.spans = append(g.ids, id), append(g.spans, s)
	}
}
