package apply

import (
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/policy"
	"tamp/core/promptcache"
	"tamp/core/quality"
	"tamp/core/tokens"
	"tamp/core/view"
)

// Run carries out a plan: it is core.Apply, whose comment has its rules.
func Run(c *msg.Conversation, st view.State, p *policy.Policy, env *plan.Env, pl *plan.Plan,
	rs []plan.SummaryResult) (*Outcome, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := plan.CheckThinking(env.Thinking); err != nil {
		return nil, err
	}
	cache := plan.CacheOf(env)
	record, err := cache.Decode(st)
	if err != nil {
		return nil, err
	}
	meter := tokens.NewMeter(env.Count, c)
	read := cache.SnapshotFor(c, st)
	if read == nil {
		read = &view.Snapshot{Marked: view.MarkSummaries(c, &record, cache), Counts: meter.Conversation(c)}
	}
	own := p
	p = policyOf(p, pl)
	if err := checkPlan(c, read, cache, p, pl, rs); err != nil {
		return nil, err
	}
	record.Adopt(read.Marked)
	from := source{c: c, marked: read.Marked, p: p, own: own, plan: pl, strategy: plan.StrategyOf(p), meter: meter,
		before: read.Counts, turns: view.TurnsOf(read.Marked), places: map[*plan.Region]int{}, cache: cache}
	for i := range pl.Regions {
		from.places[&pl.Regions[i]] = i
	}
	a := &applier{answers: newAnswers(from, rs), w: view.NewRewrite(c, pl.Edits), often: record.OftenKeys, lean: env.Lean}
	a.noModel = func() []plan.SummaryResult {
		head := c.WithMessages(c.Messages[:pl.Length:pl.Length]) // not those that were added after the plan
		results, _ := Summarize(head, st, own, env, pl, nil)     // the plan was checked
		return results
	}
	a.actions = append([]plan.Action{}, pl.Decisions...)
	for i := range a.actions {
		a.actions[i].Region = nil // decisions are about blocks, but the plan is untrusted input
	}
	a.dropMessages()
	a.applySummaries()
	// Called before truncateFailed too, so that the thinking dropped here counts toward the target.
	if err := a.bindThinking(env.Thinking); err != nil {
		return nil, err
	}
	a.truncateFailed()
	if err := a.bindThinking(env.Thinking); err != nil {
		return nil, err
	}
	a.separateTurns()
	a.separateInstructions()
	out, err := a.outcome(&record, env)
	if err != nil {
		return nil, err
	}
	a.warn(out)
	if left := a.planned(out.After); out.Next == nil && pl.Limit > 0 && left > pl.Limit {
		return nil, plan.Overflow(left, pl.Limit, &from.before)
	}
	return out, nil
}

// outcome writes and verifies the new conversation and plans the next step, if one is due.
func (a *applier) outcome(m *view.Record, env *plan.Env) (*Outcome, error) {
	saved := a.w.Saved(a.meter, a.before)
	out := &Outcome{Conversation: a.w.Write(true), Actions: a.actions, Before: a.before.Total,
		After: a.before.Total - saved}
	if out.Conversation != a.c {
		a.cache.KeepSpare(out.Conversation, a.w.Spare)
		rule, err := verify(a.c, out.Conversation, a.w.Origin, env.Thinking)
		if err != nil && !a.isChosen() {
			return nil, err
		}
		if reason := a.refused(saved, rule); reason != "" {
			out := a.unchangedOutcome(m, reason)
			if !env.Lean {
				out.Fates = a.fatesUnchanged(out.Actions[0].Reason)
			}
			return out, nil
		}
	}
	if !env.Lean {
		out.Fates = a.fates()
		m.Health = m.Health.Sent(promptcache.FingerprintOf(out.Conversation), env.IdleSec)
	}
	if out.Conversation == a.c {
		out.Actions = append(out.Actions,
			plan.Action{Kind: "none", Before: out.Before, After: out.After, Reason: a.idleReason()})
		out.State = m.Encode()
		return out, nil
	}
	m.Health = m.Health.Compacted(saved)
	var cleared []string
	for i := range a.plan.Edits {
		if e := &a.plan.Edits[i]; a.p.Clear.IsSticky() && e.Kind == pass.ClearResult && a.w.Edits[e.Ref()] != nil {
			cleared = append(cleared, view.ResultKey(e.Ref(), a.c.At(e.Ref())))
		}
	}
	a.settleRent(m, out.Conversation)
	m.AddCleared(cleared)
	a.rememberSummaries(m)
	a.rememberOften(m)
	m.Forced = ""
	if a.plan.Trigger.Kind == "manual" && len(a.failed) == 0 {
		m.Forced = view.DigestOf(out.Conversation.Messages)
	}
	out.State = m.Encode()
	if !env.Lean {
		report := quality.CompareRead(a.c, out.Conversation, a.cache.Texts())
		out.Quality = &report
	}
	out.Next = a.nextPlan(out, env, m)
	return out, nil
}

// idleReason returns the reason why nothing changed.
func (a *applier) idleReason() string {
	pl := a.plan
	switch {
	case a.openRoundBound:
		return plan.OpenReason
	case pl.Trigger.Kind == "none" && len(pl.Edits) == 0 && len(pl.Decisions) > 0 && pl.Trigger.Limit > 0:
		return "every block is protected, short, or already cleared; acts above " + strconv.Itoa(pl.Trigger.Limit) +
			", now " + strconv.Itoa(pl.Trigger.Used)
	case pl.Trigger.Kind == "none":
		return "waiting: " + strconv.Itoa(pl.Trigger.Used) + " now, acts above " + strconv.Itoa(pl.Trigger.Limit)
	case len(pl.Regions) > 0:
		return "no request has a usable summary, and the target is met without one"
	case len(pl.Decisions) == 0:
		return "the policy has no rule for any block"
	}
	return "every block is protected, short, or already cleared"
}
