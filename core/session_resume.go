package core

import (
	"tamp/core/msg"
	"tamp/core/view"
)

// A compaction usually changes few messages near the end: a policy that clears in every turn changes one result in each
// call. The session of the outcome goes on from the last savepoint before the first changed message, so that the cost
// of a call is linear in the changed messages, not in the conversation.

// resume makes s the session of another conversation and State. It reports false, and changes nothing, if no
// savepoint holds for them.
func (s *Session) resume(c *msg.Conversation, st State, m *view.Record) bool {
	common := commonMessages(s.c.Messages, c.Messages)
	k := min(common/savepointEvery, len(s.points)-1)
	if k < 1 || !sameRequest(s.c, c) || !s.reading.Resume(s.points[k], c, m) {
		return false
	}
	s.c, s.state, s.points, s.last = c, st, s.points[:k+1], nil
	s.extend(s.cache.SpareFor(c))
	s.marks.resume(&s.policy, common)
	s.read()
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
	return a.Format == b.Format && a.Partial == b.Partial && a.Model == b.Model && a.Cache == b.Cache &&
		limitsOf(a) == limitsOf(b) &&
		sameBlocks(a.System, b.System) && sameBlocks(a.Tools, b.Tools)
}

// limitsOf returns what the window of a conversation depends on besides its model.
func limitsOf(c *msg.Conversation) (limits [2]int) {
	if c.Agent != nil {
		limits = [2]int{c.Agent.Window, c.Agent.Limit}
	}
	return limits
}

func sameBlocks(a, b []msg.Block) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// Successor makes s go on with another conversation, usually the result of Apply, under the same policy and counter, and
// returns s. It is NewSession, but reads the messages from the first different one on, and nothing again that is
// expensive to read in texts of both. After an error s is unchanged.
func (s *Session) Successor(c *msg.Conversation, st State) (*Session, error) {
	m, err := s.cache.Decode(st)
	if err != nil {
		return nil, err
	}
	if !s.resume(c, st, &m) {
		next, err := newSession(c, st, s.policy, s.count, s.cache)
		if err != nil {
			return nil, err
		}
		*s = *next
	}
	return s, nil
}

// SetState replaces the State, usually with the one that Observe returned. The error is bad_request.
func (s *Session) SetState(st State) error {
	m, err := view.DecodeState(st)
	if err != nil {
		return err
	}
	if !s.reading.SetRecord(&m) { // messages were read under other assumptions
		_, err := s.Successor(s.c, st)
		return err
	}
	s.state, s.last = st, nil
	return nil
}
