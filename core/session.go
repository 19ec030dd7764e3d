package core

import (
	"slices"
	"unicode/utf8"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/prompt"
	"tamp/core/tokens"
)

// Session is a conversation that grows turn by turn under one policy. It keeps what NewPlan works out, the pairs, counts and digest, so
// that nothing is looked at twice: Append and Turn cost what is new, however long the conversation is. Plan gives the same value as
// NewPlan of the whole. What Apply makes is another conversation, and another Session.
//
// It is the one thing in this package that changes in place, and not safe for concurrent use.
type Session struct {
	policy Policy
	state  State
	memory memory
	count  tokens.Counter
	c      *msg.Conversation
	in     pass.Input // Conversation (c with its summaries marked), Pairing, Meter and Counts as newInput makes them
	marker summaryMarker
	pairs  msg.Pairer
	base   digester
	watch  pass.Watch
	marks  breakpoints
	sum    int // of the trigger's published rule, where it has one
}

// Turn is what Session.Turn finds.
type Turn struct {
	Messages int `json:"messages"` // so far
	Total    int `json:"total"`    // tokens now
	// True where a plan has something to do, edits or requests; and where the conversation is over its hard limit with nothing left
	// that may go, which the plan then says. Everywhere else a plan is not worth asking for.
	Due     bool    `json:"due"`
	Trigger Trigger `json:"trigger"` // the plan's
}

// NewSession begins with a conversation, which may be without messages. counter nil: tokens.Estimate. The errors are those of NewPlan.
func NewSession(c *msg.Conversation, st State, p Policy, counter tokens.Counter) (*Session, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	m, err := decodeState(st)
	if err != nil {
		return nil, err
	}
	s := &Session{policy: p, state: st, memory: m, count: counter, base: digester{Mix: msg.NewMix()}}
	s.in.Meter = tokens.NewMeter(counter, c)
	s.watch = pass.Watch{Clear: p.Clear, Intake: p.Intake, Thinking: p.Thinking, Window: p.Pin.Window}
	s.watch.Clear.Was = m.cleared
	s.marker = summaryMarker{keys: m.summaryKeys}
	none := c.WithMessages(nil)
	s.c, s.in.Conversation, s.in.Counts = none, none, s.in.Meter.Conversation(none)
	s.sum = s.published(none)
	s.Append(c.Messages)
	return s, nil
}

// Append adds messages at the end. They are not copied and must not change.
func (s *Session) Append(messages []msg.Message) {
	in := &s.in
	n := len(in.Conversation.Messages)
	s.c = s.c.WithMessages(append(s.c.Messages, messages...))
	messages = s.marker.mark(messages)
	latest := in.Conversation.WithMessages(messages)
	latest.System, latest.Tools = nil, nil
	counts := in.Meter.Conversation(latest)
	in.Conversation = in.Conversation.WithMessages(append(in.Conversation.Messages, messages...))
	in.Counts.Messages = append(in.Counts.Messages[:n], counts.Messages...)
	in.Counts.Total += counts.Total
	in.Track.Add(messages)
	s.pairs.Add(in.Conversation)
	in.Pairing = s.pairs.Pairing
	s.base.messages(messages)
	s.watch.Add(in, refText)
	s.sum += s.published(latest)
}

// published measures messages by the trigger's published rule, so that the measures of all parts add up: code points of JSON for
// one, tokens for the other.
func (s *Session) published(c *msg.Conversation) int {
	switch s.policy.Trigger.Measure {
	case "chars4_json":
		sum := 0
		for m := range c.Messages { // each has a separator or a bracket before it, two code points
			sum += utf8.RuneCountInString(prompt.JSON(c.Messages[m : m+1]))
		}
		return sum
	case "chars3":
		return tokens.NewMeter(tokens.Chars3, c).Conversation(c).Total
	}
	return 0
}

// used is measure of the whole.
func (s *Session) used(env Env) int {
	switch s.policy.Trigger.Measure {
	case "chars4_json":
		return max(s.sum, 2) / 4
	case "chars3":
		return s.sum
	}
	return measure(&s.in, s.policy.Trigger.Measure, env, 0)
}

// Conversation is the whole. Later messages do not show in it.
func (s *Session) Conversation() *msg.Conversation { return s.c }

// Counts is the size of the whole, part by part. Later messages do not show in it.
func (s *Session) Counts() tokens.Counts { return s.in.Counts }

// Count is Counts and how sure they are, at the cost of a walk over the messages.
func (s *Session) Count() tokens.Count { return s.in.Meter.Sure(s.in.Conversation, s.in.Counts) }

// State is what the session began with or was told since.
func (s *Session) State() State { return s.state }

// SetState takes the State that Observe returned for this one.
func (s *Session) SetState(st State) error {
	m, err := decodeState(st)
	if err != nil {
		return err
	}
	if !slices.Equal(m.summaryKeys, s.memory.summaryKeys) { // other messages may be summaries now
		other, err := NewSession(s.c, st, s.policy, s.count)
		if err == nil {
			*s = *other
		}
		return err
	}
	s.state, s.memory = st, m
	return nil
}

// Policy is the policy of the session.
func (s *Session) Policy() Policy { return s.policy }

// Env is env with the counter of the session.
func (s *Session) Env(env Env) Env { env.Count = s.count; return env }

// Plan is NewPlan of the whole. Counter and state are the session's.
func (s *Session) Plan(env Env) (*Plan, error) {
	return s.draft(env).make()
}

func (s *Session) draft(env Env) *draftPlan {
	in := s.in
	return newDraft(&in, s.base.sum(), &s.policy, s.Env(env), s.memory)
}

// Turn says whether a plan would do anything. Where it would, saying so costs as much as the plan.
func (s *Session) Turn(env Env) Turn {
	turn := Turn{Messages: len(s.in.Conversation.Messages), Total: s.in.Counts.Total}
	var idle bool
	if turn.Trigger, idle = s.idle(env); idle {
		return turn
	}
	d := s.draft(env)
	plan, err := d.make()
	turn.Due = err != nil || len(plan.Edits)+len(plan.Requests) > 0
	turn.Trigger = d.plan.Trigger
	return turn
}

// idle reports, of a conversation that no layer speaks of, what a plan would wait for; true is never wrong.
func (s *Session) idle(env Env) (Trigger, bool) {
	in, p := &s.in, &s.policy
	if _, asked := compactCall(in.Conversation, in.Pairing); asked || env.Force || !s.watch.Quiet(in) {
		return Trigger{}, false
	}
	kind, used, limit := "", 0, 0
	if p.Clear.Enabled && p.Clear.TriggerToolUses > 0 {
		kind, used, limit = "tool_uses", s.watch.Uses(), p.Clear.TriggerToolUses
	} else {
		kind, used, limit = p.Clear.Trigger(in)
	}
	clearing := waiting(kind, used, limit, in.Counts.Total)
	if p.Summary.Strategy == "" || p.Summary.Strategy == "none" {
		return clearing, true
	}
	q := press(in, p, env, s.used(env))
	trigger := clearing
	if clearing.Kind == "every_turn" {
		trigger = q.trigger
	}
	trigger.waitFor(clearing, q.next)
	return trigger, q.trigger.Kind == "none"
}

func refText(text string) string { return Ref([]byte(text)) }
