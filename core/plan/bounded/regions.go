package bounded

import (
	"slices"

	"tamp/core/internal/order"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/words"
)

// This file chooses the regions before the recent window of a bounded policy, and the budgets of their summaries.

// regions selects the regions before the window, with their budgets.
func (b *bounds) regions() choice.Selection {
	s := choice.Selection{Cuts: b.cuts, CutOnly: b.cutOnly}
	if b.cutOnly {
		return s
	}
	kept := b.keptMessages()
	stays := func(m int) bool { return kept[m] && !b.summary[m] || m >= b.tailStart }
	fit := b.fitWords(stays)
	verbatim, summaries, wanted := b.divide(&s, kept)
	for m := range b.tailStart {
		if stays(m) {
			b.tokens[m] = b.all[m] // if it is condensed
		}
	}
	fresh, condensed := b.shares(verbatim, summaries, wanted)
	// Condensing takes the prompts between the summaries, too, so that less stays than summaries may be a share of.
	for last := verbatim; ; {
		now := verbatim - b.absorbed(condensed)
		if now >= last {
			break
		}
		last = now
		fresh, condensed = b.shares(now, summaries, wanted)
	}
	for i := range s.Regions {
		if r := &s.Regions[i]; wanted > fresh {
			share := int(int64(r.Budget) * int64(fresh) / int64(wanted))
			label := max(choice.ArchivedLabelTokens, choice.ArchivedLabelTokens/2+b.tail(r.Spans[0]))
			r.Budget = max(share-label, min(r.Budget, choice.MinBudget))
		}
	}
	for _, r := range condensed {
		for m := r.Spans[0].Start; m < r.Spans[0].End; m++ {
			kept[m] = false
		}
		s.Regions = slices.DeleteFunc(s.Regions, func(other choice.Region) bool {
			return overlaps(other.Spans[0], r.Spans[0])
		})
		s.Regions = append(s.Regions, r)
	}
	if len(condensed) > 0 {
		fit = b.fitWords(stays)
		for i := range s.Regions {
			s.Regions[i].Words = b.floor(s.Regions[i].Spans[0])
		}
	}
	if fit.Cut() {
		s.Warnings = append(s.Warnings, choice.WordsCutIn(b.wordsRoom()))
	}
	s.Regions = b.rewriteCut(s.Regions)
	order.Stable(s.Regions, func(x, y choice.Region) int { return y.Tokens - x.Tokens })
	return s
}

// keptMessages returns which messages stay as they are.
func (b *bounds) keptMessages() []bool {
	kept := make([]bool, len(b.size))
	for m := range kept {
		kept[m] = b.fixedAt[m] || b.summary[m] && !b.merge || m >= b.tailStart || m >= b.keepFrom && b.prompt[m]
	}
	b.joinRuns(kept)
	return kept
}

// divide adds a region for each run of messages that is summarized. It returns the tokens of the verbatim messages, of
// the earlier summaries, and of the new ones.
func (b *bounds) divide(s *choice.Selection, kept []bool) (verbatim, summaries, wanted int) {
	b.verbatim = make([]bool, len(b.size))
	for m := range b.size {
		earlier := b.summary[m] && m < b.tailStart && !b.merge
		b.verbatim[m] = !earlier
		if earlier {
			summaries += b.rest(m)
		}
	}
	for _, r := range pass.SpanRegions(b.in, 0, b.tailStart, func(m int) bool { return kept[m] }) {
		said := b.floor(r.Span)
		rest := r.Tokens - said
		region := choice.Region{Spans: []msg.Span{r.Span}, Tokens: r.Tokens, Level: 1, Words: said,
			Budget: choice.Budget(b.p, rest)}
		if rest < b.minRegion() || !b.shrinks(r.Span, r.Tokens) {
			continue // too small
		}
		for m := r.Span.Start; m < r.Span.End; m++ {
			b.verbatim[m] = false
		}
		s.Regions = append(s.Regions, region)
		wanted += region.Budget + choice.ArchivedLabelTokens
	}
	verbatim = b.in.Counts.System + b.in.Counts.Tools
	for m, tokens := range b.size {
		if b.verbatim[m] {
			verbatim += tokens
		} else {
			verbatim += min(b.tokens[m], tokens)
		}
	}
	return verbatim, summaries, wanted
}

// absorbed returns the tokens in regions, without the user's words, that would stay verbatim without them.
func (b *bounds) absorbed(regions []choice.Region) (sum int) {
	for i := range regions {
		for m := regions[i].Spans[0].Start; m < regions[i].Spans[0].End; m++ {
			if b.verbatim[m] {
				sum += b.rest(m)
			}
		}
	}
	return sum
}

// shares returns the tokens of the new summaries next to so many verbatim tokens, and the regions of the earlier
// summaries that are condensed.
func (b *bounds) shares(verbatim, summaries, wanted int) (fresh int, condensed []choice.Region) {
	room := b.summaryRoom(verbatim)
	fresh = min(wanted, max(room-summaries, room*freshPermille/1000))
	return fresh, b.condense(summaries - (room - fresh))
}

