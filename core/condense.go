package core

import (
	"slices"
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/summarize"
)

// Condensing replaces old summaries, and the prompts between them, by one summary of their best lines. It needs no
// model.

// turnsLabel returns the label of a summary of turns. A bounded policy adds the reference of the archive, so that the
// originals can be read back.
func (a *applier) turnsLabel(first, last int) string {
	if !a.p.IsBounded() {
		return marker.TurnsLabel(first, last)
	}
	return marker.ArchivedTurnsLabel(first, last, a.archiveRef())
}

func (a *applier) archiveRef() string {
	if a.ref == "" {
		a.ref = Ref(Archive(a.c, a.plan))
	}
	return a.ref
}

// history returns the turns of a region and the line that lists the archives of the summaries in it; "" if it has none.
func (a *applier) history(r *Region) (first, last int, line string) {
	first, last = a.turns[r.Spans[0].Start], a.turns[r.Spans[len(r.Spans)-1].End-1]
	var refs []string
	for _, span := range r.Spans {
		for it := a.marked.WalkIn(span); it.Next(); {
			if it.Block.IsSummary() {
				if l, _ := marker.Parse(it.Block.Text); l.Form == marker.Turns {
					first, last = min(first, l.First), max(last, l.Last)
				}
			}
		}
		refs = append(refs, originalsIn(a.marked, span)...)
	}
	return first, last, originalsLine(refs)
}

// originalsIn returns the archives of the summaries in a span of a conversation whose summaries are marked.
func originalsIn(c *msg.Conversation, span Span) []string {
	var refs []string
	for it := c.WalkIn(span); it.Next(); {
		if it.Block.IsSummary() {
			if l, _ := marker.Parse(it.Block.Text); l.Form == marker.Turns {
				refs = append(refs, originals(it.Block.Text, l)...)
			}
		}
	}
	return refs
}

// condense replaces a region of level 3. If no line fits, the region stays.
func (a *applier) condense(r *Region) {
	if cost, first, last := a.extract(r, r.MaxTokens); cost > 0 {
		a.note("condense", r, cost, "the earlier summaries of "+turnRange(first, last)+" are condensed into one")
		if !a.lean {
			a.noteDropped(r)
		}
		return
	}
	a.note("keep", r, r.Tokens, "the earlier summaries are kept: no shorter summary of them is possible")
}

// maxDropped is the max length of Action.Dropped, since actions are part of every outcome.
const maxDropped = 100

// noteDropped adds the lines that a condensed region lost to the last action.
func (a *applier) noteDropped(r *Region) {
	var merged []string
	span := r.Spans[0]
	for it := a.marked.WalkIn(span); it.Next(); {
		if it.Block.IsSummary() {
			merged = append(merged, it.Block.Text)
		}
	}
	inserted := a.w.insert[span.Start]
	dropped := summarize.DroppedLines(merged, inserted[len(inserted)-1].Blocks[0].Text)
	action := &a.actions[len(a.actions)-1]
	action.Dropped, action.DroppedLines = dropped[:min(len(dropped), maxDropped)], len(dropped)
}

// extract replaces a region of one span by a summary without a model. It returns the tokens of the summary, 0 if
// there is no shorter one, and its turns.
func (a *applier) extract(r *Region, maxTokens int) (cost, first, last int) {
	span := r.Spans[0]
	first, last, tail := a.history(r)
	tail = a.loadedLine([]*Region{r}) + tail
	maxTokens = min(maxTokens, a.size(r)-archivedLabelTokens)
	index, n := a.indexFor(r)
	text := index.Summarize(n,
		summarize.Options{Counter: a.meter.Texts(), MaxTokens: maxTokens - a.meter.Text(tail)})
	message := msg.TextMessage(msg.User, a.turnsLabel(first, last)+text+tail)
	if cost = a.meter.Message(&message); text == "" || cost >= a.size(r) {
		return 0, first, last
	}
	a.remove(r)
	a.wroteMessage(span.Start, 0, []*Region{r}, &message.Blocks[0], text)
	a.w.insert[span.Start] = append(a.w.insert[span.Start], message)
	return cost, first, last
}

// maxRefs is the number of archives that a condensed summary lists, the newest. Older ones are listed in the summaries
// that those archives hold.
const maxRefs = 8

// originals returns the archives of a summary: of its label, and those that it lists.
func originals(text string, l marker.Label) []string {
	var refs []string
	for _, line := range strings.Split(text, "\n") {
		if list, ok := strings.CutPrefix(line, summarize.OriginalsLine); ok {
			for _, ref := range strings.Split(list, ", ") {
				if marker.IsRef(ref) {
					refs = append(refs, ref)
				}
			}
		}
	}
	if l.Ref != "" {
		refs = append(refs, l.Ref)
	}
	return refs
}

// originalsLine is the last line of a condensed summary.
func originalsLine(refs []string) string {
	var unique []string
	for _, ref := range slices.Backward(refs) {
		if len(unique) < maxRefs && !slices.Contains(unique, ref) {
			unique = append(unique, ref)
		}
	}
	if len(unique) == 0 {
		return ""
	}
	slices.Reverse(unique)
	return "\n\n" + summarize.OriginalsLine + strings.Join(unique, ", ")
}

// indexFor returns an index of the conversation and the place of a region's span in it. All failed regions share one:
// it reads the whole conversation.
func (a *applier) indexFor(r *Region) (*summarize.Index, int) {
	if n := slices.Index(a.indexed, r); n >= 0 {
		return a.index, n
	}
	a.indexed = []*Region{r}
	if slices.Contains(a.failed, r) {
		a.indexed = slices.DeleteFunc(slices.Clone(a.failed),
			func(r *Region) bool { return r.Blocks != nil || len(r.Spans) != 1 })
		order.Stable(a.indexed, func(x, y *Region) int { return x.Spans[0].Start - y.Spans[0].Start })
	}
	spans := make([]msg.Span, len(a.indexed))
	for i, r := range a.indexed {
		spans[i] = r.Spans[0]
	}
	head := a.marked.WithMessages(a.marked.Messages[:a.plan.Length:a.plan.Length])
	a.index = a.known.texts().New(head, spans, a.turns[:a.plan.Length])
	a.index.PreferNames(a.often)
	return a.index, slices.Index(a.indexed, r)
}
