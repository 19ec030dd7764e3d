package plan

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/view"
)

// Session is a conversation that grows turn by turn under one policy and State. It keeps what plans read of it, so the
// cost of Append and Turn is linear in the new messages: New is the plan of a session with one reading. It is not safe
// for concurrent use.
type Session struct {
	source
	own    policy.Policy // as given, see effectivePolicy
	state  view.State
	count  tokens.Counter
	cache  *view.Cache
	reader *view.Reader // its View is that of source
	base   view.Digester
	c      *msg.Conversation
	spare  []msg.Message // the messages of c, with capacity behind them; those of c have none, so callers can append
	points []*savepoint
	last   *madePlan
	plans  int // number of plans that were made

	kept     int // see TakeKept
	replaced bool
}

// savepoint is the state of a Session after some messages. It stays valid while the session goes on.
type savepoint struct {
	view    view.Point
	base    view.Digester
	changes *pass.TrackedChanges
	length  int // code points, see publishedSize
}

// savepointEvery is the number of messages from one savepoint to the next.
const savepointEvery = 8

func (s *Session) savepoint() *savepoint {
	return &savepoint{s.reader.Point(), s.base, s.tracked().Settled(), s.published().length}
}

// madePlan is the last plan of a session, until it gets messages or another State: Turn, Plan and Start are often
// called one after the other, and Turn again while a model writes the summaries.
type madePlan struct {
	env   Env
	usage msg.Usage // of env, which has a pointer
	draft *Draft
	plan  *Plan
	err   error
}

// Turn is the result of Session.Turn.
type Turn struct {
	Messages int `json:"messages"` // so far
	Total    int `json:"total"`    // tokens now
	// True if a plan would have edits or requests, and if the conversation is over its hard limit with nothing left to
	// remove, which Plan returns as an error. If false, calling Plan is not necessary.
	Due     bool    `json:"due"`
	Trigger Trigger `json:"trigger"` // the plan's

	waits bool
}

// Limit returns the limit in tokens that a compaction is due by, in the unit of Total.
func (t *Turn) Limit() int { return choice.InCounter(t.Trigger.Limit, t.Trigger.Used, t.Total) }

// Waits reports whether a compaction that is due by its size waits for the end of the open tool round, which has bound
// thinking, and the limit in tokens that it is due by.
func (t *Turn) Waits() (limit int, waits bool) {
	limit = t.Limit()
	return limit, t.waits && t.Trigger.Kind != pass.Economic && limit > 0
}

// NewSession starts with a conversation, which may have no messages. A nil counter means tokens.Estimate. The errors
// are bad_policy, bad_message and bad_request, see New.
func NewSession(c *msg.Conversation, st view.State, p policy.Policy, counter tokens.Counter) (*Session, error) {
	s, err := newSession(c, st, &p, counter, new(view.Cache))
	if err == nil {
		s.Append(c.Messages)
	}
	return s, err
}

// newSession returns a session of c without its messages.
func newSession(c *msg.Conversation, st view.State, p *policy.Policy, counter tokens.Counter,
	k *view.Cache) (*Session, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := c.RefusePart("compact"); err != nil {
		return nil, err
	}
	m, err := k.Decode(st)
	if err != nil {
		return nil, err
	}
	reader := view.NewReader(c, counter, &m, k)
	return &Session{source: newSource(&reader.View, p, &m), own: *p, state: st, count: counter, cache: k, reader: reader,
		base: view.NewDigester(), c: c.WithMessages(nil)}, nil
}

// Append adds messages at the end. They are not copied, so the caller must not change them.
func (s *Session) Append(messages []msg.Message) {
	s.last = nil
	s.extend(append(s.spare, messages...))
}

// extend goes on to the messages in spare, and reads those that were not read, with a savepoint before each
// savepointEvery of them.
func (s *Session) extend(spare []msg.Message) {
	s.spare, s.c = spare, s.c.WithMessages(slices.Clip(spare))
	for from, all := s.length(), s.c.Messages; from < len(all); from = s.length() {
		if from == savepointEvery*len(s.points) {
			s.points = append(s.points, s.savepoint())
		}
		c := s.c
		if to := from - from%savepointEvery + savepointEvery; to < len(all) {
			c = c.WithMessages(all[:to:to])
		}
		s.read(c)
	}
}

