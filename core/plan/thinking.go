package plan

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/validity"
	"tamp/core/view"
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

// bindThinking applies these rules to the plan, if the model binds thinking.
func (d *Draft) bindThinking() {
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
	first, bound := view.BoundThinking(c, d.firstChange(), func(ref msg.Ref) bool {
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
		d.plan.Decisions = append(d.plan.Decisions, ThinkingDropped(path, byProvider, len(bound), tokens))
		return
	}
	if open := msg.OpenRound(c); bound[len(bound)-1].Message >= open {
		if !d.dropsOpenThinking() {
			d.lostThinking = 0
			d.cancelEditsBefore(bound[len(bound)-1], open)
			return
		}
		d.plan.Warnings = append(d.plan.Warnings, msg.Warning{Code: "thinking_lost", Path: c.Messages[open].Path,
			Message: "the thinking of this tool round is removed: it is bound to the text before it, which has to change"})
	}
	for _, ref := range bound {
		edit := DropBound(ref, first, d.in.Counts.Messages[ref.Message].Blocks[ref.Block])
		decision := pass.Decision{Ref: ref, Fate: pass.Dropped, Reason: edit.Reason, Edit: edit}
		if i, ok := decided[ref]; ok {
			d.decisions[i] = decision
		} else {
			d.decisions = append(d.decisions, decision)
		}
	}
	d.plan.Decisions = append(d.plan.Decisions, ThinkingDropped(path, ByTamp, len(bound), tokens))
}

// dropsOpenThinking reports whether the thinking of the open round is dropped.
func (d *Draft) dropsOpenThinking() bool {
	return d.env.Thinking != KeepThinking && view.MayDropOpenThinking(d.in.Conversation) &&
		(d.env.Force || d.env.changesChosen() || d.plan.Limit > 0 && d.plan.Before > d.plan.Limit)
}

// firstChange returns the first block that the plan changes. For a message that is removed, or that gets a summary
// before it, this is its first block. If nothing changes, it is the position after the last message.
func (d *Draft) firstChange() msg.Ref {
	first := msg.Ref{Message: len(d.in.Conversation.Messages)}
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil && e.Kind != pass.DropThinking {
			first = view.Earlier(first, e.Ref())
		}
	}
	for i := range d.regions {
		if r := &d.regions[i]; r.Blocks != nil {
			first = view.Earlier(first, r.Blocks[0])
		} else {
			first = view.Earlier(first, msg.Ref{Message: r.Spans[0].Start})
		}
	}
	if len(d.regions) > 0 && d.p.Summary.Strategy != "regions" { // its summaries are inserted before all kept messages
		first = view.Earlier(first, msg.Ref{Message: view.HeadPosition(d.in.Conversation, d.in.Pairing)})
	}
	return first
}

// cancelEditsBefore cancels all edits before thinking, which is in the open round that begins at message open, and all
// regions and requests with the cuts that belong to them, with a warning.
func (d *Draft) cancelEditsBefore(thinking msg.Ref, open int) {
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil && (view.IsAfter(thinking, e.Ref()) || slices.Contains(d.cuts, e.Ref())) {
			d.decisions[i].Edit, d.decisions[i].Fate, d.decisions[i].Reason = nil, pass.Pinned, OpenReason
		}
	}
	d.regions, d.plan.Requests = nil, []SummaryRequest{}
	d.plan.Warnings = append(d.plan.Warnings,
		msg.Warning{Code: waitsForRound, Path: d.in.Conversation.Messages[open].Path,
			Message: "nothing before this tool round changes until the round is finished: its thinking is bound to the " +
				"text before it"})
}
