package core

import (
	"slices"
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
)

// This file decides whether a compaction of a bounded policy is worth it.

// adopt adds decisions with edits. A block that has an edit keeps it.
func (d *draftPlan) adopt(decisions []pass.Decision) {
	at := make(map[msg.Ref]int, len(d.decisions))
	for i := range d.decisions {
		at[d.decisions[i].Ref] = i
	}
	for _, x := range decisions {
		i, known := at[x.Ref]
		switch {
		case !known:
			at[x.Ref] = len(d.decisions)
			d.decisions = append(d.decisions, x)
		case d.decisions[i].Edit == nil:
			d.decisions[i] = x
		}
	}
}

// adoptCuts adds the edits of tool results that stay to the decisions. edits are those after which cuts were made.
func (d *draftPlan) adoptCuts(cuts []pass.Decision, edits []Edit) {
	summarized := d.summarizedMessages()
	moved := slices.DeleteFunc(slices.Clone(cuts), func(x pass.Decision) bool { return summarized[x.Ref.Message] })
	for i := range moved {
		x, e := &moved[i], *moved[i].Edit
		x.Ref = d.originalRefs(edits, []msg.Ref{x.Ref})[0]
		e.Message, e.Block, x.Edit = x.Ref.Message, x.Ref.Block, &e
		d.cuts = append(d.cuts, x.Ref)
	}
	d.adopt(moved)
}

// limitClears cancels new clears, the newest first, after which summaries would be more than maxClearedShare of the
// rest: placeholders are not recent text.
func (d *draftPlan) limitClears() {
	summaries, left := 0, d.in.Counts.Total
	for m, is := range summaryMessages(d.in.Conversation) {
		if is {
			summaries += d.in.Counts.Messages[m].Tokens
		}
	}
	for _, e := range d.edits() {
		left -= e.Tokens - e.After
	}
	for i := len(d.decisions) - 1; i >= 0 && summaries*1000 > left*maxClearedShare; i-- {
		if x := &d.decisions[i]; x.Edit != nil && d.isNewClear(x.Edit) {
			left += x.Edit.Tokens - x.Edit.After
			x.Edit, x.Fate, x.Reason = nil, pass.Kept, "without it, summaries would be too large a share"
		}
	}
}

// cacheable is the largest of the providers' minimum lengths of a cached prompt, in tokens. A smaller conversation has
// no cache entry that a compaction could break.
const cacheable = 4096

// needsGain reports whether a compaction is made only if it frees enough: with bounded memory always, else before the
// hard limit and without the user's command, if there can be a cache entry.
func (d *draftPlan) needsGain(in *pass.Input, state *triggerState) bool {
	return d.p.IsBounded() || state.minGain > 0 && state.trigger.Kind != "manual" && in.Counts.Total >= cacheable
}

// tooSmall returns the reason why a compaction does not free enough, "" if it does or if the hard limit is near.
func (d *draftPlan) tooSmall(in *pass.Input, s *selection, state *triggerState) string {
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
func lastTurn(in *pass.Input) int {
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
func (d *draftPlan) doNothing(why string, clearing Trigger, state *triggerState) {
	d.prompts, d.tasks = nil, nil
	d.plan.Trigger = Trigger{Kind: "none", Used: state.used, Limit: state.hard}
	d.plan.Trigger.waitFor(clearing, state.next)
	d.plan.Warnings = append(d.plan.Warnings, Warning{Code: "compaction_waits", Message: why})
}

// noteCode is the code of the warning about the recent window or the target.
func noteCode(p *policy.Policy) string {
	if p.IsBounded() {
		return "target_raised"
	}
	return "window_shrunk"
}