// joinedRun is the average size in tokens below which runs are not joined.
const joinedRun = 4000

// joinRuns gives up prompts between the runs of messages to summarize, so that at most MaxRequests runs of about the
// same size are left: their summaries then name the prompts.
func (b *bounds) joinRuns(kept []bool) {
	runs, large, total := pass.SpanRegions(b.in, 0, b.tailStart, func(m int) bool { return kept[m] }), 0, 0
	for i := range runs {
		total += runs[i].Tokens
		if runs[i].Tokens >= b.minRegion() {
			large++
		}
	}
	limit := b.p.Summary.MaxRequests
	if limit == 0 || large <= limit || total/limit < joinedRun {
		return // the smallest runs wait for the next plan
	}
	joined := 0 // tokens
	for i := range runs[1:] {
		joined += runs[i].Tokens
		between := msg.Span{Start: runs[i].Span.End, End: runs[i+1].Span.Start}
		if joined*limit >= total || slices.Contains(b.fixedAt[between.Start:between.End], true) ||
			slices.Contains(b.summary[between.Start:between.End], true) {
			joined = 0
			continue
		}
		for m := between.Start; m < between.End; m++ {
			kept[m] = false
		}
	}
}

func overlaps(x, y msg.Span) bool { return x.Start < y.End && y.Start < x.End }

// condense returns regions of the oldest summaries, with all between them, that free over tokens: of so many that a
// quarter of each would free enough, or of all. If half of each is freed, the oldest lines lose to worse ones of
// summaries that are not condensed.
func (b *bounds) condense(over int) []choice.Region {
	if over <= 0 {
		return nil
	}
	var regions []choice.Region
	freed := 0 // tokens, if each region loses a quarter of its summaries
	for start := 0; start < b.tailStart && freed < over; start++ {
		if !b.summary[start] || b.fixedAt[start] || b.safe.Back(start) != start {
			continue
		}
		r := choice.Region{Level: 3}
		summaries, all := 0, 0
		end := start
		for m := start; m < b.tailStart && !b.fixedAt[m] && freed+summaries/condensedShare < over; m++ {
			all += b.size[m]
			if b.summary[m] {
				summaries += b.rest(m)
			}
			if next := m + 1; b.summary[m] && (next == b.tailStart || !b.summary[next]) && b.safe.Back(next) == next {
				r.Spans, r.Tokens, r.MaxTokens, end = []msg.Span{{Start: start, End: next}}, all, summaries, next
			}
		}
		if len(r.Spans) > 0 {
			freed += r.MaxTokens / condensedShare
			regions = append(regions, r)
			start = end - 1
		}
	}
	for i := range regions {
		r := &regions[i]
		// Up to here MaxTokens are those of the summaries. Each region loses its part of over.
		r.MaxTokens -= int(int64(over) * int64(r.MaxTokens/condensedShare) / int64(max(freed, 1)))
		r.MaxTokens, r.Words = max(r.MaxTokens, choice.MinBudget+b.tail(r.Spans[0])), b.floor(r.Spans[0])
	}
	return slices.DeleteFunc(regions, func(r choice.Region) bool {
		return r.Tokens <= r.MaxTokens+r.Words+choice.LabelTokens || !b.shrinks(r.Spans[0], r.Tokens)
	})
}

// rewriteCut adds the summaries outside of regions of whose user's words a part leaves: to the region after them, or as
// regions of their own if these are shorter than the summary.
func (b *bounds) rewriteCut(regions []choice.Region) []choice.Region {
	for m := range b.tailStart {
		s := msg.Span{Start: m, End: m + 1}
		if !b.cut[m] || !b.summary[m] || b.fixedAt[m] || b.safe.Back(m) != m || b.safe.Back(m+1) != m+1 ||
			slices.ContainsFunc(regions, func(r choice.Region) bool { return overlaps(r.Spans[0], s) }) {
			continue
		}
		next := slices.IndexFunc(regions, func(r choice.Region) bool { return r.Level == 1 && r.Spans[0].Start == m+1 })
		if next >= 0 {
			r := &regions[next]
			r.Spans[0].Start = m
			r.Tokens += b.size[m]
			r.Budget += max(b.rest(m)-choice.ArchivedLabelTokens, 0)
			if r.Words += b.tokens[m]; r.Words == b.tokens[m] && r.Words > 0 {
				r.Words += words.FrameTokens
			}
		} else if b.shrinks(s, b.size[m]) {
			regions = append(regions, choice.Region{Spans: []msg.Span{s}, Tokens: b.size[m], Level: 3, Words: b.floor(s),
				MaxTokens: max(b.rest(m)-choice.ArchivedLabelTokens, choice.MinBudget)})
		}
	}
	return regions
}
