package plan

import (
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/view"
)

// This file says when a compaction pays, and cancels what does not pay if the policy asks for it (pass.Terms has the
// rule). A compaction changes the prompt from the first changed block on. The next call writes everything after it to
// the prompt cache again, and each later call is cheaper. Costs are in tokens at the price of input: they do not depend
// on the currency.

// change is a set of changes to the prompt.
type change struct {
	freed  int // tokens
	before int // tokens before the first changed block
	cost   int // of writing summaries, in permille of a token at the input price
}

// advise completes the plan's advice.
func (d *Draft) advise() {
	plan := d.plan
	x := d.changeOf(d.decisions, nil)
	switch {
	case len(plan.Regions) > 0:
		x.freed = plan.Before - plan.After - d.cleared()
		x.before, x.cost = beforeBlock(d.in, d.firstChange()), d.summaryCost(plan.Requests)
	case x.freed > 0:
	case plan.Advice.Reason != "": // that of the clears that do not pay yet
		return
	default:
		rules := d.changes.Clear
		rules.MinSavings, rules.ClearAtLeast, rules.TriggerTokens, rules.TriggerToolUses = 0, 0, 0, 0
		x = d.changeOf(d.runClear(rules), nil)
	}
	plan.Advice = advise(d.terms(), x)
	plan.Advice.Thinking = d.lostThinking
}

// changeOf returns what the edits of decisions change, without repeated ones. only selects edits; nil means all.
func (d *inputs) changeOf(decisions []pass.Decision, only func(*pass.Edit) bool) (x change) {
	first := msg.Ref{Message: len(d.in.Conversation.Messages)}
	for i := range decisions {
		if e := decisions[i].Edit; e != nil && !d.wasCleared(e) && (only == nil || only(e)) {
			x.freed += e.Tokens - e.After
			first = view.Earlier(first, e.Ref())
		}
	}
	x.before = beforeBlock(d.in, first)
	return x
}

// cleared returns what the repeated clears of the plan free.
func (d *Draft) cleared() (freed int) {
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil && d.wasCleared(e) {
			freed += e.Tokens - e.After
		}
	}
	return freed
}

// summaryCost is the price of reading and writing summaries, see summaryPrice.
func (d *inputs) summaryCost(requests []SummaryRequest) int {
	cost := 0
	for i := range requests {
		read := d.in.Meter.Text(requests[i].System) + d.in.Meter.Text(requests[i].User)
		cost += d.summaryPrice(read, requests[i].MaxTokens)
	}
	return cost
}

// beforeBlock returns the tokens of the request before a block.
func beforeBlock(in *view.View, ref msg.Ref) int {
	sum := in.Counts.Total
	for m := len(in.Counts.Messages) - 1; m > ref.Message; m-- {
		sum -= in.Counts.Messages[m].Tokens
	}
	if ref.Message >= len(in.Counts.Messages) {
		return sum
	}
	counts := &in.Counts.Messages[ref.Message]
	return sum - counts.Tokens + counts.Before(ref.Block)
}

// advise describes a change. Without one, the advice says so.
func advise(t *pass.Terms, x change) Advice {
	a := Advice{Freed: x.freed, Cached: t.Cached, Kept: min(x.before, t.Cached)}
	if x.freed <= 0 {
		return Advice{Cached: t.Cached, Kept: t.Cached, Reason: "nothing can be removed"}
	}
	extra := t.Extra(x.freed, x.before) + x.cost
	a.Cost, a.Rent, a.Free = perToken(extra), perToken(t.Paid()), extra <= 0
	what := "compaction"
	switch {
	case a.Free && t.Cached == 0:
		a.Reason = "cold cache: " + what + " is free"
	case a.Free:
		a.Reason = "the next call is cheaper at once: " + what + " is free"
	case t.Read == 0:
		a.Reason = "reads from the cache cost nothing: it does not pay"
	default:
		a.Calls = (extra + t.Read*x.freed - 1) / (t.Read * x.freed)
		a.Reason = "rewriting costs " + strconv.Itoa(a.Cost) + ": pays back after " + strconv.Itoa(a.Calls) + " calls"
		if t.Rent > 0 {
			a.Reason = "kept results have cost " + strconv.Itoa(a.Rent) + ", " + a.Reason
		}
	}
	return a
}

// perToken rounds permille of a token up to tokens.
func perToken(permille int) int {
	if permille < 0 {
		return permille / 1000
	}
	return (permille + 999) / 1000
}
