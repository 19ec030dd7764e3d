package plan

import (
	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/summarize"
	"tamp/core/view"
)

// source is what plans of one conversation read, under any Env: all have the same pointers.
type source struct {
	p       *policy.Policy // see effectivePolicy
	record  *view.Record
	in      *view.View          // the conversation before any edit
	recent  pass.Window         // its results are not cleared
	changes *pass.ChangeTracker // see tracked
	size    *publishedSize      // see published
}

func newSource(in *view.View, p *policy.Policy, m *view.Record) source {
	s := source{p: effectivePolicy(p, in), record: m, in: in, recent: clearWindow(p, in, m), size: new(publishedSize)}
	s.changes = &pass.ChangeTracker{Clear: p.Clear, Intake: p.Intake, Thinking: p.Thinking, Window: s.recent,
		RentFrom: m.RentFrom}
	s.changes.Clear.Was, s.changes.Clear.Reads, s.changes.Clear.Name = m.WasCleared, summarize.Files, view.RefText
	s.changes.Clear.Skill = func(call *msg.Block) string { return summarize.LoadsSkill(call.Name, call.Text) }
	if p.Clear.BytesPerName > 0 && marker.NeedsRef(p.Clear.Placeholder) {
		s.changes.Names = new(summarize.Names)
	}
	return s
}

// tracked returns the changes of the whole conversation. They are read when they are first needed.
func (s *source) tracked() *pass.ChangeTracker {
	s.changes.Add(s.in, view.RefText)
	return s.changes
}

// published returns the size of the whole conversation by the published rule of the policy's trigger. It is measured
// when it is first needed.
func (s *source) published() *publishedSize {
	s.size.addMessages(s.in, s.p.Trigger.Measure)
	return s.size
}

// used returns the size by the trigger's rule after edits, whose conversation is in.
func (s *source) used(env *Env, in *view.View, edits []pass.Edit) int {
	rule := s.p.Trigger.Measure
	switch {
	case rule == "chars4_json":
		return max(s.lengthAfter(in, edits), 2) / 4
	case rule == "chars3" && in == s.in:
		return s.published().counts.Total
	}
	return measure(in, rule, env, s.in.Counts.Total-in.Counts.Total)
}

// lengthAfter returns the length of the messages' JSON after edits, whose conversation is in.
func (s *source) lengthAfter(in *view.View, edits []pass.Edit) int {
	length, c, last := s.published().length, in.Conversation, -1
	for i := range edits {
		if m := edits[i].Message; m != last {
			last = m
			length += jsonLength(in.Meter, c.Format, c.Messages[m:m+1]) -
				jsonLength(in.Meter, c.Format, s.in.Conversation.Messages[m:m+1])
		}
	}
	return length
}
