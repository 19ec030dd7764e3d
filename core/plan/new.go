package plan

import (
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/view"
)

// New plans the compaction of c under policy p: it is core.NewPlan, whose comment has its rules.
func New(c *msg.Conversation, st view.State, p *policy.Policy, env *Env) (*Plan, error) {
	made, _, err := Explain(c, st, p, env)
	return made, err
}

// Explain is New with the draft of the plan. With the error context_overflow, the draft is complete: Finish returns the
// plan.
func Explain(c *msg.Conversation, st view.State, p *policy.Policy, env *Env) (*Plan, *Draft, error) {
	s, err := newSession(c, st, p, env.Count, env.cache)
	if err != nil {
		return nil, nil, err
	}
	s.read(c) // without savepoints: it does not grow
	d := s.draft(env)
	made, err := d.Build()
	d.Keep(c, st)
	return made, d, err
}
