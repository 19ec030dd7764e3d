package anchor

import (
	"strings"

	"tamp/core/msg"
)

// Fingerprint is what a request looked like, as far as the prompt cache cares: digests of its tools, of each line of its
// system prompt and of each message, and where its breakpoints were. It holds no text of the conversation.
// The zero value is the fingerprint of a request that nobody saw.
type Fingerprint struct {
	known     bool
	automatic bool // the provider caches without being asked
	inline    bool // the system prompt is the first messages
	hour      bool // some breakpoint lives for an hour
	model     uint64
	least     int   // the model's minimum
	marks     []int // positions of the breakpoints, in order; 0 stands for tools and system
	tools     digests
	lines     digests
	messages  digests
	clocks    []bool // lines that hold a timestamp; not stored
}

// FingerprintOf takes the fingerprint of a request that is about to be sent, in one walk over its text.
func FingerprintOf(c *msg.Conversation) Fingerprint {
	f := Fingerprint{known: true, automatic: c.Format == msg.OpenAIChat, model: uint64(newHash().text(c.Model)), least: Minimum(c.Model)}
	positions := positions(c)
	mark := func(cache *msg.Cache, position int) {
		if cache == nil {
			return
		}
		f.marks = append(f.marks, position)
		f.hour = f.hour || ttlOf(cache) == OneHour
	}
	items := make([]uint64, 0, len(c.Messages))
	for i := range c.Tools {
		items = append(items, uint64(newHash().text(c.Tools[i].Name).object(c.Tools[i].Raw)))
		mark(c.Tools[i].Cache, 0)
	}
	f.tools = newDigests(items)

	items = items[:0]
	prompt := func(b *msg.Block) {
		for line := range strings.SplitSeq(b.Text, "\n") {
			items = append(items, uint64(newHash().text(line)))
			f.clocks = append(f.clocks, hasTimestamp(line))
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
		h := newHash().text(string(c.Messages[m].Role))
		for b := range c.Messages[m].Blocks {
			block := &c.Messages[m].Blocks[b]
			h, last = h.block(block), positions[m][b]
			for i := range block.Parts {
				mark(block.Parts[i].Cache, last)
			}
			mark(block.Cache, last)
		}
		items = append(items, uint64(h))
	}
	f.messages = newDigests(items)
	mark(c.Cache, last)
	f.marks = f.marks[:min(len(f.marks), 2*Limit)] // more are refused anyway
	return f
}

// cached reports that the request asked for the cache, or did not have to.
func (f Fingerprint) cached() bool { return f.automatic || len(f.marks) > 0 }

func (f Fingerprint) lifetime() lifetime {
	if f.hour {
		return lifetimeOf(OneHour)
	}
	return lifetimeOf(FiveMinutes)
}

// cause is why a request could not read what the one before it wrote.
type cause uint8

const (
	noCause cause = iota
	modelChanged
	toolsChanged
	systemChanged
	prefixChanged
	anchorMoved
	lastCause
)

// change is the first difference between two requests, in the order of the request.
type change struct {
	cause
	at    span // of tools, lines (from 0) or messages
	clock bool // the line holds a timestamp
	gap   int  // positions from the old anchors to the new ones; 0 where the request has none
}

// since finds what changed from the request before to f.
func (f Fingerprint) since(before Fingerprint) change {
	switch {
	case !before.known || !f.known:
		return change{}
	case before.model != f.model:
		return change{cause: modelChanged}
	}
	if at, ok := before.tools.differs(f.tools, false); ok {
		return change{cause: toolsChanged, at: at}
	}
	if at, ok := before.lines.differs(f.lines, false); ok {
		c := change{cause: systemChanged, at: at}
		for i := at.from; i < min(at.to, len(f.clocks)); i++ {
			c.clock = c.clock || f.clocks[i]
		}
		return c
	}
	if at, ok := before.messages.differs(f.messages, true); ok {
		return change{cause: prefixChanged, at: at}
	}
	if gap, ok := before.reach(f); !ok {
		return change{cause: anchorMoved, gap: gap}
	}
	return change{}
}

// reach reports whether a read from some breakpoint of the later request finds an entry that f wrote, and the
// shortest way from the one to the other where none does.
func (f Fingerprint) reach(later Fingerprint) (gap int, ok bool) {
	if later.automatic || len(f.marks) == 0 {
		return 0, true
	}
	for _, p := range later.marks {
		for _, q := range f.marks {
			switch {
			case q <= p && p-q <= Lookback:
				return 0, true
			case gap == 0 || max(p-q, q-p) < gap:
				gap = max(p-q, q-p)
			}
		}
	}
	return gap, false
}
