package apply

import (
	"tamp/core/internal/marker"
	"tamp/core/plan"
	"tamp/core/summarize"
	"tamp/core/view"
)

// answers are the results for the requests of the plan, and what every summary must agree with.
type answers struct {
	believer
	userStatements []summarize.Pinned
	isRead         bool             // userStatements is set
	stale          map[string]bool  // of these; nil until it is needed
	unloaded       map[int][]string // see plan.UnloadedTools; nil until it is needed
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
	var said map[string]bool
	read := func() (map[string]bool, map[string]bool) {
		if said == nil { // once for all parts
			said = a.cache.Texts().WordsOf(summarize.UserTexts(a.marked, r.Spans, r.Blocks))
		}
		return said, a.staleStatements()
	}
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
		if text = summarize.Attribute(text, read); text == "" {
			return "", string(summarize.Empty)
		}
		parts = append(parts, text)
	}
	return marker.JoinParts(parts), ""
}

// statements returns the user's statements, read once.
func (a *answers) statements() []summarize.Pinned {
	if !a.isRead {
		a.isRead = true
		a.userStatements = a.cache.Texts().ReadPinned(a.marked.WithMessages(a.marked.Messages[:a.plan.Length:a.plan.Length]))
	}
	return a.userStatements
}

// staleStatements returns the user's statements that do not hold any more, read once.
func (a *answers) staleStatements() map[string]bool {
	if a.stale == nil {
		a.stale = summarize.Stale(a.statements())
	}
	return a.stale
}

// withStatements returns the summary of regions, to which the user's constraints in them that it lacks are added,
// within the tokens of the answers. tail is the text after it.
func (a *answers) withStatements(regions []*plan.Region, summary, tail string) string {
	var statements []summarize.Pinned
	budget, size := 0, 0
	for _, r := range regions {
		statements = append(statements, view.StatementsIn(a.statements(), r.Spans, r.Blocks)...)
		budget += a.budget(r)
		size += a.size(r)
	}
	room := min(budget, size-plan.ArchivedLabelTokens-a.meter.Text(tail))
	summary, _ = marker.CutLoaded(summary)
	loaded := a.loadedLine(regions)
	if n := a.meter.Text(loaded); n > 0 && n < room/2 {
		summary = summarize.ShortenToTokens(summary, room-n, a.meter.Text)
		return summarize.KeepPinned(summary, statements, budget, room-n, a.meter.Text) + loaded
	}
	return summarize.KeepPinned(summary, statements, budget, room, a.meter.Text)
}

// loadedLine returns the line of a summary of regions with the tools that the provider unloads; "" if there are none.
func (a *answers) loadedLine(regions []*plan.Region) string {
	if a.unloaded == nil {
		a.unloaded = plan.UnloadedTools(a.marked, a.plan.Regions)
	}
	var names []string
	for _, r := range regions {
		names = append(names, a.unloaded[a.places[r]]...)
	}
	return marker.Loaded(names)
}
