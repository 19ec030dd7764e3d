package plan

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/view"
)

// inputs are the inputs of a plan. They do not change, except for values that are computed once.
type inputs struct {
	source
	env        Env
	conditions *pass.Terms // see terms; nil until they are needed
}

// edited returns the conversation after edits, with new counts. The indexes of messages do not change.
func (d *inputs) edited(edits []pass.Edit) *view.View {
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
func (d *inputs) withoutNewClears(edits []pass.Edit) []pass.Edit {
	return slices.DeleteFunc(slices.Clone(edits), func(e pass.Edit) bool { return d.isNewClear(&e) })
}

// isNewClear reports an edit of a policy with Clear.IsSticky that clears for the first time.
func (d *inputs) isNewClear(e *pass.Edit) bool {
	return d.p.Clear.IsSticky() && (e.Kind == pass.ClearInput || e.Kind == pass.ClearResult) && !d.wasCleared(e)
}

// wasCleared reports whether e edits a result that was cleared in an earlier turn, or the call of one. Such an edit
// makes the same bytes as in the previous request, so it costs no cache.
func (d *inputs) wasCleared(e *pass.Edit) bool {
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

// runClear runs the pass with the recent window of the plan. rules are those of the tracker, apart from limits.
func (d *inputs) runClear(rules pass.Clear) []pass.Decision {
	if rules.IsSticky() {
		rules.Before = d.recent.Start(d.in)
	}
	rules.Found, rules.InUse = d.tracked().Found, d.tracked().InUse
	if !d.env.Force && d.in.Counts.Total <= d.windowLimit() {
		rules.Waits = d.tracked().Waits
	}
	return rules.Run(d.in)
}

// terms returns the terms of the plan, computed once.
func (d *inputs) terms() *pass.Terms {
	if d.conditions != nil {
		return d.conditions
	}
	rent := 0
	if d.p.Clear.When == pass.Economic {
		rent = d.tracked().Rent()
	}
	t := termsOf(&d.env, d.in, d.p, rent)
	d.conditions = &t
	return d.conditions
}

// summaryPrice is the price of reading a text of as many tokens and writing a summary, in permille of a token at the
// input price.
func (d *inputs) summaryPrice(read, written int) int {
	if d.env.Extractive {
		return 0
	}
	price := priceOf(&d.env, d.in.Conversation)
	return 1000*read + 1000*written*price.Output/max(price.Input, 1)
}

// windowLimit is the window in tokens of the plan's counter.
func (d *inputs) windowLimit() int {
	return choice.InCounter(Window(d.p, d.in.Conversation), measure(d.in, "counter", &d.env, 0), d.in.Counts.Total)
}

// important marks the messages to list first in summaries of whole messages; nil for other granularities.
func (d *inputs) important(in *view.View) []bool {
	if d.p.Summary.Granularity != "span" {
		return nil
	}
	return importantMessages(in)
}

// importantMessages marks the messages to list first in a summary: those with a failed tool result. Unlike the
// published rule, which marks every text with the word "error", it uses only the result's own error flag.
func importantMessages(in *view.View) []bool {
	c := in.Conversation
	marked := make([]bool, len(c.Messages))
	for it := c.Walk(); it.Next(); {
		ref, block := it.Ref, it.Block
		marked[ref.Message] = marked[ref.Message] || block.IsError
	}
	return marked
}

// clearTrigger returns the condition under which layer 1 acts.
func (d *inputs) clearTrigger() Trigger {
	kind, used, limit := d.p.Clear.Trigger(d.in)
	t := newClearTrigger(kind, used, limit, d.in.Counts.Total)
	if d.env.Force {
		t.Kind, t.Used, t.Limit = "manual", d.in.Counts.Total, 0
	}
	return t
}
