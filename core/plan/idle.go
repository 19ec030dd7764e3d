package plan

import "tamp/core/view"

// idle reports that a plan would do nothing, with the trigger that the plan waits for. It may be false for a plan
// that does nothing; if it is true, that is certain.
func (s *source) idle(env *Env) (Trigger, bool) {
	in, p, changes := s.in, s.p, s.tracked()
	if _, asked := view.CallIn(in.Conversation, in.Pairing); asked || env.Force || env.changesChosen() {
		return Trigger{}, false
	}
	terms := termsOf(env, in, p, changes.Rent())
	if !changes.NothingToDo(in, &terms) {
		return Trigger{}, false
	}
	kind, used, limit := "", 0, 0
	if p.Clear.Enabled && p.Clear.TriggerToolUses > 0 {
		kind, used, limit = "tool_uses", changes.Uses(), p.Clear.TriggerToolUses
	} else {
		kind, used, limit = p.Clear.Trigger(in)
	}
	clearing := newClearTrigger(kind, used, limit, in.Counts.Total)
	fits := measure(in, "counter", env, 0) <= Window(p, in.Conversation) // else Draft.checkLimit may refuse
	if p.Summary.Strategy == "" || p.Summary.Strategy == "none" {
		return clearing, fits
	}
	state := evaluateTriggers(in, p, env, s.used(env, in, nil), 0)
	trigger := clearing
	if clearing.Kind == "every_turn" {
		trigger = state.trigger
	}
	trigger.waitFor(clearing, state.next)
	return trigger, fits && state.trigger.Kind == "none"
}
