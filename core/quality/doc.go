// Package quality measures the loss of a compaction without a model: which facts of the removed part are still present
// in the new context. Start with Compare.
//
// For hosts with a model, Requests, Verdicts and Score are a question-and-answer check as data: the host calls the
// model, this package writes the requests and counts the answers.
//
// It does not judge prose. A fact counts as present if its own words occur in the new context, in any statement.
//
// It is not a part of the API (see package core).
package quality
