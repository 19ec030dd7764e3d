package core

import (
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
	"tamp/core/view"
)

// Metrics are the numbers to plot: ratios in permille, all others in tokens or as a count.
type Metrics = promptcache.Metrics

// Observed is the result of ObserveAll.
type Observed struct {
	State    State         `json:"state"`
	Warnings []msg.Warning `json:"warnings"` // three misses of the prompt cache in a row, with their cause
	Metrics  Metrics       `json:"metrics"`
}

// Observe records the usage of a response; call it after each model call. Three requests in a row that should have read
// from the prompt cache and did not cause a warning with the reason, which is found by comparing the requests that
// Apply and Anchors recorded in the State. Usage without prompt tokens is ignored.
//
// A State that Tamp did not write is replaced by a new one, since lost metrics should not stop the host; ObserveAll
// returns an error instead.
func Observe(st State, u msg.Usage) (State, []msg.Warning) {
	seen, err := ObserveAll(st, u, 0)
	if err != nil {
		seen, _ = ObserveAll("", u, 0)
	}
	return seen.State, seen.Warnings
}

// ObserveAll is Observe with the metrics. idleSec is the time since the previous call in seconds, if Apply did not get
// it; the larger of the two counts. The error is bad_request, for a State that Tamp did not write.
func ObserveAll(st State, u msg.Usage, idleSec int) (Observed, error) {
	m, err := view.DecodeState(st)
	if err != nil {
		return Observed{}, err
	}
	m.ByForm = m.ByForm && st != "" // a new State lists no summaries
	health, warnings, metrics := promptcache.Observe(m.Health, u, promptcache.Fingerprint{}, idleSec)
	m.Health = health
	return Observed{State: m.Encode(), Warnings: append([]msg.Warning{}, warnings...), Metrics: metrics}, nil
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
	m, err := view.DecodeState(st)
	if err != nil {
		return nil, err
	}
	in := view.New(c, env.Count, &m, nil)
	m.Adopt(in.Conversation)
	var unstable unstableBlocks
	unstable.addMessages(&p, in)
	ranking, err := promptcache.Rank(c, promptcache.Options{Max: o.Max, TTL: o.TTL, Move: o.Move, IdleSec: env.IdleSec,
		Count: env.Count, Counts: &in.Counts, Stable: func(r msg.Ref) bool { return !unstable.blocks[r] },
		Previous: m.Health.Observed(), Own: m.Marks})
	if err != nil {
		return nil, err
	}
	m.Marks = ranking.Own
	m.Health = m.Health.Sent(promptcache.FingerprintOf(ranking.Conversation), env.IdleSec)
	return &Anchored{ranking, m.Encode()}, nil
}
