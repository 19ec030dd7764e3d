package core

import (
	"strconv"

	"tamp/core/internal/marker"
	"tamp/core/internal/order"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
	"tamp/core/quality"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// Outcome is the result of one Apply. If Next is not nil, another step is due: the size is still above the target, or
// partial summaries must be merged.
type Outcome struct {
	Conversation *msg.Conversation `json:"-"`
	State        State             `json:"state"`
	Actions      []Action          `json:"actions"` // one for each decision; a decision to change nothing is listed too
	Before       int               `json:"before"`  // tokens
	After        int               `json:"after"`
	// one for each message of the input, in order; nil if Env.Lean
	Fates []MessageFate `json:"fates,omitempty"`
	// which facts of the removed text remain; nil if nothing changed
	Quality *quality.Report `json:"quality,omitempty"`
	Next    *Plan           `json:"next,omitempty"`
}

// Apply carries out a plan. It checks the plan first: a plan of another conversation is the error stale_plan, one that
// NewPlan cannot have made is bad_plan. Messages that were added after the plan was made are kept unchanged. c itself
// is not changed; the outcome shares its unchanged messages.
//
// A request without a usable result takes the failure path: its region is kept if the target is met without it, else
// its oldest messages are dropped with a note. An outcome without a Next is at most Plan.Limit, without the messages
// that were added; else the error is context_overflow.
//
// If c is valid, the outcome is valid with any subset of answers: this is checked (validity.CheckChange), and the error
// is invalid_outcome if the check fails. If c is invalid, the outcome breaks no rule that c obeys: a change that would
// break one is not made, and an Action reports it.
//
// On models that bind thinking to its prefix (msg.BindsThinking), a plan is also stale_plan if a change precedes
// thinking that was added after the plan was made: that thinking would have to be dropped, and it is not in the plan's
// Archive.
func Apply(c *msg.Conversation, st State, p policy.Policy, env Env, plan *Plan, rs []SummaryResult) (*Outcome, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := env.checkThinking(); err != nil {
		return nil, err
	}
	memory, err := env.known.decode(st)
	if err != nil {
		return nil, err
	}
	meter := tokens.NewMeter(env.Count, c)
	read := env.known.plannedFor(c, st)
	if read == nil {
		read = &planned{marked: memory.markSummaries(c), counts: meter.Conversation(c)}
	}
	if err := checkPlan(c, read, env.known, &p, plan, rs); err != nil {
		return nil, err
	}
	memory.adopt(read.marked)
	a := &applier{c: c, marked: read.marked, p: &p, plan: plan, meter: meter, before: read.counts,
		w: newRewrite(c, plan.Edits), turns: numberTurns(read.marked), requests: map[string]*SummaryRequest{},
		results: map[string]*SummaryResult{}, places: map[*Region]int{},
		often: memory.oftenKeys, known: env.known, lean: env.Lean}
	for i := range plan.Requests {
		a.requests[plan.Requests[i].ID] = &plan.Requests[i]
	}
	for i := range rs {
		a.results[rs[i].ID] = &rs[i]
	}
	for i := range plan.Regions {
		a.places[&plan.Regions[i]] = i
	}
	a.actions = append([]Action{}, plan.Decisions...)
	for i := range a.actions {
		a.actions[i].Region = nil // decisions are about blocks, but the plan is untrusted input
	}
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
	out, err := a.outcome(memory, env)
	if err != nil {
		return nil, err
	}
	if left := a.planned(out.After); out.Next == nil && plan.Limit > 0 && left > plan.Limit {
		return nil, overflow(left, plan.Limit)
	}
	return out, nil
}

// applier is the state of one Apply.
type applier struct {
	c              *msg.Conversation
	marked         *msg.Conversation // c with its summaries marked
	p              *policy.Policy
	plan           *Plan
	meter          tokens.Meter
	before         tokens.Counts
	w              *rewrite
	turns          []int
	requests       map[string]*SummaryRequest
	results        map[string]*SummaryResult
	places         map[*Region]int // indexes in plan.Regions
	failed         []*Region
	index          *summarize.Index // of the conversation, see indexFor
	indexed        []*Region        // the regions of its spans
	wrote          []written
	often          []string // keys of names, see memory.oftenKeys
	actions        []Action
	ref            string             // of the archive; "" until it is needed
	unloaded       map[int][]string   // see unloadedTools; nil until it is needed
	pinned         []summarize.Pinned // the user's statements
	readPinned     bool               // pinned is set
	known          *known             // of the session; nil without one
	lean           bool               // see Env.Lean
	openRoundBound bool               // the open round holds bound thinking, so nothing before it may change
}

// applySummaries replaces the regions that have a usable answer.
func (a *applier) applySummaries() {
	var head []*Region // their summaries share one message before everything else
	texts := map[*Region]string{}
	for i := range a.plan.Regions {
		r := &a.plan.Regions[i]
		if r.Level == 3 {
			a.condense(r)
			continue
		}
		if !a.hasAllRequests(r) {
			continue // the host removed its request from the plan: keep the region
		}
		summary, why := a.answer(r)
		switch {
		case why != "":
			a.fail(r, why)
		case r.Level == 2 || a.p.Summary.Strategy == "regions":
			a.replace(r, summary)
		default:
			head = append(head, r)
			texts[r] = summary
		}
	}
	if len(head) > 0 {
		order.Stable(head, func(x, y *Region) int { return x.Spans[0].Start - y.Spans[0].Start })
		a.replaceHead(head, texts)
	}
}

// replace replaces a region by its summary.
func (a *applier) replace(r *Region, summary string) {
	label, tail := a.frameOf(r)
	summary = a.withPinned([]*Region{r}, summary, tail)
	text := label + summary + tail
	message := msg.TextMessage(msg.User, text)
	cost := a.meter.Message(&message)
	if r.Blocks != nil {
		cost = a.costInPlace(r.Blocks, text)
	}
	if cost >= a.size(r) {
		a.fail(r, string(summarize.TooLarge))
		return
	}
	if r.Blocks != nil {
		a.inPlace(r.Blocks, text)
		a.wroteInPlace(r, text, summary)
	} else {
		a.remove(r)
		at := r.Spans[0].Start
		a.wroteMessage(at, 0, []*Region{r}, &message.Blocks[0], summary)
		a.w.insert[at] = append(a.w.insert[at], message)
	}
	a.note("summarize", r, cost, a.describe(r))
}

// frameOf returns the texts around the summary of a region: its label, and the line at the end with the archives of
// earlier summaries. At level 2 they are those of the parts that are merged.
func (a *applier) frameOf(r *Region) (label, tail string) {
	if r.Level != 2 {
		first, last, line := a.history(r)
		return a.turnsLabel(first, last), line
	}
	parts := a.c.At(r.Blocks[0]).Text
	if a.c.Messages[r.Blocks[0].Message].Role != msg.Assistant { // the answer to the fixed question has no label
		l, _ := marker.Parse(parts)
		label = l.Text
	}
	return label, originalsLine(originals(parts, marker.Label{}))
}

// replaceHead replaces regions by one summary message before all kept messages.
func (a *applier) replaceHead(regions []*Region, texts map[*Region]string) {
	var parts []string
	count, replaced, cost := 0, 0, 0
	for _, r := range regions {
		parts = append(parts, texts[r])
		replaced += a.size(r)
		for _, s := range r.Spans {
			count += s.Len()
		}
		a.remove(r)
	}
	planned := a.marked.WithMessages(a.marked.Messages[:a.plan.Length:a.plan.Length])
	at := headPosition(planned, msg.Pair(planned))
	summary := a.withPinned(regions, marker.JoinParts(parts), "")
	messages := a.headMessages(summary, count, at)
	for i := range messages {
		cost += a.meter.Message(&messages[i])
	}
	if cost >= replaced {
		for _, r := range regions {
			a.restore(r)
			a.fail(r, string(summarize.TooLarge))
		}
		return
	}
	holds := 0
	if a.isQuestionShape() {
		holds = 1
	}
	a.wroteMessage(at, holds, regions, &messages[holds].Blocks[0], summary)
	a.w.insert[at] = append(a.w.insert[at], messages...)
	for _, r := range regions {
		a.note("summarize", r, int(int64(cost)*int64(a.size(r))/int64(replaced)), a.describe(r))
	}
}

// size returns the tokens of a region: the plan's number, but at most the count in this conversation. They differ if
// the plan was changed, or if a log lost its last assistant message, and with it the model, and is counted by another
// profile.
func (a *applier) size(r *Region) int {
	tokens := 0
	for _, ref := range r.Blocks {
		tokens += a.before.Messages[ref.Message].Blocks[ref.Block]
	}
	for _, s := range r.Spans {
		for m := s.Start; r.Blocks == nil && m < s.End; m++ {
			tokens += a.before.Messages[m].Tokens
		}
	}
	return min(tokens, r.Tokens)
}

// hasAllRequests reports whether all of a region's requests are still in the plan.
func (a *applier) hasAllRequests(r *Region) bool {
	for _, id := range r.Requests {
		if a.requests[id] == nil {
			return false
		}
	}
	return len(r.Requests) > 0
}

// answer returns the summary of a region, or the reason why it has no usable summary.
func (a *applier) answer(r *Region) (summary, why string) {
	var parts []string
	for _, id := range r.Requests {
		result := a.results[id]
		switch {
		case result == nil:
			return "", "the request was not answered"
		case result.Err != "":
			return "", "the request failed"
		}
		text, _, refused := summarize.Read(result.Text, a.requests[id].MaxTokens, r.Tokens, a.meter.Text)
		if refused != "" {
			return "", string(refused)
		}
		if text = a.attributed(r, text); text == "" {
			return "", string(summarize.Empty)
		}
		parts = append(parts, text)
	}
	return marker.JoinParts(parts), ""
}

// remove marks a region's messages as removed.
func (a *applier) remove(r *Region) {
	for _, s := range r.Spans {
		for m := s.Start; m < s.End; m++ {
			a.w.removed[m] = true
		}
	}
}

// restore undoes remove.
func (a *applier) restore(r *Region) {
	for _, s := range r.Spans {
		for m := s.Start; m < s.End; m++ {
			a.w.removed[m] = false
		}
	}
}

func (a *applier) describe(r *Region) string {
	if r.Level == 2 {
		return "its parts are replaced by one summary"
	}
	first, last := r.Spans[0].Start, r.Spans[len(r.Spans)-1].End-1
	return "replaced by a summary of " + turnRange(a.turns[first], a.turns[last])
}

func turnRange(first, last int) string {
	return "turns " + strconv.Itoa(first) + "-" + strconv.Itoa(last)
}

func (a *applier) note(kind string, r *Region, after int, reason string) {
	level := 0
	if kind == "summarize" || kind == "condense" {
		level = r.Level
	}
	a.actions = append(a.actions, Action{Kind: kind, Path: a.c.Messages[r.Spans[0].Start].Path, Region: a.regionIndex(r),
		Level: level, Before: r.Tokens, After: after, Reason: reason})
}

// outcome writes and verifies the new conversation and plans the next step, if one is due.
func (a *applier) outcome(m memory, env Env) (*Outcome, error) {
	saved := a.w.saved(a.meter, a.before)
	out := &Outcome{Conversation: a.w.conversation(true), Actions: a.actions, Before: a.before.Total,
		After: a.before.Total - saved}
	if out.Conversation != a.c {
		if env.known != nil {
			env.known.outcome, env.known.room = out.Conversation, a.w.room
		}
		rule, err := verify(a.c, out.Conversation, a.w.origin, env.Thinking)
		if err != nil {
			return nil, err
		}
		if rule != "" {
			out := a.unchangedOutcome(m, rule)
			if !env.Lean {
				out.Fates = a.fatesUnchanged(out.Actions[0].Reason)
			}
			return out, nil
		}
	}
	if !env.Lean {
		out.Fates = a.fates()
		m.health = m.health.Sent(promptcache.FingerprintOf(out.Conversation), env.IdleSec)
	}
	if out.Conversation == a.c {
		out.Actions = append(out.Actions, Action{Kind: "none", Before: out.Before, After: out.After, Reason: a.idleReason()})
		out.State = m.encode()
		return out, nil
	}
	m.health = m.health.Compacted(saved)
	var cleared []string
	for i := range a.plan.Edits {
		if e := &a.plan.Edits[i]; a.p.Clear.IsSticky() && e.Kind == pass.ClearResult && a.w.edits[e.Ref()] != nil {
			cleared = append(cleared, resultKey(e.Ref(), a.c.At(e.Ref())))
		}
	}
	a.settleRent(&m, out.Conversation)
	m.clearedKeys = withKeys(m.clearedKeys, cleared)
	a.rememberSummaries(&m)
	a.rememberOften(&m)
	m.forced = ""
	if a.plan.Trigger.Kind == "manual" && len(a.failed) == 0 {
		m.forced = digest(out.Conversation.Messages)
	}
	out.State = m.encode()
	if !env.Lean {
		report := quality.Compare(a.c, out.Conversation)
		out.Quality = &report
	}
	out.Next = a.nextPlan(out, env, m)
	return out, nil
}

// idleReason returns the reason why nothing changed.
func (a *applier) idleReason() string {
	plan := a.plan
	switch {
	case a.openRoundBound:
		return openReason
	case plan.Trigger.Kind == "none" && len(plan.Edits) == 0 && len(plan.Decisions) > 0 && plan.Trigger.Limit > 0:
		return "every block is protected, short, or already cleared; acts above " + strconv.Itoa(plan.Trigger.Limit) +
			", now " + strconv.Itoa(plan.Trigger.Used)
	case plan.Trigger.Kind == "none":
		return "waiting: " + strconv.Itoa(plan.Trigger.Used) + " now, acts above " + strconv.Itoa(plan.Trigger.Limit)
	case len(plan.Regions) > 0:
		return "no request has a usable summary, and the target is met without one"
	case len(plan.Decisions) == 0:
		return "the policy has no rule for any block"
	}
	return "every block is protected, short, or already cleared"
}
