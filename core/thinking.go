package core

import (
	"slices"
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/validity"
)

// Thinking that is bound to its prefix. On some models, every replayed thinking block is bound to the exact bytes
// before it: after an edit at message k, the provider refuses all thinking after k. The rules for these models are:
//
//   - An edit also drops the thinking of later turns, and an Action reports how much.
//   - Thinking of an open tool round is what the model goes on with. It is dropped only if the conversation is over its
//     hard limit or the compaction is forced, with a warning; else nothing is edited before it until the round ends.
//     With a budget of thinking (type "enabled") it may never be dropped.
//   - The whole history may be replaced, because no thinking is left after it.
//   - Env.Thinking has two other ways: KeepThinking never drops that of an open round, and with DropBlock the provider
//     drops what does not fit any more, so nothing is dropped here and only the report says how much is lost. OpenAI
//     withholds reasoning after a change without being asked, so its requests are like those with DropBlock.
//
// NewPlan applies these rules as if every summary succeeds. In Apply, some summaries may fail and their regions keep
// their thinking, and the conversation may have grown. So Apply applies the rules again, to the final rewrite:
//
//   - Thinking of a message in the plan's Archive is dropped. Every region and every edit is in the Archive, so this
//     covers all thinking that the plan did not drop itself.
//   - Thinking that was added after the plan was made is in no archive, and the host has not saved it. If it would have
//     to be dropped, the plan is stale; the next plan covers it.
//   - If thinking of an open tool round would have to be dropped that the plan does not drop, a new plan would fail in
//     the same way as long as its requests fail. Changes before it are cancelled.

// The values of Env.Thinking.
const (
	StripThinking = "strip"      // remove what does not fit any more; the default
	KeepThinking  = "keep"       // the same, but change nothing before thinking of an open round
	DropBlock     = "drop_block" // the request asks the provider to drop it: prefix_mismatch_behavior, drop_block
)

// checkThinking returns an error for an unknown value of Env.Thinking.
func (env *Env) checkThinking() error {
	switch env.Thinking {
	case "", StripThinking, KeepThinking, DropBlock:
		return nil
	}
	return msg.NewError(msg.BadRequest, "/thinking",
		"cannot use thinking: want "+StripThinking+", "+KeepThinking+" or "+DropBlock)
}

// boundThinking returns the thinking that must be dropped, in document order, and the first block whose change causes
// this. first is the first changed block; removed reports thinking that is removed in any case. Removing a thinking
// block while an earlier one is kept counts as a change too: only a leading or a trailing run may be removed without
// effect on the others.
func boundThinking(c *msg.Conversation, first msg.Ref, removed func(msg.Ref) bool) (msg.Ref, []msg.Ref) {
	var bound []msg.Ref
	kept := false
	for it := c.Walk(); it.Next(); {
		ref, block := it.Ref, it.Block
		if block.Kind != msg.KindThinking {
			continue
		}
		switch {
		case removed(ref):
			if kept && isAfter(first, ref) {
				first = ref
			}
		case isAfter(first, ref):
			kept = true
		default:
			bound = append(bound, ref)
		}
	}
	return first, bound
}

// earlier returns the first of two blocks in document order.
func earlier(a, b msg.Ref) msg.Ref {
	if isAfter(a, b) {
		return b
	}
	return a
}

