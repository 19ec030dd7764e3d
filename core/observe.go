package core

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
)

// Metrics are the numbers to plot: ratios in permille, all others in tokens or as a count.
type Metrics = promptcache.Metrics

// Observed is the result of ObserveAll.
type Observed struct {
	State    State     `json:"state"`
	Warnings []Warning `json:"warnings"` // three misses of the prompt cache in a row, with their cause
	Metrics  Metrics   `json:"metrics"`
}

// Observe records the usage of a response; call it after each model call. Three requests in a row that should have read
// from the prompt cache and did not cause a warning with the reason, which is found by comparing the requests that
// Apply and Anchors recorded in the State. Usage without prompt tokens is ignored.
//
// A State that Tamp did not write is replaced by a new one, since lost metrics should not stop the host; ObserveAll
// returns an error instead.
func Observe(st State, u Usage) (State, []Warning) {
	seen, err := ObserveAll(st, u, 0)
	if err != nil {
		seen, _ = ObserveAll("", u, 0)
	}
	return seen.State, seen.Warnings
}

// ObserveAll is Observe with the metrics. idleSec is the time since the previous call in seconds, if Apply did not get
// it; the larger of the two counts. The error is bad_request, for a State that Tamp did not write.
func ObserveAll(st State, u Usage, idleSec int) (Observed, error) {
	m, err := decodeState(st)
	if err != nil {
		return Observed{}, err
	}
	m.byForm = m.byForm && st != "" // a new State lists no summaries
	health, warnings, metrics := promptcache.Observe(m.health, u, promptcache.Fingerprint{}, idleSec)
	m.health = health
	return Observed{State: m.encode(), Warnings: append([]Warning{}, warnings...), Metrics: metrics}, nil
}

// AnchorOptions are the options of Anchors.
type AnchorOptions struct {
	Max  int    // breakpoints, existing ones included; 0 means 4, the provider's limit
	TTL  string // "5m" or "1h" for new ones; "" means five minutes
	Move bool   // breakpoints on messages come from an earlier call whose State is lost, and may move
}

// Anchored is a request with its breakpoints, and the reason for each.
type Anchored struct {
	promptcache.Ranking
	State State `json:"state"` // contains the fingerprint of the request for Observe
}

// Anchors sets cache_control at the places with the highest values. It is the last step before a request is sent: call
// it on the conversation that Apply returned, or on the one that Anchors returned with more messages: the breakpoints
// that it set itself may move, those of the caller stay. c itself is not changed.
//
// A tool result counts as stable if no rule of the policy's layers 0 and 1 changes it, now or when it is old. The
// errors are bad_policy and bad_request.
func Anchors(c *msg.Conversation, st State, p policy.Policy, env Env, o AnchorOptions) (*Anchored, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := c.RefusePart("rank breakpoints"); err != nil {
		return nil, err
	}
	m, err := decodeState(st)
	if err != nil {
		return nil, err
	}
	in := newInput(c, env, m)
	m.adopt(in.Conversation)
	var unstable unstableBlocks
	unstable.add(&p, in)
	ranking, err := promptcache.Rank(c, promptcache.Options{Max: o.Max, TTL: o.TTL, Move: o.Move, IdleSec: env.IdleSec,
		Count: env.Count, Counts: &in.Counts, Stable: func(r msg.Ref) bool { return !unstable.blocks[r] },
		Previous: m.health.Observed(), Own: m.marks})
	if err != nil {
		return nil, err
	}
	m.marks = ranking.Own
	m.health = m.health.Sent(promptcache.FingerprintOf(ranking.Conversation), env.IdleSec)
	return &Anchored{ranking, m.encode()}, nil
}

// unstableBlocks are the blocks of a conversation that layers 0 and 1 change now or will change when they are no longer
// recent. The conversation may grow at its end: the decision about a block is final, except for the calls of an open
// round.
type unstableBlocks struct {
	blocks map[msg.Ref]bool
	next   int // the first message without a final decision
}

// add reads the new messages of in, and returns the index of the first message that it read.
func (u *unstableBlocks) add(p *policy.Policy, in *pass.Input) (from int) {
	if u.blocks == nil {
		u.blocks = map[msg.Ref]bool{}
	}
	mark := func(decisions []pass.Decision) {
		for i := range decisions {
			if decisions[i].Edit != nil {
				u.blocks[decisions[i].Ref] = true
			}
		}
	}
	from = u.next
	mark(p.Clear.Ever(in, from))
	mark(p.Intake.RunFrom(in, from, func(string) string { return Ref(nil) })) // only the length of the ref matters
	for it := in.Conversation.WalkIn(msg.Span{Start: from, End: len(in.Conversation.Messages)}); it.Next(); {
		ref, block := it.Ref, it.Block
		if p.Thinking.KeepTurns > 0 && block.Kind == msg.KindThinking {
			u.blocks[ref] = true
		}
	}
	u.next = msg.OpenRound(in.Conversation) // results before it belong to calls with a final decision
	return from
}

// truncate drops the decisions about the messages from an index on, which were replaced.
func (u *unstableBlocks) truncate(message int) {
	u.next = min(u.next, message)
	for ref := range u.blocks {
		if ref.Message >= u.next {
			delete(u.blocks, ref)
		}
	}
}
