package core

import (
	"tamp/core/apply"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/policy"
)

// Loop compacts one conversation in rounds: plan, save, answer, apply. Each round has one plan; merging summaries and a
// conversation that is still over its limit need more than one. It is not safe for concurrent use.
//
//	l, err := core.NewLoop(c, state, policy, env)
//	err = l.Run(core.Host{Save: store.Append})
//	// l.Conversation() and l.State() are those to send and to store
type Loop struct {
	c      *msg.Conversation
	state  State
	policy policy.Policy
	env    Env
	plan   *Plan
}

// NewLoop plans the first round. The errors are those of NewPlan.
func NewLoop(c *msg.Conversation, st State, p policy.Policy, env Env) (*Loop, error) {
	made, err := plan.New(c, st, &p, &env)
	if err != nil {
		return nil, err
	}
	return &Loop{c, st, p, env, made}, nil
}

// Loop is NewLoop of the whole conversation. The session does not change: its successor is a session of the loop's
// Conversation and State.
func (s *Session) Loop(env Env) (*Loop, error) {
	c, st, made, err := s.Start(env)
	if err != nil {
		return nil, err
	}
	return &Loop{c, st, s.Policy(), s.Env(env), made}, nil
}

// Plan returns the plan of this round, nil after the last one. The caller must not change it.
func (l *Loop) Plan() *Plan { return l.plan }

// Conversation returns the conversation before this round.
func (l *Loop) Conversation() *msg.Conversation { return l.c }

// State returns the State before this round.
func (l *Loop) State() State { return l.state }

// Summarize answers the requests of this round without a model.
func (l *Loop) Summarize() ([]SummaryResult, error) {
	return apply.Summarize(l.c, l.state, &l.policy, &l.env, l.plan, nil)
}

// Archive returns the originals that this round removes. Save them BEFORE you use the result of Apply.
func (l *Loop) Archive() []byte { return Archive(l.c, l.plan) }

// Apply finishes the round and returns its outcome. The errors are those of the function Apply; the round does not end
// then.
func (l *Loop) Apply(results []SummaryResult) (*Outcome, error) {
	out, err := apply.Run(l.c, l.state, &l.policy, &l.env, l.plan, results)
	if err != nil {
		return nil, err
	}
	l.c, l.state, l.plan = out.Conversation, out.State, out.Next
	l.env.Usage = nil // it counted the conversation before
	return out, nil
}

// Reread replaces the conversation by the same one, rendered and parsed. Messages that Apply wrote have no source
// bytes, which the archive of the next round contains.
func (l *Loop) Reread(c *msg.Conversation) { l.c = c }
