package core

import (
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// Thinking that is bound to its prefix. On some models every replayed thinking block is bound to the exact bytes before it:
// an edit at message k breaks all thinking after k, and the provider refuses the request. So there
//
//   - the thinking of later finished turns goes with the edit, and an Action says how much;
//   - nothing is edited before an open tool round that holds thinking, since that thinking may not go;
//   - replacing the whole history is harmless, since no thinking is left behind it.

// bindThinking makes the plan obey these rules on the models that have them.
func (d *draftPlan) bindThinking() {
	c := d.in.Conversation
	if !msg.BindsThinking(c.Model) {
		return
	}
	first := d.firstChange()
	if first == len(c.Messages) {
		return
	}
	gone := d.gone()
	open := msg.OpenRound(c)
	if open < len(c.Messages) && first < open && !gone[open] && hasThinking(&c.Messages[open]) {
		d.spareBefore(open)
		return
	}
	dropped := map[msg.Ref]bool{}
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil && e.Kind == pass.DropThinking {
			dropped[d.decisions[i].Ref] = true
		}
	}
	count, tokens := 0, 0
	for m := first + 1; m < open; m++ { // nothing is dropped from the open round, even if it is invalid
		for b := range c.Messages[m].Blocks {
			ref := msg.Ref{Message: m, Block: b}
			if gone[m] || c.Messages[m].Blocks[b].Kind != msg.KindThinking || dropped[ref] {
				continue
			}
			d.dropThinking(ref, first)
			count++
			tokens += d.in.Counts.Messages[m].Blocks[b]
		}
	}
	if count > 0 {
		d.plan.Decisions = append(d.plan.Decisions, Action{Kind: "thinking_dropped", Path: c.Messages[first].Path, Before: tokens,
			Reason: strconv.Itoa(count) + " later thinking blocks are bound to what changes here; the provider would refuse them"})
	}
}

// dropThinking decides that a block goes, whatever was decided about it before.
func (d *draftPlan) dropThinking(ref msg.Ref, first int) {
	why := "bound to message " + strconv.Itoa(first) + ", which changes"
	decision := pass.Decision{Ref: ref, Fate: pass.Dropped, Reason: why, Edit: &Edit{Message: ref.Message, Block: ref.Block,
		Kind: pass.DropThinking, Tokens: d.in.Counts.Messages[ref.Message].Blocks[ref.Block], Reason: why}}
	for i := range d.decisions {
		if d.decisions[i].Ref == ref {
			d.decisions[i] = decision
			return
		}
	}
	d.decisions = append(d.decisions, decision)
}

// firstChange returns the index of the first message that the plan changes.
func (d *draftPlan) firstChange() int {
	first := len(d.in.Conversation.Messages)
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil && e.Kind != pass.DropThinking {
			first = min(first, e.Message)
		}
	}
	for _, r := range d.regions {
		first = min(first, r.Spans[0].Start)
	}
	return first
}

// spareBefore takes back everything before the open round.
func (d *draftPlan) spareBefore(open int) {
	why := "the open tool round holds thinking that is bound to it"
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil && e.Message < open {
			d.decisions[i].Edit, d.decisions[i].Fate, d.decisions[i].Reason = nil, pass.Pinned, why
		}
	}
	d.regions, d.plan.Requests = nil, []SummaryRequest{}
	d.plan.Warnings = append(d.plan.Warnings, Warning{Code: "thinking_open_round", Path: d.in.Conversation.Messages[open].Path,
		Message: "nothing before this tool round may change until it is finished: its thinking is bound to all of it"})
}

func hasThinking(m *msg.Message) bool {
	for b := range m.Blocks {
		if m.Blocks[b].Kind == msg.KindThinking {
			return true
		}
	}
	return false
}
