package plan

import (
	"tamp/core/msg"
	"tamp/core/view"
)

// A compaction usually changes few messages near the end: a policy that clears in every turn changes one result in each
// call. The session goes on with the outcome from the last savepoint before the first changed message, so that the cost
// of a call is linear in the changed messages, not in the conversation.

// Replace makes the session go on with another conversation and State, usually those of an outcome, under the same
// policy and counter. It is NewSession, but reads the messages from the first different one on, and nothing again that
// is expensive to read in texts of both. After an error the session is unchanged.
func (s *Session) Replace(c *msg.Conversation, st view.State) error {
	m, err := s.cache.Decode(st)
	if err != nil {
		return err
	}
	if s.resume(c, st, &m) {
		return nil
	}
	next, err := newSession(c, st, &s.own, s.count, s.cache)
	if err == nil {
		next.Append(c.Messages)
		next.replaced = true
		*s = *next
	}
	return err
}

// resume is Replace from a savepoint. It reports false, and changes nothing, if none holds for the conversation and the
// State.
func (s *Session) resume(c *msg.Conversation, st view.State, m *view.Record) bool {
	common := commonMessages(s.c.Messages, c.Messages)
	k := min(common/savepointEvery, len(s.points)-1)
	if k < 1 || !sameRequest(s.c, c) {
		return false
	}
	at := s.points[k]
	if clears, _ := m.Alike(s.record); !clears || !at.view.Holds(m) || clearWindow(&s.own, s.in, m) != s.recent {
		return false
	}
	s.size.truncate(s.in.Conversation, at.view.Read, at.length)
	s.reader.Resume(&at.view, c, m)
	s.record, s.base, s.changes.TrackedChanges = m, at.base, *at.changes // m clears like the State of changes
	if !s.replaced || common < s.kept {
		s.kept, s.replaced = common, true
	}
	s.c, s.state, s.points, s.last = c, st, s.points[:k+1], nil
	s.extend(s.cache.SpareFor(c))
	return true
}

// TakeKept returns the number of messages at the start that Replace and SetState have left as they were since the last
// call, and whether they were called at all.
func (s *Session) TakeKept() (messages int, replaced bool) {
	messages, replaced = s.kept, s.replaced
	s.replaced = false
	return messages, replaced
}

// SetState replaces the State, usually with the one that Observe returned. The error is bad_request.
func (s *Session) SetState(st view.State) error {
	m, err := view.DecodeState(st)
	if err != nil {
		return err
	}
	if clears, marks := m.Alike(s.record); !clears || !marks { // messages were read under other assumptions
		return s.Replace(s.c, st)
	}
	s.record, s.state, s.last = &m, st, nil
	return nil
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
