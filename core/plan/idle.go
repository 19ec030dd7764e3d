package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/policy"
	"tamp/core/view"
)

// Idle reports that a plan would do nothing, with the trigger that the plan waits for. It may be false for a plan
// that does nothing; if it is true, that is certain. changes are those of the conversation, published is its
// PublishedSize.
func Idle(in *view.View, p *policy.Policy, env *Env, changes *pass.ChangeTracker, published int) (Trigger, bool) {
	if _, asked := view.CallIn(in.Conversation, in.Pairing); asked || env.Force {
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
	if p.Summary.Strategy == "" || p.Summary.Strategy == "none" {
		return clearing, measure(in, "counter", env, 0) <= Window(p, in.Conversation)
	}
	state := evaluateTriggers(in, p, env, usedSize(in, p, env, published), 0)
	trigger := clearing
	if clearing.Kind == "every_turn" {
		trigger = state.trigger
	}
	trigger.waitFor(clearing, state.next)
	return trigger, state.trigger.Kind == "none"
}
