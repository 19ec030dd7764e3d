package core

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
	"tamp/core/view"
)

// unstableBlocks are the blocks of a conversation that layers 0 and 1 change now or will change when they are no longer
// recent. The conversation may grow at its end: the decision about a block is final, except for the calls of an open
// round.
type unstableBlocks struct {
	blocks map[msg.Ref]bool
	next   int // the first message without a final decision
}

// addMessages reads the new messages of in, and returns the index of the first message that it read.
func (u *unstableBlocks) addMessages(p *policy.Policy, in *view.View) (from int) {
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
		if p.Thinking.KeepTurns > 0 && it.IsThinking() {
			u.blocks[it.Ref] = true
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

// breakpoints is the state of Session.Breakpoints.
type breakpoints struct {
	unstable unstableBlocks
	ranker   *promptcache.Incremental // nil before the first call
	ttl      string
}

// resume keeps the breakpoints among the first messages, which the conversation has in common with the last one.
func (b *breakpoints) resume(p *policy.Policy, kept int) {
	if kept == 0 || len(p.Clear.ClearToolInputs) > 0 { // a decision about a call depends on its result, which may be later
		*b = breakpoints{}
		return
	}
	b.unstable.truncate(kept)
}
