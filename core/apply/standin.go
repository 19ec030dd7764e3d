package apply

import (
	"tamp/core/plan"
	"tamp/core/summarize"
)

// The built-in summary replaces an answer that is none, so that nothing is removed without a summary in its place,
// and the outcome says so.

// believer reads the answers of the host.
type believer struct {
	source
	requests map[string]*plan.SummaryRequest
	results  map[string]*plan.SummaryResult
	broken   []broken                       // the answers that are no summaries
	noModel  func() []plan.SummaryResult    // answers all requests without a model
	extracts map[string]*plan.SummaryResult // these answers; nil until they are needed
}

// broken is an answer that is no summary.
type broken struct {
	id     string
	region *plan.Region
	why    string
}

// believed returns the answer to a request of a region: the host's if it can be a summary, else that without a model.
// The parts of a summary stay if their merge fails.
func (a *believer) believed(r *plan.Region, id string) *plan.SummaryResult {
	given, why := a.results[id], ""
	switch {
	case given == nil:
		why = "the request was not answered"
	case given.Err != "":
		why = "the request failed"
	default:
		why = doubt(given.Text, a.requests[id], func(visit func(string) bool) { a.textsOf(r, visit) })
		if why == "" {
			_, _, refused := summarize.Read(given.Text, a.requests[id].MaxTokens, r.Tokens, a.meter.Text)
			why = string(refused)
		}
	}
	if why == "" {
		return given
	}
	own, found := a.builtIn(id)
	if found && given != nil && given.Text == own.Text && own.Err == "" {
		return given // the host has asked for no model
	}
	a.broken = append(a.broken, broken{id, r, why})
	if found && own.Err == "" && r.Level == 1 {
		return own
	}
	return &plan.SummaryResult{ID: id, Err: why}
}

// builtIn returns the answer to a request without a model. All are written at the first one.
func (a *believer) builtIn(id string) (*plan.SummaryResult, bool) {
	if a.extracts == nil {
		a.extracts = map[string]*plan.SummaryResult{}
		for _, result := range a.noModel() {
			a.extracts[result.ID] = &result
		}
	}
	own, found := a.extracts[id]
	return own, found
}

// whyBroken returns the reason of the first answer of a region that is no summary, "" if all are.
func (a *believer) whyBroken(r *plan.Region) string {
	for i := range a.broken {
		if a.broken[i].region == r {
			return a.broken[i].why
		}
	}
	return ""
}
