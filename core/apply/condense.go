package apply

import (
	"slices"

	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/plan/choice"
	"tamp/core/summarize"
)

// Condensing replaces old summaries, and the prompts between them, by one summary of their best lines. It needs no
// model.

// condense replaces a region of level 3. If no line fits, the region stays.
func (a *applier) condense(r *plan.Region) {
	if cost, first, last := a.extract(r, r.MaxTokens); cost > 0 {
		a.noteRegion("condense", r, cost, "the earlier summaries of "+turnRange(first, last)+" are condensed into one")
		if !a.lean {
			a.noteDropped(r)
		}
		return
	}
	a.noteRegion("keep", r, r.Tokens, "the earlier summaries are kept: no shorter summary of them is possible")
}

// maxDropped is the max length of Action.Dropped, since actions are part of every outcome.
const maxDropped = 100

// noteDropped adds the lines that a condensed region lost to the last action.
func (a *applier) noteDropped(r *plan.Region) {
	var merged []string
	span := r.Spans[0]
	for it := a.marked.WalkIn(span); it.Next(); {
		if it.Block.IsSummary() {
			merged = append(merged, it.Block.Text)
		}
	}
	inserted := a.w.Insert[span.Start]
	dropped := summarize.DroppedLines(merged, inserted[len(inserted)-1].Blocks[0].Text)
	action := &a.actions[len(a.actions)-1]
	action.Dropped, action.DroppedLines = dropped[:min(len(dropped), maxDropped)], len(dropped)
}

// extract replaces a region of one span by a summary without a model. It returns the tokens of the summary, 0 if
// there is no shorter one, and its turns.
func (a *applier) extract(r *plan.Region, maxTokens int) (cost, first, last int) {
	span := r.Spans[0]
	first, last, tail := a.history(r)
	tail = a.loadedLine([]*plan.Region{r}) + tail
	maxTokens = min(maxTokens, a.size(r)-choice.ArchivedLabelTokens)
	index, n := a.indexFor(r)
	text := index.Summarize(n,
		summarize.Options{Counter: a.meter.Texts(), MaxTokens: maxTokens - a.meter.Text(tail)})
	said := a.userWords([]*plan.Region{r}, maxTokens-a.meter.Text(text+tail))
	message := msg.TextMessage(msg.User, a.turnsLabel(first, last)+said+text+tail)
	if cost = a.meter.Message(&message); text+said == "" || cost >= a.size(r) {
		return 0, first, last
	}
	a.remove(r)
	a.wroteMessage(span.Start, 0, []*plan.Region{r}, &message.Blocks[0], text)
	a.w.Insert[span.Start] = append(a.w.Insert[span.Start], message)
	return cost, first, last
}

// indexFor returns an index of the conversation and the place of a region's span in it. All regions of messages share
// one: it reads the whole conversation.
func (a *applier) indexFor(r *plan.Region) (*summarize.Index, int) {
	if n := slices.Index(a.indexed, r); n >= 0 {
		return a.index, n
	}
	a.indexed = []*plan.Region{r}
	if r.Level == 1 {
		a.indexed = nil
		for i := range a.plan.Regions {
			if r := &a.plan.Regions[i]; r.Level == 1 && r.Blocks == nil && len(r.Spans) == 1 {
				a.indexed = append(a.indexed, r)
			}
		}
		order.Stable(a.indexed, func(x, y *plan.Region) int { return x.Spans[0].Start - y.Spans[0].Start })
	}
	spans := make([]msg.Span, len(a.indexed))
	for i, r := range a.indexed {
		spans[i] = r.Spans[0]
	}
	head := a.plannedOf(a.marked)
	a.index = a.cache.Texts().New(head, spans, a.turns[:a.plan.Length])
	a.index.PreferNames(a.often)
	return a.index, slices.Index(a.indexed, r)
}
