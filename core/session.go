package core

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/view"
)

// Session is a conversation that grows turn by turn under one policy. It keeps the pairs, counts and digest that
// NewPlan computes, so the cost of Append and Turn is linear in the new messages. Plan returns the same value as
// NewPlan of the whole conversation. The result of Apply is another conversation and needs another Session.
//
// Session and Loop are the only types of this package that change in place. It is not safe for concurrent use.
type Session struct {
	policy  policy.Policy
	state   State
	record  view.Record
	cache   *view.Cache
	count   tokens.Counter
	c       *msg.Conversation
	room    []msg.Message // the messages of c, with capacity behind them; those of c have none, so callers can append
	in      view.View     // Conversation (c with its summaries marked), Pairing, Meter and Counts as view.New makes them
	marker  view.SummaryMarker
	pairs   msg.Pairer
	base    view.Digester
	changes *pass.ChangeTracker
	marks   breakpoints
	marked  bool // a message of in.Conversation has other marks than in c; else both share their messages
	sum     int  // size of the messages by the published rule of the trigger; 0 if it has none
	points  []checkpoint
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

// Waits reports whether a compaction that is due by its size waits for the end of the open tool round, which has bound
// thinking, and the limit in tokens that it is due by.
func (t *Turn) Waits() (limit int, waits bool) {
	limit = plan.InCounter(t.Trigger.Limit, t.Trigger.Used, t.Total)
	return limit, t.waits && t.Trigger.Kind != pass.Economic && limit > 0
}

// NewSession starts with a conversation, which may have no messages. A nil counter means tokens.Estimate. The errors
// are those of NewPlan.
func NewSession(c *msg.Conversation, st State, p policy.Policy, counter tokens.Counter) (*Session, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := c.RefusePart("compact"); err != nil {
		return nil, err
	}
	return newSession(c, st, p, counter, new(view.Cache))
}

func newSession(c *msg.Conversation, st State, p policy.Policy, counter tokens.Counter,
	k *view.Cache) (*Session, error) {
	m, err := k.Decode(st)
	if err != nil {
		return nil, err
	}
	s := &Session{policy: p, state: st, record: m, cache: k, count: counter,
		base: view.NewDigester()}
	s.in.Meter, s.in.Critical = tokens.NewMeter(counter, c), map[*msg.Block]bool{}
	s.marker = view.NewMarker(&m, k)
	none := c.WithMessages(nil)
	s.c, s.in.Conversation, s.in.Counts = none, none, s.in.Meter.Conversation(none)
	s.changes = plan.NewTracker(&s.policy, &s.in, &m)
	s.sum = plan.PublishedSize(&s.policy, s.in.Meter, none, none)
	s.Append(c.Messages)
	return s, nil
}

// Append adds messages at the end. They are not copied, so the caller must not change them.
func (s *Session) Append(messages []msg.Message) {
	s.last = nil
	s.extend(append(s.room, messages...))
	s.readMessages(messages)
}

func (s *Session) extend(room []msg.Message) {
	s.room, s.c = room, s.c.WithMessages(slices.Clip(room))
}

// readMessages reads the next messages of s.c.
func (s *Session) readMessages(messages []msg.Message) {
	for len(messages) > 0 {
		s.setCheckpoint()
		n := min(checkpointEvery-len(s.in.Conversation.Messages)%checkpointEvery, len(messages))
		s.addMessages(messages[:n])
		messages = messages[n:]
	}
}

// addMessages reads the next messages, up to the next checkpoint.
func (s *Session) addMessages(messages []msg.Message) {
	in := &s.in
	n := len(in.Conversation.Messages)
	messages, changed := s.marker.Mark(messages)
	latest := in.Conversation.WithMessages(messages)
	latest.System, latest.Tools = nil, nil
	counts := in.Meter.Conversation(latest)
	s.marked = s.marked || changed
	if all := s.c.Messages[:n+len(messages)]; s.marked {
		in.Conversation = in.Conversation.WithMessages(append(in.Conversation.Messages, messages...))
	} else {
		in.Conversation = in.Conversation.WithMessages(all[:len(all):len(all)])
	}
	in.Counts.Messages = append(in.Counts.Messages[:n], counts.Messages...)
	in.Counts.Total += counts.Total
	in.Counts.Adjust(in.Conversation.Messages, n)
	in.Track.Add(messages)
	s.pairs.Add(in.Conversation)
	in.Pairing = s.pairs.Pairing
	s.base.Messages(messages)
	s.changes.Add(in, view.RefText)
	s.sum += plan.PublishedSize(&s.policy, in.Meter, s.c, latest)
}

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
func (s *Session) State() State {
	if !s.record.ByForm || !s.marked {
		return s.state
	}
	m := s.record
	m.Adopt(s.in.Conversation)
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
	plan := *made.plan
	plan.Edits, plan.Regions, plan.Requests = slices.Clone(plan.Edits), slices.Clone(plan.Regions),
		slices.Clone(plan.Requests)
	plan.Archive, plan.Decisions, plan.Warnings = slices.Clip(plan.Archive), slices.Clip(plan.Decisions),
		slices.Clip(plan.Warnings)
	return &plan, nil
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
	made.draft = s.draft(env)
	made.plan, made.err = made.draft.Build()
	s.last = made
	return made
}

func (s *Session) draft(env Env) *plan.Draft {
	in := s.in
	env = s.Env(env)
	d := plan.NewDraft(&in, s.base.Sum(), &s.policy, &env, &s.record)
	d.Reuse(s.changes, s.sum)
	return d
}

// Turn reports whether a plan would do anything. If it would, Turn costs as much as the plan, which is then made:
// calling Plan or Turn again with the same Env costs nothing.
func (s *Session) Turn(env Env) Turn {
	turn := Turn{Messages: len(s.in.Conversation.Messages), Total: s.in.Counts.Total}
	var idle bool
	if turn.Trigger, idle = plan.Idle(&s.in, &s.policy, &env, s.changes, s.sum); idle {
		return turn
	}
	made := s.made(env)
	turn.Due = made.err != nil || len(made.plan.Edits)+len(made.plan.Regions) > 0
	turn.waits = !turn.Due && made.plan.Waits()
	turn.Trigger = made.draft.Trigger()
	return turn
}

// checkpoint is the state of a session before a message.
type checkpoint struct {
	marker  view.SummaryMarker
	base    view.Digester
	track   tokens.Track
	changes pass.TrackedChanges
	marked  bool
	sum     int
}

// checkpointEvery is the number of messages from one checkpoint to the next.
const checkpointEvery = 8

// setCheckpoint saves the state if a checkpoint is due before the next message.
func (s *Session) setCheckpoint() {
	if n := len(s.in.Conversation.Messages); n == checkpointEvery*len(s.points) {
		s.points = append(s.points, checkpoint{s.marker, s.base, s.in.Track, s.changes.TrackedChanges, s.marked, s.sum})
	}
}
