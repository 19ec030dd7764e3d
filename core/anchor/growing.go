package anchor

import (
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Growing is Rank with Move for a conversation that grows at its end, for an account of its requests: Rank of the whole costs what is
// new, however long the conversation is. Tools and system prompt stay as they are. It is not safe for concurrent use.
type Growing struct{ r *ranker }

// Mark is a breakpoint that Rank would leave in the request.
type Mark struct {
	// Where: a block of a message; a tool or a block of the system prompt, with Message -1; or the automatic breakpoint.
	Tool, System, Automatic bool
	Ref                     msg.Ref
	Seconds                 int // that its entry lives
}

// NewGrowing begins with a conversation without messages. Options.Counts and IdleSec are not looked at. The errors are Rank's.
func NewGrowing(c *msg.Conversation, o Options) (*Growing, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o.Counts, o.IdleSec, o.Move = nil, 0, true
	return &Growing{newRanker(c.WithMessages(nil), o)}, nil
}

// Rank returns the breakpoints of c, which begins as the conversation of the call before does up to message from: those after it are
// looked at. counts are those of c.
func (g *Growing) Rank(c *msg.Conversation, counts *tokens.Counts, from, idleSec int) []Mark {
	if unanchored(c.Format) != "" {
		return nil
	}
	r := g.r
	r.c, r.counts, r.o.IdleSec = c, *counts, idleSec
	r.extend(min(from, len(r.known)))
	var marks []Mark
	for _, w := range r.rows() {
		if w.anchor.Chosen {
			marks = append(marks, Mark{w.part == inTools, w.part == inSystem, w.part == atTheEnd, w.ref, lifetimeOf(w.anchor.TTL).seconds})
		}
	}
	return marks
}
