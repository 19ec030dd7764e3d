package core

import (
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
)

// This file says when a compaction pays, and cancels what does not pay if the policy asks for it (pass.Terms has the
// rule). A compaction changes the prompt from the first changed block on. The next call writes everything after it to
// the prompt cache again, and each later call is cheaper. Costs are in tokens at the price of input: they do not depend
// on the currency.

// Advice is the cost of a compaction now and its later saving: that of the plan, or, if the plan removes nothing,
// that of clearing every tool result that its rules do not protect.
type Advice struct {
	Freed  int `json:"freed"`  // tokens that each later call is spared; 0 if nothing can be removed
	Cached int `json:"cached"` // tokens of the previous request in the prompt cache; 0 if its entry has expired
	Kept   int `json:"kept"`   // of Cached, the tokens before the first change: they stay in the cache
	// extra cost of the next call, with that of summaries by a model of the same price; negative if it is cheaper at once
	Cost int `json:"cost"`
	// cost so far of keeping what can be cleared; of policies with clear.when "economic", which clear when it reaches Cost
	Rent  int  `json:"rent,omitempty"`
	Free  bool `json:"free"`            // the next call is not more expensive
	Calls int  `json:"calls,omitempty"` // the number of calls after which it has paid back; 0 if free, or if it never does
	// blocks of later thinking that the model loses: they are bound to the changed text
	Thinking int    `json:"thinking,omitempty"`
	Reason   string `json:"reason"`
}

// change is a set of changes to the prompt.
type change struct {
	freed  int // tokens
	before int // tokens before the first changed block
	cost   int // of writing summaries, in permille of a token at the input price
}

// price returns the price that decisions assume.
func (env *Env) price(c *msg.Conversation) models.Price {
	if env.Price != (models.Price{}) {
		return env.Price
	}
	if price := models.ProfileFor(c.Model, c.Format).Price; price != (models.Price{}) {
		return price
	}
	return models.MidRange
}

// minClear is the fraction of the prompt that a clearing frees at least while the prompt is cached.
const minClear = 20

// terms returns the prices and the state of the prompt cache before a call. rent is in token-calls.
func (env *Env) terms(in *pass.Input, p *policy.Policy, rent int) pass.Terms {
	c := in.Conversation
	price, cache := env.price(c), msg.Cache{TTL: env.TTL}
	if env.TTL == "" {
		cache.TTL = requestTTL(c)
	}
	t := pass.Terms{Read: price.Read, Write: price.Write5m, Rent: rent, RentPermille: p.Clear.RentPermille,
		Least: (in.Counts.Total + minClear - 1) / minClear}
	if cache.TTL == promptcache.OneHour {
		t.Write = price.Write1h
	}
	if last := pass.LastRequest(in); env.IdleSec < promptcache.Lifetime(&cache) && last >= promptcache.Minimum(c.Model) {
		t.Cached = last
	}
	return t
}

// requestTTL returns the lifetime of the breakpoints on system prompt and tools, which live longest: "1h" or "".
func requestTTL(c *msg.Conversation) string {
	if c.Cache != nil && c.Cache.TTL == promptcache.OneHour {
		return c.Cache.TTL
	}
	for i := range c.Tools {
		if cache := c.Tools[i].Cache; cache != nil && cache.TTL == promptcache.OneHour {
			return cache.TTL
		}
	}
	for i := range c.System {
		if cache := c.System[i].Cache; cache != nil && cache.TTL == promptcache.OneHour {
			return cache.TTL
		}
	}
	return ""
}

// terms returns the terms of the plan, computed once.
func (d *draftPlan) terms() *pass.Terms {
	if d.conditions != nil {
		return d.conditions
	}
	rent := 0
	if d.p.Clear.When == pass.Economic {
		if d.tracker == nil {
			d.tracker = newTracker(d.p, d.recent, d.memory)
			d.tracker.Add(d.in, refText)
		}
		rent = d.tracker.Rent()
	}
	t := d.env.terms(d.in, d.p, rent)
	d.conditions = &t
	return d.conditions
}

