package view

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// ProtectedMessages marks the messages that no strategy removes: instructions, summaries, and answers with a listing of
// the tools of an MCP server. c has its summaries marked.
func ProtectedMessages(c *msg.Conversation, pairs msg.Pairing) []bool {
	marked := SummaryMessages(c)
	for m := range c.Messages {
		marked[m] = marked[m] || IsInstruction(&c.Messages[m]) || c.Messages[m].Any(isListing)
	}
	MarkWaiting(c, pairs, marked)
	return marked
}

// isListing reports the tools that an MCP server had at an answer. The provider uses them for the later calls too, if
// the answer comes back unchanged (@anthropic-ai/sdk 1.14.0, BetaMCPToolListingBlockParam).
func isListing(b *msg.Block) bool { return b.Type == "mcp_tool_listing" }

// Protected is ProtectedMessages of a view, with the messages that the host keeps.
func Protected(in *View) []bool {
	marked := ProtectedMessages(in.Conversation, in.Pairing)
	MarkKept(in, marked)
	return marked
}

// MarkKept marks the messages that the host keeps.
func MarkKept(in *View, marked []bool) {
	for m, kept := range in.Kept {
		marked[m] = marked[m] || kept
	}
}

// MarkWaiting marks the messages with a call whose result may still come, later than the end of its round: without the
// call, the provider would refuse the result.
func MarkWaiting(c *msg.Conversation, pairs msg.Pairing, marked []bool) {
	for it := c.Walk(); it.Next(); {
		if it.Block.Async {
			_, answered := pairs.Result(it.Ref)
			marked[it.Ref.Message] = marked[it.Ref.Message] || !answered
		}
	}
}

// StartOfUnanswered returns the index of the open round if one of its calls has no result yet, or if code that the
// provider runs waits for its results, else the number of messages.
func StartOfUnanswered(in *View) int {
	c := in.Conversation
	open := msg.OpenRound(c)
	if open == len(c.Messages) {
		return open
	}
	for it := c.WalkIn(msg.Span{Start: open, End: len(c.Messages)}); it.Next(); {
		if block := it.Block; block.Kind == msg.KindToolUse && !block.Server {
			if _, ok := in.Pairing.Result(it.Ref); !ok || block.Caller != "" {
				return open
			}
		}
	}
	return len(c.Messages)
}

// HeadPosition returns the index at which a summary of the earlier conversation is inserted: after instructions and
// earlier summaries, never between a call and its result. c is the marked conversation that the plan was made for,
// pairs its pairing.
func HeadPosition(c *msg.Conversation, pairs msg.Pairing) int {
	keep, inside := ProtectedMessages(c, pairs), pass.InsidePairs(c, pairs)
	m := 0
	for m < len(c.Messages) && (keep[m] || inside[m]) {
		m++
	}
	for m = min(m, msg.OpenRound(c)); inside[m]; { // an unanswered call: insert before it
		m--
	}
	return m
}
