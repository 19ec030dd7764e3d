package core

import (
	"tamp/core/anchor"
	"tamp/core/msg"
)

// breakpoints is what a Session keeps for Breakpoints.
type breakpoints struct {
	changes changing
	growing *anchor.Incremental // nil before the first call
	ttl     string
}

// Breakpoints returns where Anchors would leave breakpoints in the whole, sent in the format Anthropic, with the TTL and Move. For an
// account of the requests of a session: it costs what is new since the call before, and writes no conversation and no State.
// The error is bad_request, for a TTL that there is not.
func (s *Session) Breakpoints(env Env, ttl string) ([]anchor.Breakpoint, error) {
	b := &s.marks
	if b.growing == nil || b.ttl != ttl {
		request := *s.in.Conversation
		request.Format = msg.Anthropic
		*b = breakpoints{ttl: ttl}
		var err error
		b.growing, err = anchor.NewIncremental(&request, anchor.Options{TTL: ttl, Count: s.count,
			Stable: func(r msg.Ref) bool { return !b.changes.blocks[r] }})
		if err != nil {
			b.growing = nil
			return nil, err
		}
	}
	from := b.changes.add(&s.policy, &s.in)
	request := *s.in.Conversation
	request.Format = msg.Anthropic
	return b.growing.Rank(&request, &s.in.Counts, from, env.IdleSec), nil
}
