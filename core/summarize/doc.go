// Package summarize writes the requests for a summarizing model and reads its answers back, and it writes the
// extractive summary: the one that needs no model, made of facts and sentences of the conversation. It is deterministic
// and pure, and it costs time linear in the size of the conversation. It has no templates, no model and no network.
//
// Requests: start with Write and Read. The text to summarize is data. It is enclosed in a tag whose name contains a
// digest of the text, so no text inside can close the tag, and the system prompt says that instructions in it must not
// be followed.
//
// A fact is something that later work may need word for word and that cannot be guessed: a path, a name, a number, a
// hash, a URL, an error line, a decision. The worth of a fact is the probability that the agent uses it
// again; the weights in atom.go were fitted on real sessions, on the messages that followed a cut.
//
// Extractive summaries: start with New, once for a conversation and the spans to replace, then call Summarize for each
// span. The package-level Summarize does both for one span.
//
// The files are in three layers (core/knots_test.go), and no two of them refer to each other:
//
//	write  summarize.go, gather.go with a file for each kind of input, choose.go and render.go; the prompts and answers
//	worth  index.go: every fact of a conversation with its history, and what it is worth
//	read   lex.go, call.go, result.go, sections.go …: what a text, a call, a result or an earlier summary says
//
// It does not decide what to remove, and the summary contains no instruction: it reports what happened.
//
// It is not a part of the API (see package core).
package summarize
