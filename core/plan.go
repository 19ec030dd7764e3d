package core

import (
	"cmp"
	"slices"
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Env is everything that the core may not look up for itself.
type Env struct {
	Count   tokens.Counter // nil: tokens.Estimate
	Usage   *Usage         // of the last response, where the host has it
	IdleSec int            // seconds since the last model call, for cache lifetimes
	Force   bool           // compact now, whatever the trigger says
	Focus   string         // what to preserve

	// Lean leaves out of Apply what only a reader of its Outcome needs, and what Observe goes by: Quality, and how the request
	// looked. For replays, which apply hundreds of plans and show none of them.
	Lean bool
}

// Usage is the API's own token count of one call.
type Usage = msg.Usage

// Span is a half-open range of messages.
type Span = msg.Span

// Warning reports something that was tolerated or is worth a look. It never changes a result.
type Warning = msg.Warning

// Edit is one change to one block that needs no model.
type Edit = pass.Edit

// Plan is what should happen to a conversation. It is data: print it, store it, send it, apply it later, or drop it.
type Plan struct {
	Base      Digest           `json:"base"`      // of the first Length messages, the only ones this plan speaks of
	Length    int              `json:"length"`    // how many messages the plan speaks of
	Trigger   Trigger          `json:"trigger"`   // which condition fired, with its two numbers; "none" is a plan too
	Edits     []Edit           `json:"edits"`     // need no model, in document order
	Regions   []Region         `json:"regions"`   // what summaries take the place of, largest first
	Requests  []SummaryRequest `json:"requests"`  // for a model; may be empty
	Archive   []Span           `json:"archive"`   // originals that Apply removes: save them BEFORE you use its result
	Before    int              `json:"before"`    // tokens now
	After     int              `json:"after"`     // tokens if each request is answered within its MaxTokens
	Target    int              `json:"target"`    // tokens to come down to where a request fails; 0 = no matter
	Decisions []Action         `json:"decisions"` // every block that a rule spoke of, those left alone included
	Warnings  []Warning        `json:"warnings"`
}

// Action is one decision, the decision to do nothing too.
type Action struct {
	Kind   string `json:"kind"` // an edit's kind, "keep", "summarize", "truncate", "thinking_dropped", "none"
	Path   string `json:"path"` // JSON Pointer into the input
	Tool   string `json:"tool,omitempty"`
	Region *int   `json:"region,omitempty"` // index in Plan.Regions, if the action is about a region; else absent
	Before int    `json:"before"`           // tokens of the block or region
	After  int    `json:"after"`
	Reason string `json:"reason"`
}

// NewPlan decides what should happen to c under policy p. It changes nothing and is cheap enough for every turn.
// The error context_overflow says that nothing is left to give up and the conversation is still over its hard limit.
func NewPlan(c *msg.Conversation, st State, p Policy, env Env) (*Plan, error) {
	plan, _, err := planFor(c, st, &p, env)
	return plan, err
}

func planFor(c *msg.Conversation, st State, p *Policy, env Env) (*Plan, *draftPlan, error) {
	if err := p.Validate(); err != nil {
		return nil, nil, err
	}
	memory, err := decodeState(st)
	if err != nil {
		return nil, nil, err
	}
	d := newDraft(newInput(c, env, memory), digest(c.Messages), p, env, memory)
	plan, err := d.make()
	return plan, d, err
}

// make runs all layers.
func (d *draftPlan) make() (*Plan, error) {
	d.clear()
	if err := d.summarize(); err != nil {
		return nil, err
	}
	d.bindThinking()
	return d.finish(), nil
}

// draftPlan is a plan in the making.
type draftPlan struct {
	p         *Policy
	env       Env
	memory    memory
	in        *pass.Input // the conversation as it is
	decisions []pass.Decision
	regions   []Region
	plan      *Plan
}

// newInput works out what all layers read. Its conversation is c with the summaries marked.
func newInput(c *msg.Conversation, env Env, m memory) *pass.Input {
	c = m.markSummaries(c)
	meter := tokens.NewMeter(env.Count, c)
	in := &pass.Input{Conversation: c, Pairing: msg.Pair(c), Meter: meter, Counts: meter.Conversation(c)}
	in.Track.Add(c.Messages)
	return in
}

// newDraft begins a plan for a conversation whose digest is base.
func newDraft(in *pass.Input, base Digest, p *Policy, env Env, m memory) *draftPlan {
	c := in.Conversation
	if focus, ok := compactCall(c, in.Pairing); ok {
		env.Force = true
		if env.Focus == "" {
			env.Focus = focus
		}
	}
	plan := &Plan{Base: base, Length: len(c.Messages), Before: in.Counts.Total, After: in.Counts.Total,
		Edits: []Edit{}, Regions: []Region{}, Requests: []SummaryRequest{}, Archive: []Span{}, Decisions: []Action{}, Warnings: []Warning{}}
	plan.Warnings = append(plan.Warnings, c.Warnings...)
	return &draftPlan{p: p, env: env, memory: m, in: in, plan: plan}
}

// clear runs layers 0 and 1. Where two passes speak of one block, the one that frees more has it.
func (d *draftPlan) clear() {
	clear := d.p.Clear
	if d.env.Force {
		clear.TriggerTokens, clear.TriggerToolUses = 0, 0
	}
	clear.Was = d.memory.cleared
	if clear.Sticky {
		clear.Before = d.p.Pin.Window.Start(d.in)
	}
	all := slices.Concat(clear.Run(d.in), d.p.Intake.Run(d.in, refText), d.p.Thinking.Run(d.in))
	sortDecisions(all)
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

// edits lists what layers 0 and 1 decided to change, in document order.
func (d *draftPlan) edits() []Edit {
	edits := []Edit{}
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil {
			edits = append(edits, *e)
		}
	}
	return edits
}

// edited is the conversation as edits leave it, counted. Messages keep their places.
func (d *draftPlan) edited(edits []Edit) *pass.Input {
	if len(edits) == 0 {
		return d.in
	}
	in := *d.in
	in.Conversation = applyEdits(d.in.Conversation, edits)
	in.Pairing = msg.Pair(in.Conversation)
	in.Counts = in.Meter.Recount(d.in.Counts, in.Conversation, d.in.Conversation)
	return &in
}

// uncleared leaves out the edits that a policy which clears in steps would make now. Where summaries are due, they are made of
// the results themselves and not of what clearing left; the published designs, which clear in every turn, summarize that.
func (d *draftPlan) uncleared(edits []Edit) []Edit {
	return slices.DeleteFunc(slices.Clone(edits), func(e Edit) bool { return d.isNewClear(&e) })
}

func (d *draftPlan) isNewClear(e *Edit) bool {
	return d.p.Clear.Sticky && (e.Kind == pass.ClearInput || e.Kind == pass.ClearResult && !d.memory.cleared(d.in.Conversation.At(e.Ref())))
}

// supersede takes back the edits of messages that a summary takes the place of, and those that would clear more in the same
// step: the summaries free enough.
func (d *draftPlan) supersede() {
	gone := d.gone()
	for i := range d.decisions {
		decision := &d.decisions[i]
		switch {
		case decision.Edit == nil:
		case gone[decision.Ref.Message]:
			decision.Edit, decision.Fate, decision.Reason = nil, pass.Kept, "a summary takes its place"
		case d.isNewClear(decision.Edit):
			decision.Edit, decision.Fate, decision.Reason = nil, pass.Kept, "summaries free enough"
		}
	}
}

// gone marks the messages that summaries take the place of.
func (d *draftPlan) gone() []bool {
	gone := make([]bool, len(d.in.Conversation.Messages))
	for _, r := range d.regions {
		for _, s := range r.Spans {
			for m := s.Start; r.Blocks == nil && m < s.End; m++ {
				gone[m] = true
			}
		}
	}
	return gone
}

// summarize runs layer 2.
func (d *draftPlan) summarize() error {
	clearing := d.clearTrigger()
	d.plan.Trigger = clearing
	if s := d.p.Summary.Strategy; s == "" || s == "none" {
		return nil
	}
	edits := d.uncleared(d.edits())
	in := d.edited(edits)
	q := press(in, d.p, d.env, measure(in, d.p.Trigger.Measure, d.env, d.in.Counts.Total-in.Counts.Total))
	if q.trigger.Kind == "none" {
		if d.plan.Trigger.Kind == "every_turn" && len(d.edits()) == 0 {
			d.plan.Trigger = q.trigger
		}
		d.plan.Trigger.waitFor(clearing, q.next)
		return nil
	}
	d.plan.Trigger = q.trigger
	d.plan.Trigger.waitFor(clearing, q.next)
	selected := choose(in, d.p, &q)
	if selected.note != "" {
		d.plan.Warnings = append(d.plan.Warnings, Warning{Code: "window_shrunk", Message: selected.note})
	}
	// The measure of a trigger may be another than the counter of the plan: the target is carried over as a share.
	d.plan.Target = in.Counts.Total
	if q.used > 0 {
		d.plan.Target = int(int64(in.Counts.Total) * int64(q.target) / int64(q.used))
	}
	r := requester{in: in, p: d.p, env: d.env, turns: numberTurns(in.Conversation), marks: d.important(in)}
	for i := range selected.regions {
		region := &selected.regions[i]
		if region.Tokens <= labelTokens {
			continue // no summary is shorter
		}
		d.plan.Requests = append(d.plan.Requests, r.ask(region, region.budget)...)
		region.Blocks = d.before(edits, region.Blocks)
		d.regions = append(d.regions, *region)
	}
	if d.p.Clear.Sticky && len(d.regions) > 0 {
		d.supersede()
	}
	if len(d.regions) == 0 && q.hard > 0 && q.used > q.hard && len(d.edits()) == 0 {
		return msg.NewError(msg.ContextOverflow, "", "cannot compact further: start a new session; "+strconv.Itoa(q.used)+
			" tokens are used, at most "+strconv.Itoa(q.hard)+" fit, and nothing that may go is left")
	}
	return nil
}

// before returns where blocks of the edited conversation are in the conversation as it is: dropped thinking may come
// before them in their message. blocks are in document order.
func (d *draftPlan) before(edits []Edit, blocks []msg.Ref) []msg.Ref {
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

// important marks what should come first in the summaries of whole messages.
func (d *draftPlan) important(in *pass.Input) []bool {
	if d.p.Summary.Granularity != "span" {
		return nil
	}
	return importantMessages(in)
}

// clearTrigger says which condition lets layer 1 act.
func (d *draftPlan) clearTrigger() Trigger {
	kind, used, limit := d.p.Clear.Trigger(d.in)
	t := waiting(kind, used, limit, d.in.Counts.Total)
	if d.env.Force {
		t.Kind, t.Used, t.Limit = "manual", d.in.Counts.Total, 0
	}
	return t
}

// waiting names what layer 1 waits for; total is the size now, for the policies that wait for nothing.
func waiting(kind string, used, limit, total int) Trigger {
	if kind == "" {
		return Trigger{Kind: "every_turn", Used: total}
	}
	t := Trigger{Kind: kind, Used: used, Limit: limit, WaitsFor: kind, WaitsUsed: used, WaitsLimit: limit}
	if used <= limit {
		t.Kind = "none"
	}
	return t
}

// finish writes everything down.
func (d *draftPlan) finish() *Plan {
	plan, c := d.plan, d.in.Conversation
	sortDecisions(d.decisions)
	plan.Edits = d.edits()
	plan.Regions = append(plan.Regions, d.regions...)
	touched := make([]bool, len(c.Messages))
	for _, decision := range d.decisions {
		before := d.in.Counts.Messages[decision.Ref.Message].Blocks[decision.Ref.Block]
		action := Action{Kind: "keep", Path: c.At(decision.Ref).Path, Tool: decision.Tool, Before: before, After: before, Reason: decision.Reason}
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
	return plan
}

func sortDecisions(decisions []pass.Decision) {
	slices.SortStableFunc(decisions, func(a, b pass.Decision) int {
		return cmp.Or(a.Ref.Message-b.Ref.Message, a.Ref.Block-b.Ref.Block)
	})
}

// addToSpans adds a message at or after the last one of sorted spans.
func addToSpans(spans []Span, message int) []Span {
	if n := len(spans); n > 0 && message <= spans[n-1].End {
		spans[n-1].End = max(spans[n-1].End, message+1)
		return spans
	}
	return append(spans, Span{Start: message, End: message + 1})
}
