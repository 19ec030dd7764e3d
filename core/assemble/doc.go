// Package assemble builds the next user message of a conversation: the results of the tools that the model called, then
// the injected texts of the agent, each in its tag, then the text of the user. Providers accept only this order. It
// sends nothing and does not render the conversation. Start with User.
//
// It is not a part of the API (see package core).
package assemble
