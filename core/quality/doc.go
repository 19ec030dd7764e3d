// Package quality says what a compaction lost, without a model: which facts of the removed part are still present in what
// is left. Start with Compare.
//
// For hosts that do have a model, Requests and Score are the question-and-answer check as data: the host asks, this package
// writes the questions down and counts the answers.
//
// What it is not: a judge of prose. A fact counts as present where its own words stand in the new context, whatever
// is said about it.
package quality
