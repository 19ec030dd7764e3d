package core

import (
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/policy"
	"tamp/core/promptcache"
	"tamp/core/tokens"
)

// Session is a conversation that grows turn by turn under one policy: Append its messages, then Compact it or ask Turn
// whether a Plan is due. Its embedded part keeps what plans read of it, so the cost of Append and Turn is linear in the
// new messages.
//
// Session and Loop are the only types of this package that change in place. It is not safe for concurrent use.
type Session struct {
	*plan.Session
	marks breakpoints
}

// NewSession starts with a conversation, which may have no messages. A nil counter means tokens.Estimate. The errors
// are those of NewPlan.
func NewSession(c *msg.Conversation, st State, p policy.Policy, counter tokens.Counter) (*Session, error) {
	s, err := plan.NewSession(c, st, p, counter)
	if err != nil {
		return nil, err
	}
	return &Session{Session: s}, nil
}

// Successor is Replace, and returns s.
func (s *Session) Successor(c *msg.Conversation, st State) (*Session, error) {
	return s, s.Replace(c, st)
}

// Breakpoints returns the breakpoints that Anchors would set in the whole conversation in the format Anthropic, with
// the TTL, with Move and with promptcache.Options.Hidden. entry is the last breakpoint of the previous request on a
// message whose prefix is unchanged, with Message -1 if there is none; nil means the messages before the newest
// answer, unchanged. The cost is linear in the messages since the previous call; no conversation and no State is
// written. The error is bad_request, for an unknown TTL.
func (s *Session) Breakpoints(env Env, ttl string, hidden int, entry *msg.Ref) ([]promptcache.Breakpoint, error) {
	b, in, p := &s.marks, s.View(), s.Policy()
	if kept, replaced := s.TakeKept(); replaced {
		b.resume(&p, kept)
	}
	if b.ranker == nil || b.ttl != ttl {
		request := *in.Conversation
		request.Format = msg.Anthropic
		*b = breakpoints{ttl: ttl}
		var err error
		b.ranker, err = promptcache.NewIncremental(&request, promptcache.Options{TTL: ttl, Hidden: hidden,
			Count:  s.Env(env).Count,
			Stable: func(r msg.Ref) bool { return !b.unstable.blocks[r] }})
		if err != nil {
			b.ranker = nil
			return nil, err
		}
	}
	from := b.unstable.addMessages(&p, in)
	request := *in.Conversation
	request.Format = msg.Anthropic
	return b.ranker.Rank(&request, &in.Counts, from, env.IdleSec, entry), nil
}
