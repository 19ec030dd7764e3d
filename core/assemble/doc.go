// Package assemble builds the next user message of a conversation: the results of the tools that the model called, then what
// the agent injects, each in its tag, then the user's words, in the one order that providers accept. It sends nothing and
// writes no JSON of a whole conversation. Start with User.
package assemble
