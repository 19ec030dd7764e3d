package apply

import (
	"tamp/core/internal/marker"
	"tamp/core/plan"
	"tamp/core/plan/choice"
	"tamp/core/summarize"
	"tamp/core/words"
)

// answers are the results for the requests of the plan, and what every summary must agree with.
type answers struct {
	believer
	words    *words.Words     // the user's; nil until they are needed
	unloaded map[int][]string // see plan.Unloaded; nil until it is needed
}

func newAnswers(from source, rs []plan.SummaryResult) answers {
	a := answers{believer: believer{source: from, requests: map[string]*plan.SummaryRequest{},
		results: map[string]*plan.SummaryResult{}}}
	for i := range from.plan.Requests {
		a.requests[from.plan.Requests[i].ID] = &from.plan.Requests[i]
	}
	for i := range rs {
		a.results[rs[i].ID] = &rs[i]
	}
	return a
}

// hasAllRequests reports whether all of a region's requests are still in the plan.
func (a *answers) hasAllRequests(r *plan.Region) bool {
	for _, id := range r.Requests {
		if a.requests[id] == nil {
			return false
		}
	}
	return len(r.Requests) > 0
}

// budget returns the most tokens of the answers of a region.
func (a *answers) budget(r *plan.Region) (tokens int) {
	for _, id := range r.Requests {
		tokens += a.requests[id].MaxTokens
	}
	return tokens
}

// answer returns the summary of a region, or the reason why it has no usable summary.
func (a *answers) answer(r *plan.Region) (summary, why string) {
	var parts []string
	for _, id := range r.Requests {
		result := a.believed(r, id)
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
		parts = append(parts, words.Disown(text))
	}
	return marker.JoinParts(parts), ""
}

// userWords returns the section with the user's words of regions, which their summary begins with; "" if they have
// none. left are the tokens that the summary leaves of its own room: words that do not fit get them.
func (a *answers) userWords(regions []*plan.Region, left int) string {
	return words.Section(a.wordsOf(regions, left).Said())
}

// tokensOfWords returns the tokens of the user's words of a region that its summary has, by message.
func (a *answers) tokensOfWords(r *plan.Region) map[int]int {
	tokens := map[int]int{}
	a.wordsOf([]*plan.Region{r}, 0).Each(func(s *words.Said, n int, _ bool) { tokens[s.At.Message] += n })
	return tokens
}

func (a *answers) wordsOf(regions []*plan.Region, left int) *words.Selection {
	if a.words == nil {
		c := a.plannedOf(a.marked)
		pairs := a.cache.PairsFor(a.c, a.plan.Length)
		a.words = a.cache.Words(c, a.turns, &pairs, a.meter.Text)
	}
	of := make([]bool, a.plan.Length)
	limit := max(left, 0)
	for _, r := range regions {
		limit += max(r.Words-words.FrameTokens, 0)
		for _, span := range r.Spans {
			for m := span.Start; r.Blocks == nil && m < span.End; m++ {
				of[m] = true
			}
		}
	}
	return a.words.Fit(func(s *words.Said) bool { return choice.RegionOf(s, func(m int) bool { return of[m] }) }, limit)
}

// leftOf returns the tokens that the summary of regions leaves of their budget. Parts that are merged leave none.
func (a *answers) leftOf(regions []*plan.Region, summary string) (left int) {
	for _, r := range regions {
		if len(r.Requests) > 1 {
			return 0
		}
		left += a.budget(r)
	}
	return left - a.meter.Text(summary)
}

// withLoaded returns the summary of regions with the line of the tools that the provider unloads, within the tokens of
// the answers. tail is the text after it.
func (a *answers) withLoaded(regions []*plan.Region, summary, tail string) string {
	room, size := 0, 0
	for _, r := range regions {
		room += a.budget(r)
		size += a.size(r)
	}
	room = min(room, size-choice.ArchivedLabelTokens-a.meter.Text(tail))
	summary, _ = marker.CutLoaded(summary)
	loaded := a.loadedLine(regions)
	if n := a.meter.Text(loaded); n > 0 && n < room/2 {
		return summarize.ShortenToTokens(summary, room-n, a.meter.Text) + loaded
	}
	return summary
}

// loadedLine returns the line of a summary of regions with the tools that the provider unloads; "" if there are none.
func (a *answers) loadedLine(regions []*plan.Region) string {
	if a.unloaded == nil {
		a.unloaded = plan.Unloaded(a.marked, a.cache.PairsFor(a.c, len(a.c.Messages)), a.plan.Regions)
	}
	var names []string
	for _, r := range regions {
		names = append(names, a.unloaded[a.places[r]]...)
	}
	return marker.Loaded(names)
}
