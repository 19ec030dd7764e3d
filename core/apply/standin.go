package apply

import (
	"strconv"

	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/summarize"
)

// The built-in summary stands in for an answer that is none, so that nothing is removed without a summary in its place,
// and the outcome says so.

// SummaryFailed is the code of the warning of an outcome.
const SummaryFailed = "summary_failed"

// believed returns the answer to a request of a region: the host's if it can be a summary, else the one without a model.
// Of a merge it is the latter only with bounded sizes: the others keep the parts.
func (a *answers) believed(r *plan.Region, id string) *plan.SummaryResult {
	given, why := a.results[id], ""
	switch {
	case given == nil:
		why = "the request was not answered"
	case given.Err != "":
		why = "the request failed"
	default:
		why = doubt(given.Text, a.requests[id], a.textsOf(r))
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
	if found && own.Err == "" && (r.Level == 1 || a.p.IsBounded()) {
		return own
	}
	return &plan.SummaryResult{ID: id, Err: why}
}

// broken is an answer that is no summary.
type broken struct {
	id  string
	r   *plan.Region
	why string
}

// builtIn returns the answer to a request without a model. All are written at the first one.
func (a *answers) builtIn(id string) (*plan.SummaryResult, bool) {
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
func (a *answers) whyBroken(r *plan.Region) string {
	for i := range a.broken {
		if a.broken[i].r == r {
			return a.broken[i].why
		}
	}
	return ""
}

// Broken returns the IDs of the requests whose answers are no summaries.
func (out *Outcome) Broken() []string { return out.broken }

// warn adds the warning about the answers that are no summaries.
func (a *applier) warn(out *Outcome) {
	if len(a.broken) == 0 {
		return
	}
	first := &a.broken[0]
	for i := range a.broken {
		out.broken = append(out.broken, a.broken[i].id)
	}
	became := "; the built-in summary, which needs no model, stands in"
	if n := len(a.failed); n > 0 {
		became += ", except for " + strconv.Itoa(n) + " texts in which it finds nothing"
	}
	out.Warnings = append(out.Warnings, msg.Warning{Code: SummaryFailed,
		Path: a.c.Messages[first.r.Spans[0].Start].Path,
		Message: strconv.Itoa(len(a.broken)) + " of " + strconv.Itoa(len(a.plan.Requests)) + " summaries failed: " +
			first.why + became})
}
