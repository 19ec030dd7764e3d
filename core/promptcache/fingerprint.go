package promptcache

import (
	"strings"

	"tamp/core/msg"
)

// Fingerprint describes a request for the comparison of cache prefixes: digests of its tools, of each line of its
// system prompt and of each message, and the positions of its breakpoints. It contains no text of the conversation. The
// zero value means an unknown request.
type Fingerprint struct {
	set         bool // a request was recorded
	automatic   bool // the provider caches without breakpoints
	inline      bool // the system prompt is part of the messages, at their start
	hour        bool // a breakpoint has a lifetime of an hour
	model       uint64
	minTokens   int   // the model's minimum, in tokens
	breakpoints []int // positions of the breakpoints, in order; tools and system have 0
	tools       digests
	lines       digests
	messages    digests
	timestamps  []bool // lines that hold a timestamp; not stored
}

// FingerprintOf returns the fingerprint of a request, in one pass over its text.
func FingerprintOf(c *msg.Conversation) Fingerprint {
	f := Fingerprint{set: true, automatic: caches(c.Format), model: newDigester().text(c.Model).sum(),
		minTokens: Minimum(c.Model)}
	positions := positions(c)
	mark := func(cache *msg.Cache, position int) {
		if cache == nil {
			return
		}
		f.breakpoints = append(f.breakpoints, position)
		f.hour = f.hour || ttlOf(cache) == OneHour
	}
	items := make([]uint64, 0, len(c.Messages))
	for i := range c.Tools {
		if c.Tools[i].IsDeferred() {
			continue // it is not in the prompt
		}
		items = append(items, newDigester().text(c.Tools[i].Name).object(c.Tools[i].Raw).sum())
		mark(c.Tools[i].Cache, 0)
	}
	f.tools = newDigests(items)

	items = items[:0]
	prompt := func(b *msg.Block) {
		for _, line := range strings.Split(b.Text, "\n") {
			items = append(items, newDigester().text(line).sum())
			f.timestamps = append(f.timestamps, hasTimestamp(line))
		}
	}
	for i := range c.System {
		prompt(&c.System[i])
		mark(c.System[i].Cache, 0)
	}
	for m := range c.Messages {
		if c.Messages[m].Role != msg.System && c.Messages[m].Role != msg.Developer || c.Format == msg.Anthropic {
			break
		}
		f.inline = true
		for b := range c.Messages[m].Blocks {
			prompt(&c.Messages[m].Blocks[b])
		}
	}
	f.lines = newDigests(items)

	items, last := items[:0], 0
	for m := range c.Messages {
		h := newDigester().text(string(c.Messages[m].Role))
		for b := range c.Messages[m].Blocks {
			block := &c.Messages[m].Blocks[b]
			h, last = h.block(block), positions[m][b]
			for i := range block.Parts {
				mark(block.Parts[i].Cache, last)
			}
			mark(block.Cache, last)
		}
		items = append(items, h.sum())
	}
	f.messages = newDigests(items)
	mark(c.Cache, last)
	f.breakpoints = f.breakpoints[:min(len(f.breakpoints), 2*Limit)] // a request with more than Limit is invalid
	return f
}

// caches reports whether the provider of a format caches prefixes without breakpoints.
func caches(format string) bool { return msg.API(format) != msg.Anthropic }

// cached reports a request that writes to the cache: it has breakpoints, or the provider caches automatically.
func (f Fingerprint) cached() bool { return f.automatic || len(f.breakpoints) > 0 }

func (f Fingerprint) lifetime() lifetime {
	if f.hour {
		return lifetimeOf(OneHour)
	}
	return lifetimeOf(FiveMinutes)
}

// cause is the reason why a request cannot read the entry of the previous one.
type cause uint8

const (
	noCause cause = iota
	modelChanged
	toolsChanged
	systemChanged
	prefixChanged
	breakpointsMoved
	lastCause
)

// change is the first difference between two requests, in the order of the request.
type change struct {
	cause
	at        span // of tools, lines (from 0) or messages
	timestamp bool // the line holds a timestamp
	gap       int  // positions between the old and the new breakpoints; 0 if the request has none
}

// changeSince returns the first change from the previous request to f.
func (f Fingerprint) changeSince(before Fingerprint) change {
	switch {
	case !before.set || !f.set:
		return change{}
	case before.model != f.model:
		return change{cause: modelChanged}
	}
	if at, ok := before.tools.firstDifference(f.tools, false); ok {
		return change{cause: toolsChanged, at: at}
	}
	if at, ok := before.lines.firstDifference(f.lines, false); ok {
		c := change{cause: systemChanged, at: at}
		for i := at.from; i < min(at.to, len(f.timestamps)); i++ {
			c.timestamp = c.timestamp || f.timestamps[i]
		}
		return c
	}
	if at, ok := before.messages.firstDifference(f.messages, true); ok {
		return change{cause: prefixChanged, at: at}
	}
	if gap, ok := before.reach(f); !ok {
		return change{cause: breakpointsMoved, gap: gap}
	}
	return change{}
}

// unchangedMessages returns how many messages at the start of f are known to be those of the earlier request, with the
// same model, tools and system prompt before them.
func (f Fingerprint) unchangedMessages(before Fingerprint) int {
	switch c := f.changeSince(before); c.cause {
	case noCause, breakpointsMoved:
		return before.messages.n
	case prefixChanged:
		return c.at.from
	}
	return 0
}

// reach reports whether a read from a breakpoint of the later request finds an entry that f wrote; if not, gap is the
// shortest distance between a breakpoint of each, in positions.
func (f Fingerprint) reach(later Fingerprint) (gap int, ok bool) {
	if later.automatic || len(f.breakpoints) == 0 {
		return 0, true
	}
	for _, p := range later.breakpoints {
		for _, q := range f.breakpoints {
			switch {
			case q <= p && p-q < Lookback:
				return 0, true
			case gap == 0 || max(p-q, q-p) < gap:
				gap = max(p-q, q-p)
			}
		}
	}
	return gap, false
}
