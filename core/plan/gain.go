package plan

import (
	"strconv"

	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/view"
)

// This file decides whether a compaction of a bounded policy is worth it.

// cacheable is the largest of the providers' minimum lengths of a cached prompt, in tokens. A smaller conversation has
// no cache entry that a compaction could break.
const cacheable = 4096

// needsGain reports whether a compaction is made only if it frees enough: with bounded sizes always, else before the
// hard limit and without the user's command, if there can be a cache entry.
func (d *inputs) needsGain(in *view.View, state *triggerState) bool {
	return d.p.IsBounded() || state.minGain > 0 && state.trigger.Kind != "manual" && in.Counts.Total >= cacheable
}

// tooSmall returns the reason why a compaction does not free enough, "" if it does or if the hard limit is near.
func (d *Draft) tooSmall(in *view.View, s *selection, state *triggerState) string {
	if state.over {
		return ""
	}
	freed := d.in.Counts.Total - in.Counts.Total
	for i := range s.cuts {
		freed += s.cuts[i].Edit.Tokens - s.cuts[i].Edit.After
	}
	for i := range s.regions {
		freed += s.regions[i].gain()
	}
	need := state.minGain
	if state.trigger.Kind == "manual" || d.p.Trigger.MinGainPermille == 0 {
		need = 0
	} else if d.p.IsBounded() {
		need = max(need, 4*lastTurn(in))
	}
	if freed > 0 && freed >= need {
		return ""
	}
	if need == 0 {
		return "nothing can be freed: all messages are instructions, prompts, summaries or the newest turns"
	}
	return "a compaction would free " + strconv.Itoa(max(freed, 0)) + " tokens, at least " + strconv.Itoa(need) +
		" are worth it"
}

// lastTurn returns the tokens of the newest turn: from the newest assistant message to the end.
func lastTurn(in *view.View) int {
	sum := 0
	for m := len(in.Conversation.Messages) - 1; m >= 0; m-- {
		sum += in.Counts.Messages[m].Tokens
		if in.Conversation.Messages[m].Role == msg.Assistant {
			break
		}
	}
	return sum
}

// doNothing makes the plan wait, with its reason as a warning.
func (d *Draft) doNothing(why string, clearing Trigger, state *triggerState) {
	d.plan.Trigger = Trigger{Kind: "none", Used: state.used, Limit: state.hard}
	d.plan.Trigger.waitFor(clearing, state.next)
	d.plan.Warnings = append(d.plan.Warnings, msg.Warning{Code: "compaction_waits", Message: why})
}

// noteCode is the code of the warning about the recent window or the target.
func noteCode(p *policy.Policy) string {
	if p.IsBounded() {
		return "target_raised"
	}
	return "window_shrunk"
}
