// Package extract reads facts out of a conversation and writes the extractive summary from them: the summary that needs
// no model. It is deterministic and pure, and it costs time linear in the size of the conversation.
//
// A fact is something that later work may need word for word and that nobody could guess: a path, a name, a number, a
// hash, a URL, an error line, a decision, a constraint. What a fact is worth is how likely the agent is to use it again;
// the weights in value.go were fitted on real sessions, on what agents did after a cut.
//
// Start with New, once for a conversation and the spans that are to be replaced, then call Summarize for each span.
// The package-level Summarize does both for one span.
//
// What it is not: it never decides what to remove, and it never calls anything a duty. The summary reports what happened.
package extract
