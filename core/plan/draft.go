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

// Draft is the state of NewPlan while it builds a plan.
type Draft struct {
	p          *policy.Policy
	recent     pass.Window // its results are not cleared
	env        Env
	record     view.Record
	in         *view.View // the conversation before any edit
	decisions  []pass.Decision
	prompts    []pass.Decision // edits of long old prompts
	tasks      []pass.Decision // edits of the first and the newest prompt
	regions    []Region
	waiting    bool                // some regions are left to the next plan
	cuts       []msg.Ref           // the results that are cut together with summaries
	published  int                 // size by the published rule of the trigger before any edit; 0 if not known
	jsonLength int                 // code points that it is computed from; 0 if not known
	tracker    *pass.ChangeTracker // of the whole conversation; nil until it is needed
	conditions *pass.Terms         // see terms; nil until they are needed
	// blocks of thinking that the provider would refuse, or that it withholds, after the changes
	lostThinking int
	plan         *Plan
}

// NewDraft returns an empty plan for a conversation whose digest is base.
func NewDraft(in *view.View, base view.Digest, p *policy.Policy, env Env, m view.Record) *Draft {
	c := in.Conversation
	if focus, ok := view.CallIn(c, in.Pairing); ok {
		env.Force = true
		if env.Focus == "" {
			env.Focus = focus
		}
	}
	plan := &Plan{Base: base, Length: len(c.Messages), Before: in.Counts.Total, After: in.Counts.Total,
		Edits: []pass.Edit{}, Regions: []Region{}, Requests: []SummaryRequest{}, Archive: []msg.Span{},
		Decisions: []Action{}, Warnings: []msg.Warning{}}
	plan.Warnings = append(plan.Warnings, c.Warnings...)
	return &Draft{p: effectivePolicy(p, in), recent: clearWindow(p, in, &m), env: env, record: m, in: in, plan: plan}
}

// Keep keeps what the draft read of the conversation c in the cache, for Apply.
func (d *Draft) Keep(c *msg.Conversation, st view.State) {
	d.env.cache.Keep(c, st, d.in, d.plan.Base)
}

// Reuse makes the draft use what a session has read: the changes of the conversation and its PublishedSize.
func (d *Draft) Reuse(changes *pass.ChangeTracker, published int) {
	d.tracker = changes
	if published > 0 {
		d.published = usedSize(d.in, d.p, d.env, published)
	}
	if d.p.Trigger.Measure == "chars4_json" {
		d.jsonLength = published
	}
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

// edited returns the conversation after edits, with new counts. The indexes of messages do not change.
func (d *Draft) edited(edits []pass.Edit) *view.View {
	if len(edits) == 0 {
		return d.in
	}
	in := *d.in
	w := view.NewRewrite(d.in.Conversation, edits)
	in.Conversation = w.Write(false) // the indexes of messages do not change
	in.Pairing = msg.Pair(in.Conversation)
	in.Counts = in.Meter.Recount(d.in.Counts, in.Conversation, w.Origin)
	return &in
}

// withoutNewClears returns edits without the clears that a policy with Clear.IsSticky would make for the first time.
// Summaries are then written from the full results. The published designs clear in every turn and summarize the
// placeholders.
func (d *Draft) withoutNewClears(edits []pass.Edit) []pass.Edit {
	return slices.DeleteFunc(slices.Clone(edits), func(e pass.Edit) bool { return d.isNewClear(&e) })
}

func (d *Draft) isNewClear(e *pass.Edit) bool {
	return d.p.Clear.IsSticky() && (e.Kind == pass.ClearInput || e.Kind == pass.ClearResult) && !d.wasCleared(e)
}

// wasCleared reports whether e edits a result that was cleared in an earlier turn, or the call of one. Such an edit
// makes the same bytes as in the previous request, so it costs no cache.
func (d *Draft) wasCleared(e *pass.Edit) bool {
	ref := e.Ref()
	switch e.Kind {
	case pass.ClearInput:
		ref, _ = d.in.Pairing.Result(ref)
	case pass.ClearResult:
	default:
		return false
	}
	return d.p.Clear.IsSticky() && d.record.WasCleared(ref, d.in.Conversation.At(ref))
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
		if edits[i].Kind == pass.DropThinking {
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

// runClear runs the pass with the memory and the recent window of the plan.
func (d *Draft) runClear(rules pass.Clear) []pass.Decision {
	rules.Was = d.record.WasCleared
	if rules.IsSticky() {
		rules.Before = d.recent.Start(d.in)
	}
	return rules.Run(d.in)
}

// terms returns the terms of the plan, computed once.
func (d *Draft) terms() *pass.Terms {
	if d.conditions != nil {
		return d.conditions
	}
	rent := 0
	if d.p.Clear.When == pass.Economic {
		if d.tracker == nil {
			d.tracker = trackerFor(d.p, d.recent, &d.record)
			d.tracker.Add(d.in, view.RefText)
		}
		rent = d.tracker.Rent()
	}
	t := termsOf(&d.env, d.in, d.p, rent)
	d.conditions = &t
	return d.conditions
}