// read reads the messages of c after those that were read: c is the same conversation with more messages, to which none
// may be added in place.
func (s *Session) read(c *msg.Conversation) {
	s.base.Messages(c.Messages[s.length():])
	s.reader.Read(c)
}

// length returns the number of messages that were read.
func (s *Session) length() int { return len(s.in.Conversation.Messages) }

// View returns the view of the messages so far. The next Append changes it.
func (s *Session) View() *view.View { return s.in }

// Conversation returns the whole conversation. Messages appended later are not added to it.
func (s *Session) Conversation() *msg.Conversation { return s.c }

// Counts returns the tokens of the whole conversation by part. Messages appended later are not added to it.
func (s *Session) Counts() tokens.Counts {
	counts := s.in.Counts
	counts.Messages = slices.Clip(counts.Messages)
	return counts
}

// Count returns Counts with their interval. It reads all messages.
func (s *Session) Count() tokens.Count {
	return s.in.Meter.WithInterval(s.in.Conversation, s.in.Counts)
}

// State returns the State of NewSession or of the last SetState. If that has no list of summaries, and the conversation
// has some, it is one with the list.
func (s *Session) State() view.State {
	m := *s.record
	if !m.ByForm || !s.reader.Marked() {
		return s.state
	}
	m.Adopt(s.in.Conversation)
	return m.Encode()
}

// Policy returns the policy of the session.
func (s *Session) Policy() policy.Policy { return s.own }

// Env returns env with the counter of the session.
func (s *Session) Env(env Env) Env {
	env.Count, env.cache = s.count, s.cache
	return env
}

// Plan is New of the whole conversation, with the counter and the state of the session. Without new messages, the next
// call with the same Env costs nothing. The lists of edits, regions and requests are the caller's own.
func (s *Session) Plan(env Env) (*Plan, error) {
	made := s.made(env)
	if made.err != nil {
		return nil, made.err
	}
	p := *made.plan
	p.Edits, p.Regions, p.Requests = slices.Clone(p.Edits), slices.Clone(p.Regions), slices.Clone(p.Requests)
	p.Archive, p.Decisions, p.Warnings = slices.Clip(p.Archive), slices.Clip(p.Decisions), slices.Clip(p.Warnings)
	return &p, nil
}

// Start is Plan for an Apply, with the conversation and the State to give to it: it reads nothing again that the plan
// has read.
func (s *Session) Start(env Env) (c *msg.Conversation, st view.State, p *Plan, err error) {
	if p, err = s.Plan(env); err == nil {
		s.last.draft.Keep(s.c, s.state)
	}
	return s.c, s.state, p, err
}

// Plans returns the number of plans that were made. Each has read the whole conversation.
func (s *Session) Plans() int { return s.plans }

// made returns the plan for env, which is made at most once.
func (s *Session) made(env Env) *madePlan {
	made := &madePlan{env: env}
	made.env.cache, made.env.Count = nil, nil // they are those of the session
	if env.Usage != nil {
		made.usage, made.env.Usage = *env.Usage, &made.usage
	}
	if last := s.last; last != nil && last.usage == made.usage && (last.env.Usage == nil) == (env.Usage == nil) {
		x, y := last.env, made.env
		x.Usage, y.Usage = nil, nil
		if x == y {
			return last
		}
	}
	s.plans++
	made.draft = s.draft(&env)
	made.plan, made.err = made.draft.Build()
	s.last = made
	return made
}

// draft returns an empty plan of the messages so far, with the counter and the cache of the session.
func (s *Session) draft(env *Env) *Draft {
	d := newDraft(s.source, s.base.Sum(), env)
	d.env.Count, d.env.cache = s.count, s.cache
	return d
}

// Turn reports whether a plan would do anything. If it would, Turn costs as much as the plan, which is then made:
// calling Plan or Turn again with the same Env costs nothing.
func (s *Session) Turn(env Env) Turn {
	turn := Turn{Messages: s.length(), Total: s.in.Counts.Total}
	var idle bool
	if turn.Trigger, idle = s.idle(&env); idle {
		return turn
	}
	made := s.made(env)
	turn.Due = made.err != nil || len(made.plan.Edits)+len(made.plan.Regions) > 0
	turn.waits = !turn.Due && made.plan.Waits()
	turn.Trigger = made.draft.Trigger()
	return turn
}
