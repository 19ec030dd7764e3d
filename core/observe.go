package core

import (
	"tamp/core/anchor"
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// Metrics are the numbers to plot: ratios in permille, everything else in tokens or as a count.
type Metrics = anchor.Metrics

// Observed is what Observe found.
type Observed struct {
	State    State     `json:"state"`
	Warnings []Warning `json:"warnings"` // three misses of the prompt cache in a row, with their cause
	Metrics  Metrics   `json:"metrics"`
}

// Observe takes the usage of a response, after each model call. Three requests in a row that read nothing from the prompt
// cache although they should have make a warning with its cause: Apply and Anchors noted in the State what the request
// looked like. Usage without a single prompt token is no response and changes nothing.
//
// A State that Tamp did not write starts a new one, since a response that is lost for the metrics stops nobody's work;
// ObserveAll says so instead.
func Observe(st State, u Usage) (State, []Warning) {
	seen, err := ObserveAll(st, u, 0)
	if err != nil {
		seen, _ = ObserveAll("", u, 0)
	}
	return seen.State, seen.Warnings
}

// ObserveAll is Observe with the metrics. idleSec is the time since the call before, where it was not known to Apply.
// The error is bad_request, for a State that Tamp did not write.
func ObserveAll(st State, u Usage, idleSec int) (Observed, error) {
	m, err := decodeState(st)
	if err != nil {
		return Observed{}, err
	}
	health, warnings, metrics := anchor.Observe(m.health, u, anchor.Fingerprint{}, idleSec)
	m.health = health
	return Observed{State: m.encode(), Warnings: append([]Warning{}, warnings...), Metrics: metrics}, nil
}

// AnchorOptions are what the caller may choose of the breakpoints.
type AnchorOptions struct {
	Max  int    // breakpoints, together with those that the request has; 0 means 4, the provider's limit
	TTL  string // "5m" or "1h" for new ones; "" means five minutes
	Move bool   // those on messages come from an earlier call, and go where they are worth more
}

// Anchored is a request with its breakpoints, and why each stands where it does.
type Anchored struct {
	anchor.Ranking
	State State `json:"state"` // notes the request for Observe
}

// Anchors sets cache_control where it is worth most. It is the last step before a request is sent: after Apply, on what
// Apply returned. c itself is not changed.
//
// A tool result counts as stable where no rule of the policy's layers 0 and 1 would ever change it, now or once it is old.
func Anchors(c *msg.Conversation, st State, p Policy, env Env, o AnchorOptions) (*Anchored, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	m, err := decodeState(st)
	if err != nil {
		return nil, err
	}
	in := newInput(c, env, m)
	var changes changing
	changes.add(&p, in)
	ranking, err := anchor.Rank(c, anchor.Options{Max: o.Max, TTL: o.TTL, Move: o.Move, IdleSec: env.IdleSec, Count: env.Count,
		Counts: &in.Counts, Stable: func(r msg.Ref) bool { return !changes.blocks[r] }})
	if err != nil {
		return nil, err
	}
	m.health = m.health.Sent(anchor.FingerprintOf(ranking.Conversation), env.IdleSec)
	return &Anchored{ranking, m.encode()}, nil
}

// changing are the blocks of a conversation that layers 0 and 1 change now or will change once nothing newer protects them. It may
// grow at its end: what is decided about a block stays, but for the calls of an open round, whose inputs may go later.
type changing struct {
	blocks map[msg.Ref]bool
	next   int // the first message that is not decided
}

// add looks at the messages of in that are new, and returns the first message that it looked at.
func (ch *changing) add(p *Policy, in *pass.Input) (from int) {
	if ch.blocks == nil {
		ch.blocks = map[msg.Ref]bool{}
	}
	mark := func(decisions []pass.Decision) {
		for i := range decisions {
			if decisions[i].Edit != nil {
				ch.blocks[decisions[i].Ref] = true
			}
		}
	}
	from = ch.next
	mark(p.Clear.Ever(in, from))
	mark(p.Intake.RunFrom(in, from, func(string) string { return Ref(nil) })) // the ref's length counts, not what it names
	for m := from; m < len(in.Conversation.Messages); m++ {
		for b := range in.Conversation.Messages[m].Blocks {
			if p.Thinking.KeepTurns > 0 && in.Conversation.Messages[m].Blocks[b].Kind == msg.KindThinking {
				ch.blocks[msg.Ref{Message: m, Block: b}] = true
			}
		}
	}
	ch.next = msg.OpenRound(in.Conversation) // results before it answer calls before it, whose fate is known
	return from
}
