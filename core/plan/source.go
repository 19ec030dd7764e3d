package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/policy"
	"tamp/core/view"
)

// source is what plans of one conversation read, under any Env. Each part is computed when a plan first needs it.
type source struct {
	given   *policy.Policy
	p       *policy.Policy // given, see effectivePolicy
	record  view.Record
	in      *view.View         // the conversation before any edit
	recent  pass.Window        // its results are not cleared
	changes pass.ChangeTracker // see tracked
	size    publishedSize
}

func newSource(in *view.View, p *policy.Policy, m *view.Record) *source {
	s := &source{given: p, p: effectivePolicy(p, in), record: *m, in: in, recent: clearWindow(p, in, m)}
	s.changes = pass.ChangeTracker{Clear: p.Clear, Intake: p.Intake, Thinking: p.Thinking, Window: s.recent,
		RentFrom: m.RentFrom}
	s.changes.Clear.Was = s.record.WasCleared
	return s
}

// tracked returns the changes of the whole conversation.
func (s *source) tracked() *pass.ChangeTracker {
	s.changes.Add(s.in, view.RefText)
	return &s.changes
}

// published returns the size of the whole conversation by the published rule of the policy's trigger.
func (s *source) published() *publishedSize {
	s.size.add(s.in, s.p.Trigger.Measure)
	return &s.size
}

// used returns the size of the whole conversation by the trigger's rule.
func (s *source) used(env *Env) int {
	switch s.p.Trigger.Measure {
	case "chars4_json":
		return max(s.published().length, 2) / 4
	case "chars3":
		return s.published().counts.Total
	}
	return measure(s.in, s.p.Trigger.Measure, env, 0)
}
