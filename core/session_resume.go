package core

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// A compaction usually changes few messages near the end: a policy that clears in every turn changes one result in each
// call. The session of the outcome goes on from the last checkpoint before the first changed message, so that the cost
// of a call is linear in the changed messages, not in the conversation.

// checkpointEvery is the number of messages from one checkpoint to the next.
const checkpointEvery = 8

// checkpoint is the state of a session before a message.
type checkpoint struct {
	marker  summaryMarker
	base    digester
	track   tokens.Track
	changes pass.TrackedChanges
	marked  bool
	sum     int
}

// setCheckpoint saves the state if a checkpoint is due before the next message.
func (s *Session) setCheckpoint() {
	if n := len(s.in.Conversation.Messages); n == checkpointEvery*len(s.points) {
		s.points = append(s.points, checkpoint{s.marker, s.base, s.in.Track, s.changes.TrackedChanges, s.marked, s.sum})
	}
}

// resume makes s the session of another conversation and State. It reports false, and changes nothing, if no
// checkpoint holds for them.
func (s *Session) resume(c *msg.Conversation, st State, m memory) bool {
	common := commonMessages(s.c.Messages, c.Messages)
	k := min(common/checkpointEvery, len(s.points)-1)
	if k < 1 || !sameRequest(s.c, c) || m.rentFrom != s.memory.rentFrom ||
		!slices.Equal(m.clearedKeys, s.memory.clearedKeys) || !s.points[k].marker.holdsFor(&m) {
		return false
	}
	at, n, in := &s.points[k], k*checkpointEvery, &s.in
	m.known = s.memory.known
	paired := pairsAlike(s.c.Messages[n:], c.Messages[n:])
	s.c, s.state, s.memory, s.last = c, st, m, nil
	s.extend(m.known.roomFor(c))
	s.marker, s.base, in.Track, s.changes.TrackedChanges, s.sum = at.marker, at.base, at.track, at.changes, at.sum
	s.marker.byForm, s.marker.keys, s.points = m.byForm, m.summaryKeys, s.points[:k]
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
	s.read(c.Messages[n:])
	return true
}

// holdsFor reports whether the marks so far are those under another State too.
func (k *summaryMarker) holdsFor(m *memory) bool {
	if k.byForm || m.byForm {
		return k.byForm == m.byForm
	}
	if slices.Equal(k.keys, m.summaryKeys) {
		return true
	}
	if k.doubtful {
		return false
	}
	for _, key := range k.keys {
		if _, found := slices.BinarySearch(m.summaryKeys, key); !found {
			return false
		}
	}
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

// pairsAlike reports whether the calls and results of two lists of messages have the same ids and places, so that both
// lists have the same pairs.
func pairsAlike(a, b []msg.Message) bool {
	if len(a) != len(b) {
		return false
	}
	for m := range a {
		if !blocksPairAlike(a[m].Blocks, b[m].Blocks) {
			return false
		}
	}
	return true
}

func blocksPairAlike(a, b []msg.Block) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := &a[i], &b[i]
		if x.Kind != y.Kind || x.ID != y.ID || x.Type != y.Type || x.Path != y.Path {
			return false
		}
	}
	return true
}

// resume keeps the breakpoints among the first messages, which the next conversation has in common with the last one.
func (b *breakpoints) resume(p *policy.Policy, common int) {
	if len(p.Clear.ClearToolInputs) > 0 { // a decision about a call depends on its result, which may be later
		*b = breakpoints{}
		return
	}
	b.unstable.truncate(common)
}
