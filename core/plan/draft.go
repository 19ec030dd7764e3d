package plan

import (
	"cmp"
	"slices"

	"tamp/core/internal/order"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/view"
)

// Draft is a plan that is being made.
type Draft struct {
	inputs
	decisions []pass.Decision
	tasks     []pass.Decision // edits of the first and the newest prompt
	regions   []Region
	waiting   bool      // some regions are left to the next plan
	cuts      []msg.Ref // the results that are cut together with summaries
	// blocks of thinking that the provider would refuse, or that it withholds, after the changes
	lostThinking int
	kept         map[msg.Ref]bool // see Env.Chosen
	dropped      map[msg.Ref]bool // the blocks that Chosen.Drop removes
	plan         *Plan
}

// NewDraft returns an empty plan for a conversation that does not grow. Its Base is not set.
func NewDraft(in *view.View, p *policy.Policy, env *Env, m *view.Record) *Draft {
	return newDraft(newSource(in, p, m), "", env)
}

// newDraft returns an empty plan for a conversation whose digest is base.
func newDraft(s source, base view.Digest, env *Env) *Draft {
	in, c := s.in, s.in.Conversation
	plan := &Plan{Base: base, Length: len(c.Messages), Before: in.Counts.Total, After: in.Counts.Total,
		Edits: []pass.Edit{}, Regions: []Region{}, Requests: []SummaryRequest{}, Archive: []msg.Span{},
		Decisions: []Action{}, Warnings: []msg.Warning{}}
	plan.Warnings = append(plan.Warnings, c.Warnings...)
	d := &Draft{plan: plan, inputs: inputs{source: s, env: *env}}
	if keep := env.keep(); len(keep) > 0 {
		plan.Keep = keep
		kept := *in // the view is shared with other plans
		kept.Kept, d.kept = make([]bool, len(c.Messages)), map[msg.Ref]bool{}
		for _, r := range keep {
			if d.kept[r] = true; r.Message >= 0 && r.Message < len(kept.Kept) {
				kept.Kept[r.Message] = true
			}
		}
		d.in = &kept
	}
	if focus, ok := view.CallIn(c, in.Pairing); ok {
		d.env.Force = true
		if env.Focus == "" {
			d.env.Focus = focus
		}
	}
	return d
}

// Keep keeps what the draft read of the conversation c in the cache, for Apply.
func (d *Draft) Keep(c *msg.Conversation, st view.State) {
	d.env.cache.Keep(c, st, d.in, d.plan.Base)
}

// View returns the conversation that the draft is for.
func (d *Draft) View() *view.View { return d.in }

// Blocks returns the decisions about blocks.
func (d *Draft) Blocks() []pass.Decision { return d.decisions }

// Trigger returns the trigger of the plan, also of one that failed.
func (d *Draft) Trigger() Trigger { return d.plan.Trigger }

// edits lists the changes of layers 0 and 1 in document order.
func (d *Draft) edits() []pass.Edit {
	edits := []pass.Edit{}
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil {
			edits = append(edits, *e)
		}
	}
	return edits
}

// summarizedMessages marks the messages that summaries replace.
func (d *Draft) summarizedMessages() []bool {
	summarized := make([]bool, len(d.in.Conversation.Messages))
	for _, r := range d.regions {
		for _, s := range r.Spans {
			for m := s.Start; r.Blocks == nil && m < s.End; m++ {
				summarized[m] = true
			}
		}
	}
	return summarized
}

// originalRefs maps blocks of the edited conversation to their positions before the edits. They differ if thinking
// before a block was dropped from its message. blocks are in document order.
func (d *Draft) originalRefs(edits []pass.Edit, blocks []msg.Ref) []msg.Ref {
	dropped := map[msg.Ref]bool{}
	for i := range edits {
		if edits[i].Kind.Removes() {
			dropped[edits[i].Ref()] = true
		}
	}
	if len(dropped) == 0 {
		return blocks
	}
	out := slices.Clone(blocks)
	at, left := msg.Ref{Message: -1}, 0 // left: blocks of the message up to at that are not dropped
	for i, ref := range blocks {
		if ref.Message != at.Message {
			at, left = msg.Ref{Message: ref.Message}, 0
		}
		for left < ref.Block || dropped[at] {
			if !dropped[at] {
				left++
			}
			at.Block++
		}
		out[i] = at
	}
	return out
}

func sortDecisions(decisions []pass.Decision) {
	sorted := true
	for i := 1; i < len(decisions) && sorted; i++ {
		sorted = !view.IsAfter(decisions[i-1].Ref, decisions[i].Ref)
	}
	if sorted { // as usual: the decisions of one pass are in order
		return
	}
	order.Stable(decisions, func(a, b pass.Decision) int {
		return cmp.Or(a.Ref.Message-b.Ref.Message, a.Ref.Block-b.Ref.Block)
	})
}
