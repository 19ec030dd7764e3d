package forward

import (
	"cmp"
	"slices"

	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/promptcache"
)

// The breakpoints of the prompt cache. Those that the client has set on messages which were compacted move to the
// nearest earlier block that can hold one. If the client sets any and one of the four is free, the boundary gets it:
// up to there the history stays the same for long. A second one that is free is for the boundary before the last
// compaction. At the call of the compaction that one comes first: the prompt is cached up to there, and the provider
// finds that only within 20 blocks of a breakpoint. System prompt and tools are never changed.

// breakpoint is a breakpoint at a block of a message.
type breakpoint struct {
	at    msg.Ref
	cache *msg.Cache
}

// placed sets the breakpoints on the messages of the prefix.
func (w *walk) placed(prefix []msg.Message) []msg.Message {
	inPrefix, after := breakpoints(w.b.c.Messages, w.Messages)
	others := len(after) + w.outside()
	var all []breakpoint
	add := func(at msg.Ref, cache *msg.Cache) {
		// Two may move to one block. The earlier one stays: its lifetime is not the shorter one.
		if !slices.ContainsFunc(all, func(b breakpoint) bool { return b.at == at }) {
			all = append(all, breakpoint{at, cache})
			order.Stable(all, func(a, b breakpoint) int {
				return cmp.Or(cmp.Compare(a.at.Message, b.at.Message), cmp.Compare(a.at.Block, b.at.Block))
			}) // ttlAt reads them in order
		}
	}
	for _, b := range inPrefix {
		if at, ok := w.moved(prefix, b.at); ok {
			add(at, b.cache)
		}
	}
	ours := [...]int{w.Boundary, w.Kept}
	if w.Messages == len(w.b.c.Messages) { // compacted at this call, which reads what the one before it has cached
		ours = [...]int{w.Kept, w.Boundary}
	}
	for _, m := range ours {
		if n := len(all) + others; n == 0 || n >= promptcache.Limit || m < 0 || w.b.c.Format != msg.Anthropic {
			continue
		}
		if at, ok := holder(prefix, m, len(prefix[m].Blocks)-1); ok {
			add(at, ttlAt(at, all, after, w.b.c.Cache))
		}
	}
	for _, b := range all {
		m := &prefix[b.at.Message]
		blocks := slices.Clone(m.Blocks)
		blocks[b.at.Block] = blocks[b.at.Block].WithCache(b.cache)
		*m = m.WithBlocks(blocks)
	}
	return prefix
}

// breakpoints lists those on messages: before message end, and from it on. A breakpoint inside a tool result counts as
// one at its end.
func breakpoints(messages []msg.Message, end int) (before, after []breakpoint) {
	for m := range messages {
		for b := range messages[m].Blocks {
			block := &messages[m].Blocks[b]
			cache := block.Cache
			for p := range block.Parts {
				if cache == nil {
					cache = block.Parts[p].Cache
				}
			}
			switch found := (breakpoint{msg.Ref{Message: m, Block: b}, cache}); {
			case cache == nil:
			case m < end:
				before = append(before, found)
			default:
				after = append(after, found)
			}
		}
	}
	return before, after
}

// outside is the number of breakpoints that are not on messages.
func (w *walk) outside() int {
	n := 0
	for _, blocks := range [][]msg.Block{w.b.c.System, w.b.c.Tools} {
		for i := range blocks {
			if blocks[i].Cache != nil {
				n++
			}
		}
	}
	if w.b.c.Cache != nil {
		n++
	}
	return n
}

// moved returns the block of the prefix for a breakpoint of the original history.
func (w *walk) moved(prefix []msg.Message, from msg.Ref) (msg.Ref, bool) {
	m := -1
	for i := range prefix {
		if w.Origins[i] >= 0 && w.Origins[i] <= from.Message {
			m = i
		}
	}
	if m < 0 {
		return msg.Ref{}, false
	}
	block := len(prefix[m].Blocks) - 1
	if w.Origins[m] == from.Message {
		block = min(block, from.Block)
	}
	return holder(prefix, m, block)
}

// holder returns the last block at or before the given one that can hold a breakpoint.
func holder(messages []msg.Message, m, block int) (msg.Ref, bool) {
	for ; m >= 0; m-- {
		for b := block; b >= 0; b-- {
			if promptcache.CanHoldBreakpoint(&messages[m].Blocks[b]) {
				return msg.Ref{Message: m, Block: b}, true
			}
		}
		if m > 0 {
			block = len(messages[m-1].Blocks) - 1
		}
	}
	return msg.Ref{}, false
}

// ttlAt returns the lifetime for a new breakpoint that keeps the order of lifetimes: that of the next breakpoint, else
// that of the one before.
func ttlAt(at msg.Ref, prefix, after []breakpoint, automatic *msg.Cache) *msg.Cache {
	var before *msg.Cache
	for _, b := range prefix {
		if b.at.Message > at.Message || b.at.Message == at.Message && b.at.Block >= at.Block {
			return b.cache
		}
		before = b.cache
	}
	switch {
	case len(after) > 0:
		return after[0].cache
	case automatic != nil:
		return automatic
	case before != nil:
		return before
	}
	return &msg.Cache{Type: "ephemeral"}
}
