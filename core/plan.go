package core

import (
	"cmp"
	"slices"

	"tamp/core/internal/order"
	"tamp/core/internal/pass"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// Env holds the inputs of a plan that the core cannot read itself: it has no clock, no network and no settings.
type Env struct {
	Count   tokens.Counter // nil: tokens.Estimate
	Usage   *Usage         // of the last response; nil if unknown
	IdleSec int            // seconds since the last model call, for cache lifetimes; 0 if unknown: the cache is warm
	TTL     string         // of the prompt cache: "5m" or "1h"; "" means that of the conversation's breakpoints, else 5m
	Price   models.Price   // zero means that of the model
	Force   bool           // compact now, even if no trigger fires
	Focus   string         // topics that summaries must preserve; "" = none
	// what becomes of thinking that is bound to changed text: StripThinking (the default), KeepThinking or DropBlock
	Thinking string

	// Lean makes Apply skip Outcome.Quality, Outcome.Fates, Action.Dropped, and the fingerprint of the request that
	// Observe compares. It is for replays, which apply hundreds of plans and show none of them.
	Lean bool

	known   *known // of the session; nil without one
	unasked bool   // the requests of the plan are not sent, so they have no text
}

// Usage is the API's own token count of one call.
type Usage = msg.Usage

// Span is a half-open range of messages.
type Span = msg.Span

// Warning reports a tolerated or suspicious input. It never changes a result.
type Warning = msg.Warning

// Edit is one change to one block. It needs no model.
type Edit = pass.Edit

// Plan lists the changes to make to a conversation. It is data: print it, store it, send it, apply it later, or drop
// it.
type Plan struct {
	Base      Digest           `json:"base"`      // of the first Length messages
	Length    int              `json:"length"`    // number of messages the plan covers, counted from the start
	Trigger   Trigger          `json:"trigger"`   // the condition that fired, with its two numbers; "none" if none did
	Edits     []Edit           `json:"edits"`     // need no model; in document order
	Regions   []Region         `json:"regions"`   // replaced by summaries; largest first
	Requests  []SummaryRequest `json:"requests"`  // for a model; may be empty
	Archive   []Span           `json:"archive"`   // originals that Apply removes: save them BEFORE you use its result
	Before    int              `json:"before"`    // tokens now
	After     int              `json:"after"`     // tokens if each request is answered within its MaxTokens
	Target    int              `json:"target"`    // max tokens after Apply if a request fails; 0 = no limit
	Limit     int              `json:"limit"`     // the hard limit: max tokens after Apply, whatever fails; 0 = no limit
	Advice    Advice           `json:"advice"`    // whether compacting now pays
	Decisions []Action         `json:"decisions"` // one for each block that a rule considered, unchanged ones included
	// Of bounded policies: "target_raised", "compaction_waits" and "constraints_cut" (the user's constraints do not
	// all fit into summaries); of others "window_shrunk". And those of the conversation.
	Warnings []Warning `json:"warnings"`
}

// Action is one decision. A decision to change nothing is an Action too.
type Action struct {
	Kind   string `json:"kind"` // an edit's kind, "keep", "summarize", "condense", "truncate", "thinking_dropped", "none"
	Path   string `json:"path"` // JSON Pointer into the input
	Tool   string `json:"tool,omitempty"`
	Region *int   `json:"region,omitempty"` // index in Plan.Regions; absent if the action is not about a region
	Level  int    `json:"level,omitempty"`  // of a summary: that of its region
	Before int    `json:"before"`           // tokens of the block or region
	After  int    `json:"after"`
	Reason string `json:"reason"`
	// Of "condense": the lines of the earlier summaries that the new one does not have. At most 100 are in the list.
	Dropped      []string `json:"dropped,omitempty"`
	DroppedLines int      `json:"droppedLines,omitempty"` // the number of all of them
}

// NewPlan plans the compaction of c under policy p. It changes nothing and is cheap enough for every turn.
// The error context_overflow means that c is over its hard limit, and over it too without all that can be removed. The
// hard limit is that of the policy, or the window if the policy has none.
func NewPlan(c *msg.Conversation, st State, p policy.Policy, env Env) (*Plan, error) {
	plan, _, err := planFor(c, st, &p, env)
	return plan, err
}

func planFor(c *msg.Conversation, st State, p *policy.Policy, env Env) (*Plan, *draftPlan, error) {
	if err := p.Validate(); err != nil {
		return nil, nil, err
	}
	if err := env.checkThinking(); err != nil {
		return nil, nil, err
	}
	if err := c.RefusePart("compact"); err != nil {
		return nil, nil, err
	}
	memory, err := env.known.decode(st)
	if err != nil {
		return nil, nil, err
	}
	d := newDraft(newInput(c, env, memory), digest(c.Messages), p, env, memory)
	plan, err := d.build()
	env.known.plan(c, st, d)
	return plan, d, err
}

// build runs all layers and returns the plan.
func (d *draftPlan) build() (*Plan, error) {
	d.runClearing()
	if err := d.summarize(); err != nil {
		return nil, err
	}
	d.bindThinking()
	if err := d.checkLimit(); err != nil {
		return nil, err
	}
	return d.finish(), nil
}

// draftPlan is the state of NewPlan while it builds a plan.
type draftPlan struct {
	p          *policy.Policy
	recent     pass.Window // its results are not cleared
	env        Env
	memory     memory
	in         *pass.Input // the conversation before any edit
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

// newInput returns the pairs, counts and usage that all layers read. Its conversation is c with the summaries marked.
func newInput(c *msg.Conversation, env Env, m memory) *pass.Input {
	c = m.markSummaries(c)
	meter := tokens.NewMeter(env.Count, c)
	in := &pass.Input{Conversation: c, Pairing: msg.Pair(c), Meter: meter, Counts: meter.Conversation(c)}
	in.Track.Add(c.Messages)
	return in
}

// newDraft returns an empty plan for a conversation whose digest is base.
func newDraft(in *pass.Input, base Digest, p *policy.Policy, env Env, m memory) *draftPlan {
	c := in.Conversation
	if focus, ok := compactCall(c, in.Pairing); ok {
		env.Force = true
		if env.Focus == "" {
			env.Focus = focus
		}
	}
	plan := &Plan{Base: base, Length: len(c.Messages), Before: in.Counts.Total, After: in.Counts.Total,
		Edits: []Edit{}, Regions: []Region{}, Requests: []SummaryRequest{}, Archive: []Span{},
		Decisions: []Action{}, Warnings: []Warning{}}
	plan.Warnings = append(plan.Warnings, c.Warnings...)
	return &draftPlan{p: effectivePolicy(p, in), recent: clearWindow(p, in, m), env: env, memory: m, in: in, plan: plan}
}

// effectivePolicy returns p with the values that depend on the window and on the size of system prompt and tools.
func effectivePolicy(p *policy.Policy, in *pass.Input) *policy.Policy {
	recent := p.RecentTokensFor(Window(p, in.Conversation), in.Counts.System+in.Counts.Tools)
	if recent == p.Pin.RecentTokens {
		return p
	}
	q := *p
	q.Pin.RecentTokens = recent
	return &q
}

// runClearing runs layers 0 and 1. If two passes change the same block, the edit that frees more wins.
func (d *draftPlan) runClearing() {
	rules := d.p.Clear
	if d.env.Force {
		rules.TriggerTokens, rules.TriggerToolUses = 0, 0
	}
	all := d.runClear(rules)
	all = append(all, d.p.Intake.Run(d.in, refText)...)
	if !validity.AsksReasoning(d.in.Conversation) {
		all = append(all, d.p.Thinking.Run(d.in)...)
	}
	sortDecisions(all)
	d.decisions = all[:0]
	for i := range all {
		if n := len(d.decisions); n > 0 && d.decisions[n-1].Ref == all[i].Ref {
			if e := all[i].Edit; e != nil && (d.decisions[n-1].Edit == nil || e.After < d.decisions[n-1].Edit.After) {
				d.decisions[n-1] = all[i]
			}
			continue
		}
		d.decisions = append(d.decisions, all[i])
	}
}

// runClear runs the pass with the memory and the recent window of the plan.
func (d *draftPlan) runClear(rules pass.Clear) []pass.Decision {
	rules.Was = d.memory.cleared
	if rules.IsSticky() {
		rules.Before = d.recent.Start(d.in)
	}
	return rules.Run(d.in)
}

// edits lists the changes of layers 0 and 1 in document order.
func (d *draftPlan) edits() []Edit {
	edits := []Edit{}
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil {
			edits = append(edits, *e)
		}
	}
	return edits
}

// edited returns the conversation after edits, with new counts. The indexes of messages do not change.
func (d *draftPlan) edited(edits []Edit) *pass.Input {
	if len(edits) == 0 {
		return d.in
	}
	in := *d.in
	w := newRewrite(d.in.Conversation, edits)
	in.Conversation = w.conversation(false) // the indexes of messages do not change
	in.Pairing = msg.Pair(in.Conversation)
	in.Counts = in.Meter.Recount(d.in.Counts, in.Conversation, w.origin)
	return &in
}

// withoutNewClears returns edits without the clears that a policy with Clear.IsSticky would make for the first time.
// Summaries are then written from the full results. The published designs clear in every turn and summarize the
// placeholders.
func (d *draftPlan) withoutNewClears(edits []Edit) []Edit {
	return slices.DeleteFunc(slices.Clone(edits), func(e Edit) bool { return d.isNewClear(&e) })
}

func (d *draftPlan) isNewClear(e *Edit) bool {
	return d.p.Clear.IsSticky() && (e.Kind == pass.ClearInput || e.Kind == pass.ClearResult) && !d.wasCleared(e)
}

// cancelSupersededEdits cancels the edits of messages that a summary replaces. It also cancels new clears: the
// summaries of the same step free enough.
func (d *draftPlan) cancelSupersededEdits() {
	summarized := d.summarizedMessages()
	for i := range d.decisions {
		if decision := &d.decisions[i]; decision.Edit != nil && summarized[decision.Ref.Message] {
			decision.Edit, decision.Fate, decision.Reason = nil, pass.Kept, "replaced by a summary"
		}
	}
	d.cancelNewClears("not needed: summaries or cuts free enough")
	for i := range d.regions {
		if r := &d.regions[i]; r.Blocks == nil {
			r.Tokens = 0 // its messages have no edits any more
			for _, s := range r.Spans {
				for m := s.Start; m < s.End; m++ {
					r.Tokens += d.in.Counts.Messages[m].Tokens
				}
			}
		}
	}
}

// summarizedMessages marks the messages that summaries replace.
func (d *draftPlan) summarizedMessages() []bool {
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

// summarize runs layer 2.
func (d *draftPlan) summarize() error {
	clearing := d.clearTrigger()
	d.plan.Trigger = clearing
	if s := d.p.Summary.Strategy; s == "" || s == "none" {
		d.clearIfItPays()
		d.plan.Limit = d.windowLimit()
		return nil
	}
	edits := d.withoutNewClears(d.edits())
	in := d.edited(edits)
	used := d.published
	switch {
	case in != d.in && d.jsonLength > 0:
		used = d.lengthAfter(in, edits) / 4
	case used == 0 || in != d.in:
		used = measure(in, d.p.Trigger.Measure, d.env, d.in.Counts.Total-in.Counts.Total)
	}
	state := evaluateTriggers(in, d.p, d.env, used, d.in.Counts.Total-in.Counts.Total)
	if d.plan.Limit = d.windowLimit(); state.hard > 0 { // a reserve larger than the window leaves none
		used, total := state.used, in.Counts.Total
		if d.p.Trigger.Measure == "counter" { // edits may free more than the usage of the last call
			used, total = used+d.in.Counts.Total-total, d.in.Counts.Total
		}
		d.plan.Limit = limitOf(state.hard, used, total)
	}
	if state.trigger.Kind == "none" {
		if d.p.IsBounded() {
			d.limitClears()
		}
		d.clearIfItPays()
		if d.plan.Trigger.Kind == "every_turn" && len(d.edits()) == 0 {
			d.plan.Trigger = state.trigger
		}
		d.plan.Trigger.waitFor(clearing, state.next)
		return nil
	}
	d.plan.Trigger = state.trigger
	d.plan.Trigger.waitFor(clearing, state.next)
	if state.trigger.Kind == "manual" && !state.over && d.p.IsBounded() && d.memory.forced == d.plan.Base {
		const why = "there are no messages since the last forced compaction"
		d.doNothing(why, clearing, &state)
		d.cancelNewClears(why)
		return nil
	}
	fit := state
	if d.p.IsBounded() {
		in, fit = d.shortenPrompts(in, &edits, state)
	}
	selected := choose(in, d.p, &fit, d.env.known.texts())
	if selected.idle == "" && d.needsGain(in, &state) {
		selected.idle = d.tooSmall(in, &selected, &state)
	}
	if selected.idle == "" {
		selected.idle = d.wait(in, &selected, &state)
	}
	if selected.idle != "" {
		d.doNothing(selected.idle, clearing, &state)
		if !state.over {
			if d.p.IsBounded() {
				d.limitClears()
			}
			d.clearIfItPays()
		}
		return nil
	}
	if selected.note != "" {
		d.plan.Warnings = append(d.plan.Warnings, Warning{Code: noteCode(d.p), Message: selected.note})
	}
	d.plan.Warnings = append(d.plan.Warnings, selected.warnings...)
	d.plan.Target = in.Counts.Total
	if state.used > 0 {
		d.plan.Target = state.convert(state.target, in.Counts.Total)
	}
	if selected.target > 0 {
		d.plan.Target = selected.target
	}
	d.plan.Target = min(d.plan.Target, d.plan.Limit)
	limit := d.p.Summary.MaxRequests
	if limit == 0 || state.trigger.Kind == "manual" { // the plan of a manual compaction is the last one
		limit = 1 << 30
	}
	r := requester{in: in, p: d.p, env: d.env, turns: numberTurns(in.Conversation), marks: d.important(in)}
	unloaded := unloadedTools(in.Conversation, selected.regions)
	for i := range selected.regions {
		region := &selected.regions[i]
		if region.Tokens <= labelTokens {
			continue // no summary is shorter
		}
		if region.Level != 3 {
			asked := r.ask(region, region.budget, unloaded[i])
			if n := len(d.plan.Requests); n > 0 && n+len(asked) > limit {
				d.waiting = true // for the next plan
				continue
			}
			d.plan.Requests = append(d.plan.Requests, asked...)
		}
		region.Blocks = d.originalRefs(edits, region.Blocks)
		d.regions = append(d.regions, *region)
	}
	d.adoptPrompts(selected.pinned)
	if d.p.Clear.IsSticky() && (len(d.regions) > 0 || selected.cutOnly) {
		d.cancelSupersededEdits()
	}
	d.adoptCuts(selected.cuts, edits)
	return nil
}

// lengthAfter returns the length of the messages' JSON after edits, whose conversation is in.
func (d *draftPlan) lengthAfter(in *pass.Input, edits []Edit) int {
	length, c, last := d.jsonLength, in.Conversation, -1
	for i := range edits {
		if m := edits[i].Message; m != last {
			last = m
			length += jsonLength(in.Meter, c.Format, c.Messages[m:m+1]) -
				jsonLength(in.Meter, c.Format, d.in.Conversation.Messages[m:m+1])
		}
	}
	return length
}

// originalRefs maps blocks of the edited conversation to their positions before the edits. They differ if thinking
// before a block was dropped from its message. blocks are in document order.
func (d *draftPlan) originalRefs(edits []Edit, blocks []msg.Ref) []msg.Ref {
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

// important marks the messages to list first in summaries of whole messages; nil for other granularities.
func (d *draftPlan) important(in *pass.Input) []bool {
	if d.p.Summary.Granularity != "span" {
		return nil
	}
	return importantMessages(in)
}

// finish fills in the plan: edits, regions, decisions, archive and sizes.
func (d *draftPlan) finish() *Plan {
	plan, c := d.plan, d.in.Conversation
	sortDecisions(d.decisions)
	plan.Edits = d.edits()
	plan.Regions = append(plan.Regions, d.regions...)
	touched := make([]bool, len(c.Messages))
	plan.Decisions = append(make([]Action, 0, len(plan.Decisions)+len(d.decisions)), plan.Decisions...)
	for i := range d.decisions {
		decision := &d.decisions[i]
		before := d.in.Counts.Messages[decision.Ref.Message].Blocks[decision.Ref.Block]
		action := Action{Kind: "keep", Path: c.At(decision.Ref).Path, Tool: decision.Tool, Before: before, After: before,
			Reason: decision.Reason}
		if e := decision.Edit; e != nil {
			action.Kind, action.After = string(e.Kind), e.After
			touched[e.Message] = true
			plan.After += e.After - e.Tokens
		}
		plan.Decisions = append(plan.Decisions, action)
	}
	maxTokens := map[string]int{}
	for _, r := range plan.Requests {
		maxTokens[r.ID] = r.MaxTokens
	}
	for _, r := range plan.Regions {
		answers := 0
		for _, id := range r.Requests {
			answers += maxTokens[id] + labelTokens
		}
		if r.Level == 3 {
			answers = r.MaxTokens + labelTokens
		}
		plan.After -= max(r.Tokens-answers, 0)
		for _, s := range r.Spans {
			for m := s.Start; m < s.End; m++ {
				touched[m] = true
			}
		}
	}
	for m := range touched {
		if touched[m] {
			plan.Archive = addToSpans(plan.Archive, m)
		}
	}
	d.advise()
	return plan
}

func sortDecisions(decisions []pass.Decision) {
	sorted := true
	for i := 1; i < len(decisions) && sorted; i++ {
		sorted = !isAfter(decisions[i-1].Ref, decisions[i].Ref)
	}
	if sorted { // as usual: the decisions of one pass are in order
		return
	}
	order.Stable(decisions, func(a, b pass.Decision) int {
		return cmp.Or(a.Ref.Message-b.Ref.Message, a.Ref.Block-b.Ref.Block)
	})
}
