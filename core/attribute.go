package core

import "tamp/core/summarize"

// This file checks an answer against the user's text in its region: no model may put words into the user's mouth,
// and none may leave out a constraint.

// attributed returns an answer in which the lines under headings of the user's words are the user's, and to which the
// user's constraints of the region that it lacks are added. tail is the text after it.
func (a *applier) attributed(r *Region, answer, tail string) string {
	answer = summarize.Attribute(answer, summarize.UserTexts(a.marked, r.Spans))
	var statements []summarize.Pinned
	for _, s := range a.statements() {
		for _, span := range r.Spans {
			if s.Holds && s.Message >= span.Start && s.Message < span.End {
				statements = append(statements, s)
			}
		}
	}
	maxTokens := 0
	for _, id := range r.Requests {
		maxTokens += a.requests[id].MaxTokens
	}
	maxTokens = min(maxTokens, a.size(r)-archivedLabelTokens-a.meter.Text(tail))
	return summarize.KeepPinned(answer, statements, maxTokens, a.meter.Text)
}

// statements returns the user's statements, read once.
func (a *applier) statements() []summarize.Pinned {
	if !a.readPinned {
		a.readPinned = true
		a.pinned = a.known.texts().ReadPinned(a.marked.WithMessages(a.marked.Messages[:a.plan.Length:a.plan.Length]))
	}
	return a.pinned
}