// clearWindow returns the window whose results a sticky policy keeps. An economic policy keeps half of it, since most
// of what a session pays for old results is for those that have just become old. After a compaction, whose summaries
// have less of the results, half of pin.recentTokens is the most: in a small window, half of the window would be less
// than the summaries.
func clearWindow(p *policy.Policy, in *pass.Input, m memory) pass.Window {
	w := effectivePolicy(p, in).Pin.Window
	switch {
	case p.Clear.When != pass.Economic:
	case len(m.summaryKeys) > 0:
		w.RecentTokens = min(w.RecentTokens, p.Pin.RecentTokens/2)
	default:
		w.RecentTokens /= 2
	}
	return w
}

// newTracker returns the tracker of a policy, before the messages. recent is the window whose results stay.
func newTracker(p *policy.Policy, recent pass.Window, m memory) *pass.ChangeTracker {
	w := &pass.ChangeTracker{Clear: p.Clear, Intake: p.Intake, Thinking: p.Thinking, Window: recent, RentFrom: m.rentFrom}
	w.Clear.Was = m.cleared
	return w
}

// advise completes the plan's advice.
func (d *draftPlan) advise() {
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
		rules := d.p.Clear
		rules.MinSavings, rules.ClearAtLeast, rules.TriggerTokens, rules.TriggerToolUses = 0, 0, 0, 0
		x = d.changeOf(d.runClear(rules), nil)
	}
	plan.Advice = advise(d.terms(), x)
	plan.Advice.Thinking = d.lostThinking
}

// wasCleared reports whether e edits a result that was cleared in an earlier turn, or the call of one. Such an edit
// makes the same bytes as in the previous request, so it costs no cache.
func (d *draftPlan) wasCleared(e *Edit) bool {
	ref := e.Ref()
	switch e.Kind {
	case pass.ClearInput:
		ref, _ = d.in.Pairing.Result(ref)
	case pass.ClearResult:
	default:
		return false
	}
	return d.p.Clear.IsSticky() && d.memory.cleared(ref, d.in.Conversation.At(ref))
}

// changeOf returns what the edits of decisions change, without repeated ones. only selects edits; nil means all.
func (d *draftPlan) changeOf(decisions []pass.Decision, only func(*Edit) bool) (x change) {
	first := msg.Ref{Message: len(d.in.Conversation.Messages)}
	for i := range decisions {
		if e := decisions[i].Edit; e != nil && !d.wasCleared(e) && (only == nil || only(e)) {
			x.freed += e.Tokens - e.After
			first = earlier(first, e.Ref())
		}
	}
	x.before = beforeBlock(d.in, first)
	return x
}

// cleared returns what the repeated clears of the plan free.
func (d *draftPlan) cleared() (freed int) {
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil && d.wasCleared(e) {
			freed += e.Tokens - e.After
		}
	}
	return freed
}

// summaryCost is the price of reading and writing summaries, in permille of a token at the input price.
func (d *draftPlan) summaryCost(requests []SummaryRequest) int {
	price, cost := d.env.price(d.in.Conversation), 0
	for i := range requests {
		read := d.in.Meter.Text(requests[i].System) + d.in.Meter.Text(requests[i].User)
		cost += 1000*read + 1000*requests[i].MaxTokens*price.Output/max(price.Input, 1)
	}
	return cost
}

