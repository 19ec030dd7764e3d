package fake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// OpenRouter passes thinking of Claude on in Chat Completions, with its signature: reasoning and reasoning_details. The
// newest models refuse one that is bound to another prefix. A signature of the fake is a digest of the messages before
// it, without their own reasoning.

// reasoningMembers are those that a signature does not cover, with what differs between two requests.
var reasoningMembers = []string{"reasoning", "reasoning_details", "cache_control"}

// asksReasoning reports a request with OpenRouter's own member for thinking.
func (in *input) asksReasoning() bool { return len(in.fields["reasoning"]) > 0 }

// chatMessages lists the messages of Chat Completions without their reasoning, and the reasoning of each.
func (in *input) chatMessages() (bare []json.RawMessage, details []json.RawMessage) {
	var messages []map[string]json.RawMessage
	_ = json.Unmarshal(in.fields["messages"], &messages)
	for _, m := range messages {
		details = append(details, m["reasoning_details"])
		for _, name := range reasoningMembers {
			delete(m, name)
		}
		bare = append(bare, withoutCacheControl(marshal(m)))
	}
	return bare, details
}

func signChat(before []json.RawMessage) string {
	sum := sha256.Sum256(slices.Concat(bytesOf(before)...))
	return hex.EncodeToString(sum[:8])
}

// badDetails reports reasoning that is bound to other messages than those before it.
func (in *input) badDetails() (problems []string) {
	bare, details := in.chatMessages()
	for i, raw := range details {
		var list []struct{ Signature, Text string }
		_ = json.Unmarshal(raw, &list)
		for _, d := range list {
			if d.Signature != "" && d.Signature != signChat(bare[:i]) {
				problems = append(problems, fmt.Sprintf("messages.%d.content.0: Invalid `signature` in `thinking` block. "+
					"The block is bound to a different conversation.", i))
			}
		}
	}
	return problems
}

// countDetails is the number of messages with reasoning.
func (in *input) countDetails() (n int) {
	if in.asksReasoning() {
		_, details := in.chatMessages()
		for _, d := range details {
			if len(d) > 0 {
				n++
			}
		}
	}
	return n
}

// details are the members of an answer with thinking.
func (r *reply) details() object {
	return object{"reasoning": r.thinking, "reasoning_details": []any{object{"type": "reasoning.text", "text": r.thinking,
		"signature": r.signature, "format": "anthropic-claude-v1", "index": 0}}}
}
