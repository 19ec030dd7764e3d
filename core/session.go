package core

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/view"
)

// Session is a conversation that grows turn by turn under one policy. It keeps what plans read of it (plan.Reading), so
// the cost of Append and Turn is linear in the new messages: NewPlan is the Plan of a session with one Append. The
// result of Apply is another conversation and needs another Session.
//
// Session and Loop are the only types of this package that change in place. It is not safe for concurrent use.
type Session struct {
	policy  policy.Policy
	state   State
	cache   *view.Cache
	count   tokens.Counter
	c       *msg.Conversation
	spare   []msg.Message // the messages of c, with capacity behind them; those of c have none, so callers can append
	reading *plan.Reading // of c
	points  []*plan.Savepoint
	marks   breakpoints
	last    *madePlan
	plans   int // number of plans that were made
}

// madePlan is the last plan of a session, until it gets messages or another State: Turn, Plan and Loop are often called
// one after the other, and Turn again while a model writes the summaries.
type madePlan struct {
	env   Env
	usage msg.Usage // of env, which has a pointer
	draft *plan.Draft
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
// are those of NewPlan.
func NewSession(c *msg.Conversation, st State, p policy.Policy, counter tokens.Counter) (*Session, error) {
	return newSession(c, st, p, counter, new(view.Cache))
}

func newSession(c *msg.Conversation, st State, p policy.Policy, counter tokens.Counter,
	k *view.Cache) (*Session, error) {
	s := &Session{policy: p, state: st, cache: k, count: counter, c: c.WithMessages(nil)}
	env, err := s.Env(Env{}), error(nil)
	if s.reading, err = plan.NewReading(c, st, &s.policy, &env); err != nil {
		return nil, err
	}
	s.Append(c.Messages)
	return s, nil
}

// Append adds messages at the end. They are not copied, so the caller must not change them.
func (s *Session) Append(messages []msg.Message) {
	s.last = nil
	s.extend(append(s.spare, messages...))
	s.read()
}

func (s *Session) extend(spare []msg.Message) {
	s.spare, s.c = spare, s.c.WithMessages(slices.Clip(spare))
}

// read reads the messages of s.c that were not read, with a savepoint before each savepointEvery of them.
func (s *Session) read() {
	for from, all := s.length(), s.c.Messages; from < len(all); from = s.length() {
		if from == savepointEvery*len(s.points) {
			s.points = append(s.points, s.reading.Savepoint())
		}
		c := s.c
		if to := from - from%savepointEvery + savepointEvery; to < len(all) {
			c = c.WithMessages(all[:to:to])
		}
		s.reading.Read(c)
	}
}

// savepointEvery is the number of messages from one savepoint to the next.
const savepointEvery = 8

// length returns the number of messages that were read.
func (s *Session) length() int { return len(s.reading.View().Conversation.Messages) }

// Conversation returns the whole conversation. Messages appended later are not added to it.
func (s *Session) Conversation() *msg.Conversation { return s.c }

// Counts returns the tokens of the whole conversation by part. Messages appended later are not added to it.
func (s *Session) Counts() tokens.Counts {
	counts := s.reading.View().Counts
	counts.Messages = slices.Clip(counts.Messages)
	return counts
}

// Count returns Counts with their interval. It reads all messages.
func (s *Session) Count() tokens.Count {
	in := s.reading.View()
	return in.Meter.WithInterval(in.Conversation, in.Counts)
}

// State returns the State of NewSession or of the last SetState. If that has no list of summaries, and the conversation
// has some, it is one with the list.
func (s *Session) State() State {
	m := *s.reading.Record()
	if !m.ByForm || !s.reading.Marked() {
		return s.state
	}
	m.Adopt(s.reading.View().Conversation)
	return m.Encode()
}

// Policy returns the policy of the session.
func (s *Session) Policy() policy.Policy { return s.policy }

// Env returns env with the counter of the session.
func (s *Session) Env(env Env) Env {
	env.Count = s.count
	plan.SetCache(&env, s.cache)
	return env
}

// Plan is NewPlan of the whole conversation, with the counter and the state of the session. Without new messages, the
// next call with the same Env costs nothing. The lists of edits, regions and requests are the caller's own.
func (s *Session) Plan(env Env) (*Plan, error) {
	made := s.made(env)
	if made.err != nil {
		return nil, made.err
	}
	p := *made.plan
	p.Edits, p.Regions, p.Requests = slices.Clone(p.Edits), slices.Clone(p.Regions),
		slices.Clone(p.Requests)
	p.Archive, p.Decisions, p.Warnings = slices.Clip(p.Archive), slices.Clip(p.Decisions),
		slices.Clip(p.Warnings)
	return &p, nil
}

// Plans returns the number of plans that were made. Each has read the whole conversation.
func (s *Session) Plans() int { return s.plans }

// made returns the plan for env, which is made at most once.
func (s *Session) made(env Env) *madePlan {
	made := &madePlan{env: env}
	plan.SetCache(&made.env, nil) // the cache and the counter are those of the session
	made.env.Count = nil
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
	made.draft = s.reading.Draft(&env)
	made.plan, made.err = made.draft.Build()
	s.last = made
	return made
}

// Turn reports whether a plan would do anything. If it would, Turn costs as much as the plan, which is then made:
// calling Plan or Turn again with the same Env costs nothing.
func (s *Session) Turn(env Env) Turn {
	turn := Turn{Messages: s.length(), Total: s.reading.View().Counts.Total}
	var idle bool
	if turn.Trigger, idle = plan.Idle(s.reading, &env); idle {
		return turn
	}
	made := s.made(env)
	turn.Due = made.err != nil || len(made.plan.Edits)+len(made.plan.Regions) > 0
	turn.waits = !turn.Due && made.plan.Waits()
	turn.Trigger = made.draft.Trigger()
	return turn
}