// beforeBlock returns the tokens of the request before a block.
func beforeBlock(in *pass.Input, ref msg.Ref) int {
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

// clearIfItPays cancels the new clears of an economic policy if they do not pay yet.
func (d *draftPlan) clearIfItPays() {
	if d.p.Clear.When != pass.Economic || d.env.Force {
		return
	}
	why := "its placeholder would cost as many tokens"
	if x := d.changeOf(d.decisions, d.isNewClear); x.freed > 0 {
		d.plan.Advice = advise(d.terms(), x)
		if d.terms().PaysToClear(x.freed, x.before) {
			t := &d.plan.Trigger // what the policy waits for stays
			t.Kind, t.Used, t.Limit = pass.Economic, d.plan.Advice.Rent, d.plan.Advice.Cost
			return
		}
		why = "clearing does not pay yet: " + d.plan.Advice.Reason
		if least := d.terms().Least; x.freed < least {
			why = "clearing would free " + strconv.Itoa(x.freed) + " tokens, at least " + strconv.Itoa(least) +
				" are worth it"
		}
	}
	d.cancelNewClears(why)
}

// cancelNewClears keeps what this plan would clear for the first time.
func (d *draftPlan) cancelNewClears(why string) {
	for i := range d.decisions {
		if decision := &d.decisions[i]; decision.Edit != nil && d.isNewClear(decision.Edit) {
			decision.Edit, decision.Fate, decision.Reason = nil, pass.Kept, why
		}
	}
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

// settleRent notes in the State that the rent starts again if the outcome c has a rewritten prompt: the results that
// the rent was for are gone, or could have gone with it. Other edits do not stop it.
func (a *applier) settleRent(m *memory, c *msg.Conversation) {
	rewritten := len(a.plan.Regions) > 0
	for i := range a.plan.Edits {
		e := &a.plan.Edits[i]
		rewritten = rewritten || e.Kind == pass.ClearResult && !m.cleared(e.Ref(), a.c.At(e.Ref()))
	}
	if a.p.Clear.When != pass.Economic || !rewritten {
		return
	}
	m.rentFrom = 0
	for i := range c.Messages {
		if c.Messages[i].Role == msg.Assistant {
			m.rentFrom++
		}
	}
}

// wait returns the reason why the summaries of an economic policy do not pay yet, "" if they do or if they are needed.
// They wait at most until the context is a tenth over the soft limit. Their rent is the tokens that each call
// since their text left the recent turns would have saved.
func (d *draftPlan) wait(in *pass.Input, s *selection, state *triggerState) string {
	if t := &state.trigger; d.p.Clear.When != pass.Economic || t.Kind != "soft" || t.Used-t.Limit > t.Limit/10 {
		return ""
	}
	x, covered := change{freed: d.in.Counts.Total - in.Counts.Total}, 0
	price, first := d.env.price(in.Conversation), len(in.Conversation.Messages)
	summarized := make([]bool, first)
	for i := range s.regions {
		region := &s.regions[i]
		x.freed += region.gain()
		covered += region.Tokens
		first = min(first, region.Spans[0].Start)
		for _, span := range region.Spans {
			for m := span.Start; m < span.End; m++ {
				summarized[m] = true
			}
		}
		if region.Level != 3 {
			x.cost += 1000 * (region.Tokens + region.budget*price.Output/max(price.Input, 1))
		}
	}
	x.before = beforeBlock(in, msg.Ref{Message: first})
	terms := *d.terms()
	terms.Rent = pass.LimitRent(d.tokenCalls(in, summarized)) / 1000 * (1000 * x.freed / max(covered, 1))
	if terms.Pays(x.freed, x.before, x.cost) {
		return ""
	}
	return "summaries do not pay yet: " + advise(&terms, x).Reason
}

// tokenCalls returns the token-calls of messages: for each, its tokens times the number of calls that were sent with it
// after it left the recent turns. Calls before the last rewrite of the prompt do not count.
func (d *draftPlan) tokenCalls(in *pass.Input, of []bool) (sum int) {
	calls := 0
	for i := range in.Conversation.Messages {
		if in.Conversation.Messages[i].Role == msg.Assistant {
			calls++
		}
	}
	most, after := calls-d.memory.rentFrom, 0
	for m := len(of) - 1; m >= 0; m-- {
		if of[m] {
			sum += in.Counts.Messages[m].Tokens * max(min(after-d.p.Pin.RecentTurns, most), 0)
		}
		if in.Conversation.Messages[m].Role == msg.Assistant {
			after++
		}
	}
	return sum
}
