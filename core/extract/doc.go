// Package extract reads facts out of a conversation and writes the extractive summary from them: the summary that needs
// no model. It is deterministic and pure, and it costs time linear in the size of the conversation.
//
// A fact is something that later work may need word for word and that cannot be guessed: a path, a name, a number, a
// hash, a URL, an error line, a decision, a constraint. The worth of a fact is the probability that the agent uses it
// again; the weights in value.go were fitted on real sessions, on the messages that followed a cut.
//
// Start with New, once for a conversation and the spans to replace, then call Summarize for each span. The
// package-level Summarize does both for one span.
//
// It does not decide what to remove, and the summary contains no instruction: it reports what happened.
package extract
