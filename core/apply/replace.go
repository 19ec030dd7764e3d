package apply

import (
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/plan/choice"
	"tamp/core/summarize"
	"tamp/core/view"
)

// applySummaries replaces the regions that have a usable answer.
func (a *applier) applySummaries() {
	var head []*plan.Region // their summaries share one message before everything else
	texts := map[*plan.Region]string{}
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
		if broken := a.whyBroken(r); broken != "" && why == "" {
			a.noteRegion("failed", r, r.Tokens, broken+"; the built-in summary is used instead")
		} else if broken != "" {
			why = broken
		}
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
		order.Stable(head, func(x, y *plan.Region) int { return x.Spans[0].Start - y.Spans[0].Start })
		a.replaceHead(head, texts)
	}
}

// replace replaces a region by its summary.
func (a *applier) replace(r *plan.Region, summary string) {
	label, tail := a.frameOf(r)
	summary = a.completed(r, summary, tail)
	summary = a.withLoaded([]*plan.Region{r}, summary, tail)
	left := a.size(r) - choice.ArchivedLabelTokens - r.Words - a.meter.Text(summary+tail) // a longer one replaces nothing
	left = min(left, a.leftOf([]*plan.Region{r}, summary))
	text := label + a.userWords([]*plan.Region{r}, left) + summary + tail
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
		a.wroteMessage(at, 0, []*plan.Region{r}, &message.Blocks[0], summary)
		a.w.Insert[at] = append(a.w.Insert[at], message)
	}
	a.noteRegion("summarize", r, cost, a.describe(r))
}

// completed returns a model's summary of a region with the best lines of the region that it lacks below it, word for
// word: at most half as long as the summary, and within the tokens of the answers.
func (a *applier) completed(r *plan.Region, summary, tail string) string {
	if !a.strategy.Completes(r) || summarize.IsExtract(summary) {
		return summary
	}
	size := a.meter.Text(summary)
	room := min(size/2, a.budget(r)-size, a.size(r)-choice.ArchivedLabelTokens-a.meter.Text(tail)-size)
	if room < minCompleted {
		return summary
	}
	index, n := a.indexFor(r)
	lines := index.Complete(n, summary, summarize.Options{Counter: a.meter.Texts(), MaxTokens: room})
	return strings.TrimRight(summary+"\n\n"+lines, "\n")
}

const minCompleted = 100 // tokens, with the headings; less says nothing

// replaceHead replaces regions by one summary message before all kept messages.
func (a *applier) replaceHead(regions []*plan.Region, texts map[*plan.Region]string) {
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
	planned := a.plannedOf(a.marked)
	at := view.HeadPosition(planned, a.cache.PairsFor(a.c, a.plan.Length))
	summary := a.withLoaded(regions, marker.JoinParts(parts), "")
	left := a.leftOf(regions, summary)
	if limit := a.plan.Limit; limit > 0 { // no more than what stays leaves
		limit -= a.planned(a.before.Total-a.w.Saved(a.meter, a.before)) + a.meter.Text(summary) + a.strategy.Frame(a.p, 0)
		for _, r := range regions {
			limit -= r.Words
		}
		left = min(left, limit)
	}
	messages := a.headMessages(a.userWords(regions, left)+summary, count, at)
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
	a.w.Insert[at] = append(a.w.Insert[at], messages...)
	for _, r := range regions {
		a.noteRegion("summarize", r, int(int64(cost)*int64(a.size(r))/int64(replaced)), a.describe(r))
	}
}
