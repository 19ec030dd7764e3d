package core

import (
	"cmp"

	"tamp/core/internal/order"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// This file plans the step after an Apply: merge partial summaries, or compact more.

// nextPlan returns the plan of the next step; nil if none is due.
func (a *applier) nextPlan(out *Outcome, env Env, m memory) *Plan {
	if a.joinsResponses(out.Conversation) {
		return nil // a plan for messages that are one message once they are read again
	}
	if plan := a.planMerges(out, env, m); plan != nil {
		return plan
	}
	// Without progress, the next plan would repeat the same requests forever.
	stuck := out.After >= out.Before
	over := a.plan.Limit > 0 && a.planned(out.After) > a.plan.Limit
	if over { // everything is tried: a failed merge is not requested again
		stuck = stuck && (len(a.plan.Regions) == 0 || a.plan.Regions[0].Level != 2)
	} else {
		stuck = stuck || len(a.failed) > 0 || a.plan.Trigger.Kind == "manual"
	}
	if a.p.Summary.Strategy != "regions" || stuck || out.After <= a.plan.Target || a.nothingToReplace(out.Conversation) {
		return nil
	}
	env.Usage, env.Force = nil, false // Usage counted the conversation before this Apply
	c := out.Conversation
	m, _ = env.known.decode(out.State) // which m encoded
	d := newDraft(a.nextInput(c, env, m), "", a.p, env, m)
	plan, err := d.build()
	if err != nil || len(plan.Regions) == 0 && !(over && len(plan.Edits) > 0) {
		return nil
	}
	plan.Base = digest(c.Messages) // most results need no next plan, and the digest reads all of them
	env.known.plan(c, out.State, d)
	return plan
}

// nothingToReplace reports that a plan for the result cannot have regions of blocks, without making it: before the open
// round, all blocks stay, are short, or are too few next to each other to be worth a summary. It may be false where a
// plan has no region either.
func (a *applier) nothingToReplace(after *msg.Conversation) bool {
	if a.p.IsBounded() || a.p.Summary.Granularity == "span" || len(after.Messages) != len(a.c.Messages) {
		return false
	}
	tokens, last := 0, 0 // of the blocks of a region, and its last message
	for it := after.WalkIn(Span{End: msg.OpenRound(after)}); it.Next(); {
		m, ref := &after.Messages[it.Ref.Message], it.Ref
		before := a.marked.Messages[ref.Message].Blocks
		if len(before) != len(m.Blocks) {
			return false
		}
		_, wrote := a.w.inPlace[ref]
		stays := wrote || isSettled(it.Block) || before[ref.Block].IsSummary() || !pass.Compactable(m, ref.Block)
		if (stays || ref.Message != last) && saving(a.p, tokens) > 0 {
			return false
		}
		if last = ref.Message; stays {
			tokens = 0
		} else {
			tokens += a.before.Messages[last].Blocks[ref.Block]
		}
	}
	return saving(a.p, tokens) <= 0
}

// nextInput is newInput of the result. Changes in place keep the pairs and the other messages' counts.
func (a *applier) nextInput(c *msg.Conversation, env Env, m memory) *pass.Input {
	if !pairsAlike(a.c.Messages, c.Messages) {
		return newInput(c, env, m)
	}
	c = m.markSummaries(c)
	in := &pass.Input{Conversation: c, Pairing: env.known.pairsFor(a.c, len(a.c.Messages)),
		Meter: tokens.NewMeter(env.Count, c)}
	in.Counts = in.Meter.Recount(a.before, c, a.w.origin)
	in.Track.Add(c.Messages)
	return in
}

// joinsResponses reports whether two responses of OpenAI's Responses became neighbors, because the messages between
// them went: as items they are one response.
func (a *applier) joinsResponses(after *msg.Conversation) bool {
	if msg.API(after.Format) != msg.OpenAIResponses {
		return false
	}
	index := map[string]int{}
	for m := range a.c.Messages {
		index[a.c.Messages[m].Path] = m
	}
	for m := 1; m < len(after.Messages); m++ {
		first, second := &after.Messages[m-1], &after.Messages[m]
		if first.Role == msg.Assistant && second.Role == msg.Assistant && first.Path != "" && second.Path != "" &&
			index[first.Path]+1 != index[second.Path] {
			return true
		}
	}
	return false
}

// written is a summary that this Apply wrote. Its position in the result is computed from how it was written, not
// searched by its text.
type written struct {
	at      msg.Ref // in the input: the block, if replaced in place; else the message before which it is inserted
	ordinal int     // index among the messages inserted there; -1: replaced in place
	regions []*Region
	parts   int // number of answers joined in it
	level   int
	block   msg.Block
	summary string // without the label
}

// wroteMessage records a summary in the ordinal-th of the messages that are inserted next before message at.
func (a *applier) wroteMessage(at, ordinal int, regions []*Region, block *msg.Block, summary string) {
	parts := 0
	for _, r := range regions {
		parts += len(r.Requests)
	}
	a.wrote = append(a.wrote, written{at: msg.Ref{Message: at}, ordinal: len(a.w.insert[at]) + ordinal,
		regions: regions, parts: parts, level: 1, block: *block, summary: summary})
}

// wroteInPlace records that the first block of a region holds its summary.
func (a *applier) wroteInPlace(r *Region, text, summary string) {
	a.wrote = append(a.wrote, written{at: r.Blocks[0], ordinal: -1, regions: []*Region{r},
		parts: len(r.Requests), level: r.Level, block: a.c.At(r.Blocks[0]).WithText(text), summary: summary})
}

// resultRef returns the position of a summary in the result.
func (a *applier) resultRef(s *written) msg.Ref {
	at := msg.Ref{Message: a.w.starts[s.at.Message] + s.ordinal}
	if s.ordinal >= 0 {
		return at
	}
	at.Message = a.w.starts[s.at.Message] + len(a.w.insert[s.at.Message])
	for b := range s.at.Block {
		if e := a.w.edits[msg.Ref{Message: s.at.Message, Block: b}]; e == nil || e.Kind != pass.DropThinking {
			at.Block++
		}
	}
	return at
}

// rememberSummaries adds the summaries that this Apply wrote to the State, so that later plans recognize them.
func (a *applier) rememberSummaries(m *memory) {
	var keys []string
	for i := range a.wrote {
		keys = append(keys, summaryKey(&a.wrote[i].block))
	}
	m.summaryKeys = withKeys(m.summaryKeys, keys)
}

// rememberOften sets the keys of the names in the summaries of the result that were often written in the messages which
// they replaced.
func (a *applier) rememberOften(m *memory) {
	if !a.p.IsBounded() || len(a.wrote) == 0 {
		return
	}
	var summaries []string
	var written summarize.WrittenNames
	for i := range a.marked.Messages {
		message := &a.marked.Messages[i]
		if a.w.removed[i] {
			written.Add(message)
			continue
		}
		for b := range message.Blocks {
			if message.Blocks[b].IsSummary() {
				summaries = append(summaries, message.Blocks[b].Text)
			}
		}
	}
	for i := range a.wrote {
		summaries = append(summaries, a.wrote[i].block.Text)
	}
	m.oftenKeys = written.Keys(summaries, m.oftenKeys)
}

// planMerges requests one merged summary for each summary that this Apply joined from several answers; nil if there are
// none.
func (a *applier) planMerges(out *Outcome, env Env, m memory) *Plan {
	parts := 1      // a request that was split is always merged
	if !a.split() { // then a summary of several parts is of several chunks
		parts = max(a.p.Summary.MergeAbove, 1)
	}
	type dueMerge struct {
		at msg.Ref // in the result
		*written
	}
	var due []dueMerge
	for i := range a.wrote {
		if s := &a.wrote[i]; s.level == 1 && s.parts > parts {
			due = append(due, dueMerge{a.resultRef(s), s})
		}
	}
	if len(due) == 0 {
		return nil
	}
	order.Stable(due, func(x, y dueMerge) int { return cmp.Or(x.at.Message-y.at.Message, x.at.Block-y.at.Block) })
	c := out.Conversation
	in := newInput(c, env, m)
	plan := newDraft(in, digest(c.Messages), a.p, env, memory{}).plan
	plan.Trigger, plan.Limit = a.plan.Trigger, a.plan.Limit
	for _, s := range due {
		r := Region{Spans: []Span{{Start: s.at.Message, End: s.at.Message + 1}}, Blocks: []msg.Ref{s.at}, Level: 2,
			Tokens: in.Counts.Messages[s.at.Message].Blocks[s.at.Block]}
		q := requester{in: in, p: a.p, env: env}
		maxTokens := a.mergeTokens(s.written)
		plan.Requests = append(plan.Requests, q.merge(&r, s.summary, maxTokens))
		plan.Regions = append(plan.Regions, r)
		plan.Archive = addToSpans(plan.Archive, s.at.Message)
		plan.After -= max(r.Tokens-maxTokens-labelTokens, 0)
	}
	return plan
}

// mergeTokens returns the max tokens of a merged summary. A bounded policy gave each part the budget of the whole.
func (a *applier) mergeTokens(s *written) int {
	if a.p.IsBounded() {
		return a.requests[s.regions[0].Requests[0]].MaxTokens
	}
	return a.p.Summary.MergeTokens
}

// split reports whether some region needed more than one request.
func (a *applier) split() bool {
	for i := range a.plan.Regions {
		if len(a.plan.Regions[i].Requests) > 1 {
			return true
		}
	}
	return false
}
