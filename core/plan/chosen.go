package plan

import (
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/validity"
	"tamp/core/view"
)

// This file carries out what the host chose: Env.Chosen.

// checkChosen returns an error for a block that does not exist.
func (d *Draft) checkChosen() error {
	for _, list := range []struct {
		name string
		refs []msg.Ref
	}{{"keep", d.env.keep()}, {"drop", d.env.drop()}, {"summarize", d.env.summarize()}} {
		for i, r := range list.refs {
			if all := d.in.Conversation.Messages; r.Message < 0 || r.Message >= len(all) || r.Block < 0 ||
				r.Block >= len(all[r.Message].Blocks) {
				return msg.NewError(msg.BadRequest, "/"+list.name+"/"+strconv.Itoa(i),
					"cannot plan: message "+strconv.Itoa(r.Message)+" has no block "+strconv.Itoa(r.Block))
			}
		}
	}
	return nil
}

// keepChosen cancels the edits of blocks that the host keeps.
func (d *Draft) keepChosen(decisions []pass.Decision) []pass.Decision {
	for i := range decisions {
		if x := &decisions[i]; d.kept[x.Ref] {
			x.Edit, x.Fate, x.Reason = nil, pass.Pinned, "kept as the host chose"
		}
	}
	return decisions
}

// dropChosen drops the blocks that the host chose, each with the blocks that are valid only together with it. A summary
// of the same plan would be written from dropped blocks, too, so the next plan makes it (Outcome.Next).
func (d *Draft) dropChosen() {
	if len(d.env.drop()) == 0 {
		return
	}
	c := d.in.Conversation
	marked, open := make([]bool, len(c.Messages)), msg.OpenRound(c)
	view.MarkWaiting(c, d.in.Pairing, marked)
	stays := func(r msg.Ref) string {
		m := &c.Messages[r.Message]
		switch {
		case d.kept[r]:
			return "kept as the host chose"
		case view.IsInstruction(m) || m.IsSetting():
			return "instructions are never touched"
		case marked[r.Message]:
			return "its result may still come"
		case c.At(r).Kind == msg.KindThinking && (validity.AsksReasoning(c) ||
			r.Message >= open && !view.MayDropOpenThinking(c)):
			return "the provider asks it back"
		}
		return ""
	}
	dropped := map[msg.Ref]bool{}
	d.dropped = dropped
	for _, r := range d.env.drop() {
		group, why := []msg.Ref{r}, ""
		in := map[msg.Ref]bool{r: true}
		for i := 0; i < len(group) && !dropped[r]; i++ {
			if why == "" {
				why = stays(group[i])
			}
			d.in.Pairing.Linked(group[i], func(other msg.Ref) {
				if !in[other] {
					in[other] = true
					group = append(group, other)
				}
			})
		}
		if dropped[r] {
			continue
		}
		if why != "" {
			d.decisions = append(d.decisions, pass.Decision{Ref: r, Fate: pass.Pinned, Reason: why})
			continue
		}
		for _, r := range group {
			dropped[r] = true
		}
	}
	for m := range c.Messages {
		blocks := c.Messages[m].Blocks
		follows := false // a block that stays and is no thinking
		for b := len(blocks) - 1; b >= 0; b-- {
			r, reason := msg.Ref{Message: m, Block: b}, "removed as the host chose"
			thinking := blocks[b].Kind == msg.KindThinking
			if thinking && !dropped[r] && !follows && b+1 < len(blocks) && dropped[msg.Ref{Message: m, Block: b + 1}] {
				dropped[r], reason = true, "it led to a block that is removed"
			}
			follows = follows || !thinking && !dropped[r]
			if dropped[r] {
				tokens := d.in.Counts.Messages[m].Blocks[b]
				d.decisions = append(d.decisions, pass.Decision{Ref: r, Fate: pass.Dropped, Reason: reason,
					Edit: &pass.Edit{Message: m, Block: b, Kind: pass.Drop, Tokens: tokens, Reason: reason}})
			}
		}
	}
	d.plan.Trigger = Trigger{Kind: "drop"}
}
