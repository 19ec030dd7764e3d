package plan

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// adopt adds decisions with edits. A block that has an edit keeps it.
func (d *Draft) adopt(decisions []pass.Decision) {
	at := make(map[msg.Ref]int, len(d.decisions))
	for i := range d.decisions {
		at[d.decisions[i].Ref] = i
	}
	for _, x := range d.keepChosen(decisions) {
		i, found := at[x.Ref]
		switch {
		case !found:
			at[x.Ref] = len(d.decisions)
			d.decisions = append(d.decisions, x)
		case d.decisions[i].Edit == nil:
			d.decisions[i] = x
		}
	}
}

// adoptCuts adds the edits of tool results that stay to the decisions. edits are those after which cuts were made.
func (d *Draft) adoptCuts(cuts []pass.Decision, edits []pass.Edit) {
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
