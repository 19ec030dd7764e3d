package core

import (
	"slices"
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
//
// The plan obeys these rules as if every summary succeeds. Which of them do shows only in Apply: what stays of a failed region
// keeps its thinking, and the conversation may have grown. So Apply obeys them again, on the final rewrite:
//
//   - Thinking of a message that the plan names in its Archive is dropped. Every region and every edit is in the Archive, so
//     this covers all thinking that the plan did not drop itself.
//   - Thinking that came after the plan was made is in no archive, and the host has saved nothing of it. Where it would have
//     to go, the plan is stale: the next one covers it.
//   - Thinking of an open tool round may not go, and a new plan would fail in the same way as long as its requests do. Where it
//     is behind a change, the change is taken back.

// boundThinking lists, in document order, the thinking that may not stay, and the first block that this is because of. first is
// the first block that changes, removed reports thinking that goes in any case. A block that goes although thinking before it
// stays counts as a change, too: only a leading or a trailing run may go by itself.
func boundThinking(c *msg.Conversation, first msg.Ref, removed func(msg.Ref) bool) (msg.Ref, []msg.Ref) {
	var bound []msg.Ref
	kept := false
	for m := range c.Messages {
		for b := range c.Messages[m].Blocks {
			if c.Messages[m].Blocks[b].Kind != msg.KindThinking {
				continue
			}
			switch ref := (msg.Ref{Message: m, Block: b}); {
			case removed(ref):
				if kept && after(first, ref) {
					first = ref
				}
			case after(first, ref):
				kept = true
			default:
				bound = append(bound, ref)
			}
		}
	}
	return first, bound
}

// earlier returns the one of two blocks that comes first.
func earlier(a, b msg.Ref) msg.Ref {
	if after(a, b) {
		return b
	}
	return a
}

// bindThinking makes the plan obey these rules on the models that have them.
func (d *draftPlan) bindThinking() {
	c := d.in.Conversation
	if !msg.BindsThinking(c.Model) {
		return
	}
	gone := d.gone()
	decided := map[msg.Ref]int{} // thinking -> its decision
	for i := range d.decisions {
		if ref := d.decisions[i].Ref; c.At(ref).Kind == msg.KindThinking {
			decided[ref] = i
		}
	}
	first, bound := boundThinking(c, d.firstChange(), func(ref msg.Ref) bool {
		i, ok := decided[ref]
		return gone[ref.Message] || ok && d.decisions[i].Edit != nil
	})
	if len(bound) == 0 {
		return
	}
	if open := msg.OpenRound(c); bound[len(bound)-1].Message >= open {
		d.spareBefore(open)
		return
	}
	tokens := 0
	for _, ref := range bound {
		edit := dropBound(ref, first, d.in.Counts.Messages[ref.Message].Blocks[ref.Block])
		decision := pass.Decision{Ref: ref, Fate: pass.Dropped, Reason: edit.Reason, Edit: edit}
		tokens += edit.Tokens
		if i, ok := decided[ref]; ok {
			d.decisions[i] = decision
		} else {
			d.decisions = append(d.decisions, decision)
		}
	}
	d.plan.Decisions = append(d.plan.Decisions, thinkingDropped(c.Messages[first.Message].Path, len(bound), tokens))
}

// dropBound is the edit that drops thinking of so many tokens, since the block first changes.
func dropBound(ref, first msg.Ref, tokens int) *Edit {
	return &Edit{Message: ref.Message, Block: ref.Block, Kind: pass.DropThinking, Tokens: tokens,
		Reason: "bound to message " + strconv.Itoa(first.Message) + ", which changes"}
}

// thinkingDropped says that so many blocks went, since the message at path changes.
func thinkingDropped(path string, blocks, tokens int) Action {
	return Action{Kind: "thinking_dropped", Path: path, Before: tokens,
		Reason: strconv.Itoa(blocks) + " later thinking blocks are bound to what changes here; the provider would refuse them"}
}

// firstChange returns the first block that the plan changes; of a message that goes, or before which a summary comes, its first
// one. Behind the last message: nothing changes.
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
	if len(d.regions) > 0 && d.p.Summary.Strategy != "regions" { // its summaries come before everything that stays
		first = earlier(first, msg.Ref{Message: headPosition(d.in.Conversation)})
	}
	return first
}

const openReason = "the open tool round holds thinking that is bound to it"

// spareBefore takes back everything before the open round.
func (d *draftPlan) spareBefore(open int) {
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil && e.Message < open {
			d.decisions[i].Edit, d.decisions[i].Fate, d.decisions[i].Reason = nil, pass.Pinned, openReason
		}
	}
	d.regions, d.plan.Requests = nil, []SummaryRequest{}
	d.plan.Warnings = append(d.plan.Warnings, Warning{Code: "thinking_open_round", Path: d.in.Conversation.Messages[open].Path,
		Message: "nothing before this tool round may change until it is finished: its thinking is bound to all of it"})
}

// firstChange is draftPlan's, of the rewrite.
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
	if m := slices.Index(w.gone, true); m >= 0 {
		first = earlier(first, msg.Ref{Message: m})
	}
	return first
}

// bindThinking makes the rewrite obey these rules on the models that have them. It may be called again after further changes.
func (a *applying) bindThinking() error {
	if !msg.BindsThinking(a.c.Model) {
		return nil
	}
	first, bound := boundThinking(a.c, a.w.firstChange(), func(ref msg.Ref) bool {
		return a.w.gone[ref.Message] || a.w.edits[ref] != nil
	})
	if len(bound) == 0 {
		return nil
	}
	last := bound[len(bound)-1].Message
	if last >= a.plan.Length {
		return msg.NewError(msg.StalePlan, "/plan/base", "cannot apply: thinking that came after the plan was made is bound to "+
			"what the plan changes; make a new one")
	}
	if open := msg.OpenRound(a.c); last >= open {
		a.spareBefore(open)
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
			return badPlan("/plan/archive", "message "+strconv.Itoa(ref.Message)+" is not in it, and loses thinking that is bound to what changes")
		}
		edit := dropBound(ref, first, a.before.Messages[ref.Message].Blocks[ref.Block])
		a.w.edits[ref] = edit
		tokens += edit.Tokens
	}
	a.actions = append(a.actions, thinkingDropped(a.c.Messages[first.Message].Path, len(bound), tokens))
	return nil
}

// spareBefore takes back everything before the open round: edits, summaries that came, and what failures dropped.
func (a *applying) spareBefore(open int) {
	a.spared = true
	paths := map[string]bool{} // of the blocks whose edits are taken back
	for ref := range a.w.edits {
		if ref.Message < open {
			paths[a.c.At(ref).Path] = true
			delete(a.w.edits, ref)
		}
	}
	clear(a.w.inPlace)
	clear(a.w.gone)
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
