package core

import (
	"tamp/core/msg"
	"tamp/core/view"
)

// A compaction usually changes few messages near the end: a policy that clears in every turn changes one result in each
// call. The session of the outcome goes on from the last checkpoint before the first changed message, so that the cost
// of a call is linear in the changed messages, not in the conversation.

// resume makes s the session of another conversation and State. It reports false, and changes nothing, if no
// checkpoint holds for them.
func (s *Session) resume(c *msg.Conversation, st State, m view.Record) bool {
	common := commonMessages(s.c.Messages, c.Messages)
	k := min(common/checkpointEvery, len(s.points)-1)
	if k < 1 || !sameRequest(s.c, c) || !m.ClearsLike(&s.record) || !s.points[k].marker.HoldsFor(&m) {
		return false
	}
	at, n, in := &s.points[k], k*checkpointEvery, &s.in
	paired := view.PairsAlike(s.c.Messages[n:], c.Messages[n:])
	s.c, s.state, s.record, s.last = c, st, m, nil
	s.extend(s.cache.RoomFor(c))
	s.marker, s.base, s.sum, s.points = at.marker.Under(&m), at.base, at.sum, s.points[:k]
	in.Track, s.changes.TrackedChanges = at.track, at.changes
	if s.marked = at.marked; !s.marked {
		in.Conversation = s.c
	}
	for _, removed := range in.Counts.Messages[n:] {
		in.Counts.Total -= removed.Tokens
	}
	in.Counts.Messages = in.Counts.Messages[:n:n]
	in.Conversation = c.WithMessages(in.Conversation.Messages[:n:n])
	s.marks.resume(&s.policy, common)
	if !paired {
		s.pairs = msg.Pairer{}
	}
	s.readMessages(c.Messages[n:])
	return true
}

// commonMessages returns the number of messages at the start that both lists share.
func commonMessages(a, b []msg.Message) int {
	n := 0
	for n < len(a) && n < len(b) && sameMessage(&a[n], &b[n]) {
		n++
	}
	return n
}

// sameMessage reports whether two messages are copies of one: no code changes blocks in place.
func sameMessage(a, b *msg.Message) bool {
	return len(a.Blocks) > 0 && len(a.Blocks) == len(b.Blocks) && &a.Blocks[0] == &b.Blocks[0] && a.Role == b.Role &&
		a.Path == b.Path && a.ID == b.ID && a.Usage == b.Usage && a.Meta == b.Meta && a.Changed == b.Changed
}

// sameRequest reports whether two conversations have the same copy of everything besides their messages.
func sameRequest(a, b *msg.Conversation) bool {
	return a.Format == b.Format && a.Model == b.Model && a.Cache == b.Cache && sameBlocks(a.System, b.System) &&
		sameBlocks(a.Tools, b.Tools)
}

func sameBlocks(a, b []msg.Block) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// Successor is a session that goes on with another conversation, usually the result of Apply, under the same policy
// and counter. It is NewSession, but reads the messages from the first different one on, and nothing again that is
// expensive to read in texts of both. Do not use s afterwards.
func (s *Session) Successor(c *msg.Conversation, st State) (*Session, error) {
	m, err := s.cache.Decode(st)
	if err != nil {
		return nil, err
	}
	if s.resume(c, st, m) {
		return s, nil
	}
	return newSession(c, st, s.policy, s.count, s.cache)
}

// SetState replaces the State, usually with the one that Observe returned. The error is bad_request.
func (s *Session) SetState(st State) error {
	m, err := view.DecodeState(st)
	if err != nil {
		return err
	}
	was := &s.record
	if !m.ClearsLike(was) || !m.MarksLike(was) { // messages were read under other assumptions
		other, err := s.Successor(s.c, st)
		if err == nil {
			*s = *other
		}
		return err
	}
	s.state, s.record, s.last = st, m, nil
	return nil
}