// bindThinking applies these rules to the plan, if the model binds thinking.
func (d *draftPlan) bindThinking() {
	c := d.in.Conversation
	withheld := validity.WithholdsReasoning(c)
	if !validity.BindsThinking(c) && !withheld {
		return
	}
	summarized := d.summarizedMessages()
	decided := map[msg.Ref]int{} // thinking -> its decision
	for i := range d.decisions {
		if ref := d.decisions[i].Ref; c.At(ref).Kind == msg.KindThinking {
			decided[ref] = i
		}
	}
	first, bound := boundThinking(c, d.firstChange(), func(ref msg.Ref) bool {
		i, ok := decided[ref]
		return summarized[ref.Message] || ok && d.decisions[i].Edit != nil
	})
	if len(bound) == 0 {
		return
	}
	tokens := 0
	for _, ref := range bound {
		tokens += d.in.Counts.Messages[ref.Message].Blocks[ref.Block]
	}
	path := c.Messages[first.Message].Path
	d.lostThinking = len(bound)
	if withheld || d.env.Thinking == DropBlock {
		d.plan.Decisions = append(d.plan.Decisions, thinkingDropped(path, byProvider, len(bound), tokens))
		return
	}
	if open := msg.OpenRound(c); bound[len(bound)-1].Message >= open {
		if !d.dropsOpenThinking() {
			d.lostThinking = 0
			d.cancelEditsBefore(bound[len(bound)-1], open)
			return
		}
		d.plan.Warnings = append(d.plan.Warnings, Warning{Code: "thinking_lost", Path: c.Messages[open].Path,
			Message: "the thinking of this tool round is removed: it is bound to the text before it, which has to change"})
	}
	for _, ref := range bound {
		edit := dropBound(ref, first, d.in.Counts.Messages[ref.Message].Blocks[ref.Block])
		decision := pass.Decision{Ref: ref, Fate: pass.Dropped, Reason: edit.Reason, Edit: edit}
		if i, ok := decided[ref]; ok {
			d.decisions[i] = decision
		} else {
			d.decisions = append(d.decisions, decision)
		}
	}
	d.plan.Decisions = append(d.plan.Decisions, thinkingDropped(path, byTamp, len(bound), tokens))
}

// dropsOpenThinking reports whether the thinking of the open round is dropped.
func (d *draftPlan) dropsOpenThinking() bool {
	return d.env.Thinking != KeepThinking && mayDropOpenThinking(d.in.Conversation) &&
		(d.env.Force || d.plan.Limit > 0 && d.plan.Before > d.plan.Limit)
}

// mayDropOpenThinking reports whether the provider takes an open round without its thinking. With a budget of thinking,
// the assistant's last message has to begin with it.
func mayDropOpenThinking(c *msg.Conversation) bool {
	return validity.BindsThinking(c) && c.Thinking.Member("type").Text() != "enabled"
}

// dropBound returns the edit that drops a thinking block because the block first changes. tokens is the size of the
// thinking.
func dropBound(ref, first msg.Ref, tokens int) *Edit {
	return &Edit{Message: ref.Message, Block: ref.Block, Kind: pass.DropThinking, Tokens: tokens,
		Reason: "bound to message " + strconv.Itoa(first.Message) + ", which changes"}
}

// Who drops thinking that is bound to changed text.
const (
	byTamp     = "the provider would refuse them"
	byProvider = "the provider does not show them to the model"
)

// thinkingDropped reports that thinking blocks are dropped because the message at path changes. tokens is their sum.
func thinkingDropped(path, why string, blocks, tokens int) Action {
	return Action{Kind: "thinking_dropped", Path: path, Before: tokens,
		Reason: strconv.Itoa(blocks) + " later thinking blocks are bound to the changed text; " + why}
}

const waitsForRound = "thinking_open_round"

// Waits reports whether the plan changes nothing until the open tool round is finished, since it has bound thinking.
func (p *Plan) Waits() bool {
	return slices.ContainsFunc(p.Warnings, func(w Warning) bool { return w.Code == waitsForRound })
}

// firstChange returns the first block that the plan changes. For a message that is removed, or that gets a summary
// before it, this is its first block. If nothing changes, it is the position after the last message.
func (d *draftPlan) firstChange() msg.Ref {
	first := msg.Ref{Message: len(d.in.Conversation.Messages)}
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil && e.Kind != pass.DropThinking {
			first = earlier(first, e.Ref())
		}
	}
	for i := range d.regions {
		if r := &d.regions[i]; r.Blocks != nil {
			first = earlier(first, r.Blocks[0])
		} else {
			first = earlier(first, msg.Ref{Message: r.Spans[0].Start})
		}
	}
	if len(d.regions) > 0 && d.p.Summary.Strategy != "regions" { // its summaries are inserted before all kept messages
		first = earlier(first, msg.Ref{Message: headPosition(d.in.Conversation, d.in.Pairing)})
	}
	return first
}

const openReason = "the open tool round holds thinking that is bound to it"

