package promptcache

import (
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Incremental is Rank with Move for a conversation that grows at its end. A call costs time linear in the new messages,
// not in the conversation. Tools and system prompt must not change. It is not safe for concurrent use.
type Incremental struct{ r *ranker }

// Breakpoint is a breakpoint of the request that Rank returns.
type Breakpoint struct {
	// The place: a block of a message; or a tool or a block of the system prompt, with Message -1; or the automatic
	// breakpoint.
	Tool, System, Automatic bool
	Ref                     msg.Ref
	Seconds                 int // lifetime of its entry
}

// NewIncremental starts with the tools and the system prompt of c, without its messages. Options.Counts, IdleSec and
// Move are ignored. The errors are those of Rank.
func NewIncremental(c *msg.Conversation, o Options) (*Incremental, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o.Counts, o.IdleSec, o.Move = nil, 0, true
	return &Incremental{newRanker(c.WithMessages(nil), o)}, nil
}

// Rank returns the breakpoints of c, whose messages before index from are those of the previous call; the messages from
// there on are read. counts are those of c. entry is the last breakpoint of the previous request on a message whose
// prefix is unchanged, with Message -1 if there is none; nil means the messages before the newest answer, unchanged.
func (g *Incremental) Rank(c *msg.Conversation, counts *tokens.Counts, from, idleSec int, entry *msg.Ref) []Breakpoint {
	if noBreakpointsNote(c.Format) != "" {
		return nil
	}
	r := g.r
	r.c, r.counts, r.o.IdleSec, r.entry = c, *counts, idleSec, entry
	r.extend(min(from, len(r.blockTotals)))
	var breakpoints []Breakpoint
	for _, w := range r.rows() {
		if w.anchor.Chosen {
			breakpoints = append(breakpoints, Breakpoint{w.part == inTools, w.part == inSystem, w.part == atTheEnd, w.ref,
				lifetimeOf(w.anchor.TTL).seconds})
		}
	}
	return breakpoints
}
