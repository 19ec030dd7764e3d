package core

import (
	"tamp/core/msg"
	"tamp/core/promptcache"
)

// Breakpoints returns the breakpoints that Anchors would set in the whole conversation in the format Anthropic, with
// the TTL, with Move and with promptcache.Options.Hidden. entry is the last breakpoint of the previous request on a
// message whose prefix is unchanged, with Message -1 if there is none; nil means the messages before the newest
// answer, unchanged. The cost is linear in the messages since the previous call; no conversation and no State is
// written. The error is bad_request, for an unknown TTL.
func (s *Session) Breakpoints(env Env, ttl string, hidden int, entry *msg.Ref) ([]promptcache.Breakpoint, error) {
	b, in := &s.marks, s.reading.View()
	if b.ranker == nil || b.ttl != ttl {
		request := *in.Conversation
		request.Format = msg.Anthropic
		*b = breakpoints{ttl: ttl}
		var err error
		b.ranker, err = promptcache.NewIncremental(&request, promptcache.Options{TTL: ttl, Hidden: hidden, Count: s.count,
			Stable: func(r msg.Ref) bool { return !b.unstable.blocks[r] }})
		if err != nil {
			b.ranker = nil
			return nil, err
		}
	}
	from := b.unstable.addMessages(&s.policy, in)
	request := *in.Conversation
	request.Format = msg.Anthropic
	return b.ranker.Rank(&request, &in.Counts, from, env.IdleSec, entry), nil
}
