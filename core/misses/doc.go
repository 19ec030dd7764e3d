// Package misses counts what an agent uses and its context does not have. A recorded session contains what the agent
// did after each compaction: a name that it writes, that the session had before, and that the compacted context does
// not have, is a miss. The package does not know presets or costs. Start with New.
//
// A name is a path, a URL, an identifier, a hash, or a number of four digits or more, as summarize.Atoms finds them in
// the text and in the inputs of calls of an answer. A text has a name if it contains its words, in order and with the
// same characters between them, and no longer words: "core/a.go" is in "/src/core/a.go", and not in "core/a.got".
//
// The old text of an edit is lost if the session had each of its lines and the context does not have one of them.
//
// It is not a part of the API (see package core).
package misses