// cancelEditsBefore cancels all edits before thinking, which is in the open round that begins at message open, and all
// regions and requests with the cuts that belong to them, with a warning.
func (d *draftPlan) cancelEditsBefore(thinking msg.Ref, open int) {
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil && (isAfter(thinking, e.Ref()) || slices.Contains(d.cuts, e.Ref())) {
			d.decisions[i].Edit, d.decisions[i].Fate, d.decisions[i].Reason = nil, pass.Pinned, openReason
		}
	}
	d.regions, d.plan.Requests = nil, []SummaryRequest{}
	d.plan.Warnings = append(d.plan.Warnings,
		Warning{Code: waitsForRound, Path: d.in.Conversation.Messages[open].Path,
			Message: "nothing before this tool round changes until the round is finished: its thinking is bound to the " +
				"text before it"})
}

// firstChange is draftPlan.firstChange for a rewrite.
func (w *rewrite) firstChange() msg.Ref {
	first := msg.Ref{Message: len(w.c.Messages)}
	for ref, e := range w.edits {
		if e.Kind != pass.DropThinking {
			first = earlier(first, ref)
		}
	}
	for ref := range w.inPlace {
		first = earlier(first, ref)
	}
	for m := range w.insert {
		first = earlier(first, msg.Ref{Message: m})
	}
	if m := slices.Index(w.removed, true); m >= 0 {
		first = earlier(first, msg.Ref{Message: m})
	}
	return first
}

// bindThinking applies these rules to the rewrite, if the model binds thinking and the provider is not asked to drop
// it. It may be called again after further changes.
func (a *applier) bindThinking(thinking string) error {
	if !validity.BindsThinking(a.c) || thinking == DropBlock {
		return nil
	}
	first, bound := boundThinking(a.c, a.w.firstChange(), func(ref msg.Ref) bool {
		return a.w.removed[ref.Message] || a.w.edits[ref] != nil
	})
	if len(bound) == 0 {
		return nil
	}
	last := bound[len(bound)-1]
	if last.Message >= a.plan.Length {
		return msg.NewError(msg.StalePlan, "/plan/base", "cannot apply: thinking that was added after the plan was made is "+
			"bound to text that the plan changes; make a new plan")
	}
	if last.Message >= msg.OpenRound(a.c) {
		a.cancelEditsBefore(last)
		return nil
	}
	saved := make([]bool, a.plan.Length)
	for _, s := range a.plan.Archive {
		for m := s.Start; m < s.End; m++ {
			saved[m] = true
		}
	}
	tokens := 0
	for _, ref := range bound {
		if !saved[ref.Message] {
			return badPlan("/plan/archive",
				"message "+strconv.Itoa(ref.Message)+" is not in the archive, and loses thinking that is bound to changed text")
		}
		edit := dropBound(ref, first, a.before.Messages[ref.Message].Blocks[ref.Block])
		a.w.edits[ref] = edit
		tokens += edit.Tokens
	}
	a.actions = append(a.actions, thinkingDropped(a.c.Messages[first.Message].Path, byTamp, len(bound), tokens))
	return nil
}

// cancelEditsBefore cancels all changes before thinking of the open round: edits, inserted summaries, and messages that
// truncateFailed dropped.
func (a *applier) cancelEditsBefore(thinking msg.Ref) {
	a.openRoundBound = true
	paths := map[string]bool{} // of the blocks whose edits are cancelled
	for ref := range a.w.edits {
		if isAfter(thinking, ref) {
			paths[a.c.At(ref).Path] = true
			delete(a.w.edits, ref)
		}
	}
	clear(a.w.inPlace)
	clear(a.w.removed)
	clear(a.w.insert)
	a.actions = slices.DeleteFunc(a.actions, func(action Action) bool { return action.Kind == "thinking_dropped" })
	for i := range a.actions {
		switch action := &a.actions[i]; action.Kind {
		case "failed", "keep", "none":
		default:
			if action.Kind == "summarize" || action.Kind == "truncate" || paths[action.Path] {
				action.Kind, action.After, action.Reason = "keep", action.Before, openReason
			}
		}
	}
}
