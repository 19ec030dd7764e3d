// Package words owns what the user typed: the prompts of a conversation, the reasons for rejected calls and the answers
// to questions of the agent, word for word and in order. A compaction hands them on in one section at the beginning of
// a summary, see [Section] and [Cut]. They have room of their own ([Room]); over it they leave sentence by sentence, in
// the order of [Words.Fit]. That order is the only judgment about them, and it decides nothing else.
//
// Start with Read. It is not a part of the API (see package core).
package words
