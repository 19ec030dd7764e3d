package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/view"
)

// Reading is a conversation that grows at its end, as its plans read it under one policy and State: New is a Reading
// with one Read, core.Session one with many. The cost of Read is linear in the new messages.
type Reading struct {
	source
	policy *policy.Policy
	reader *view.Reader // its View is that of source
	base   view.Digester
	count  tokens.Counter
	cache  *view.Cache
}

// NewReading returns a reading of c without its messages, with the counter and the cache of env. The errors are
// bad_policy, bad_message and bad_request, see New.
func NewReading(c *msg.Conversation, st view.State, p *policy.Policy, env *Env) (*Reading, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := c.RefusePart("compact"); err != nil {
		return nil, err
	}
	m, err := env.cache.Decode(st)
	if err != nil {
		return nil, err
	}
	reader := view.NewReader(c, env.Count, &m, env.cache)
	return &Reading{newSource(&reader.View, p, &m), p, reader, view.NewDigester(), env.Count, env.cache}, nil
}

// Read reads the messages of c after those that it has read before: c is the same conversation with more messages, to
// which none may be added in place.
func (r *Reading) Read(c *msg.Conversation) {
	r.base.Messages(c.Messages[len(r.in.Conversation.Messages):])
	r.reader.Read(c)
}

// View returns the view of the messages so far. The next Read changes it.
func (r *Reading) View() *view.View { return r.in }

// Marked reports whether a message of the view has other marks of summaries than the conversation that was read.
func (r *Reading) Marked() bool { return r.reader.Marked() }

// Record returns the decoded State.
func (r *Reading) Record() *view.Record { return r.record }

// Draft returns an empty plan of the messages so far, with the counter and the cache of the reading. Build it before
// the next Read.
func (r *Reading) Draft(env *Env) *Draft {
	d := newDraft(r.source, r.base.Sum(), env)
	d.env.Count, d.env.cache = r.count, r.cache
	return d
}

// Savepoint is the state of a Reading after some messages.
type Savepoint struct {
	view    view.Point
	base    view.Digester
	changes *pass.TrackedChanges
	length  int // code points, see publishedSize
}

// Savepoint returns the state of the reading. It stays valid while the reading goes on.
func (r *Reading) Savepoint() *Savepoint {
	return &Savepoint{r.reader.Point(), r.base, r.tracked().Settled(), r.published().length}
}

// Resume goes back to a savepoint, for a conversation with the same messages up to there, under another State. It
// reports false, and changes nothing, if the reading up to there depends on the State.
func (r *Reading) Resume(at *Savepoint, c *msg.Conversation, m *view.Record) bool {
	if clears, _ := m.Alike(r.record); !clears || !at.view.Holds(m) || clearWindow(r.policy, r.in, m) != r.recent {
		return false
	}
	r.size.truncate(r.in.Conversation, at.view.Read, at.length)
	r.reader.Resume(&at.view, c, m)
	r.record, r.base, r.changes.TrackedChanges = m, at.base, *at.changes // m clears like the State of changes
	return true
}

// SetRecord replaces the decoded State by one under which all messages are read alike. It reports false, and changes
// nothing, for another one.
func (r *Reading) SetRecord(m *view.Record) bool {
	clears, marks := m.Alike(r.record)
	if clears && marks {
		r.record = m
	}
	return clears && marks
}
