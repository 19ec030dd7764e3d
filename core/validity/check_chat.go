package validity

import (
	"strconv"
	"strings"

	"tamp/core/models"
	"tamp/core/msg"
)

// The rules of Chat Completions on single members of a message.

const (
	errKimi   = "thinking is enabled but reasoning_content is missing in assistant tool call message at index …"
	reasoning = "reasoning_content"
)

// checkChatMembers reports an empty tool_calls, tool_call_ids, and reasoning that the model asks back.
func checkChatMembers(ck *checker) {
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		calls := message.Raw.Member("tool_calls")
		switch {
		case message.Role == msg.Assistant && !message.Changed && calls.Kind() == '[' && len(calls.List()) == 0:
			ck.report(O7Calls, messageRef(m), "The list tool_calls is empty.", "it is removed", chatMember(m, "tool_calls"))
			ck.edit.rewrite(m)
		case message.Role == msg.Tool && message.Raw.Member("tool_call_id").IsNull() &&
			message.Raw.Member("tool_call_ids").Kind() == '[':
			b := resultOf(message)
			at := msg.Ref{Message: m, Block: b}
			if b >= 0 && ck.c.At(at).ID != "" && ck.c.At(at).Changed&msg.ChangedID == 0 {
				ck.report(O6ID, at, "The tool message has tool_call_ids in place of tool_call_id.", "it gets tool_call_id",
					chatMember(m, "tool_call_id"))
				ck.edit.replaceBlock(at, ck.block(at).WithID(ck.c.At(at).ID))
			}
		}
	}
}

// AsksReasoning reports whether the provider refuses messages of the assistant without their reasoning (O10_reasoning).
func AsksReasoning(c *msg.Conversation) bool {
	return c.Format == msg.OpenAIChat && models.NeedsReasoning(c.Model) &&
		c.Thinking.Member("type").Text() != "disabled"
}

// ReturnsReasoning reports whether the model gets the reasoning of each message of the assistant back, so that none
// can be made up for it: GLM refuses none without, and thinks worse.
func ReturnsReasoning(c *msg.Conversation) bool {
	return AsksReasoning(c) || c.Format == msg.OpenAIChat && models.ReturnsReasoning(c.Model)
}

// checkReasoning reports assistant messages without the reasoning that DeepSeek and Kimi ask back. It may be empty, so
// Repair adds an empty one.
func checkReasoning(ck *checker) {
	if !AsksReasoning(ck.c) {
		return
	}
	kimi := strings.Contains(strings.ToLower(ck.c.Model), "kimi")
	all := kimi && ck.c.Thinking.Member("keep").Text() == "all"
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		needs := func(b *msg.Block) bool { return b.Kind == msg.KindToolUse }
		thinks := func(b *msg.Block) bool { return b.Kind == msg.KindThinking }
		if message.Role != msg.Assistant || !(all || message.Any(needs)) || message.Any(thinks) {
			continue
		}
		p := ck.report(O10Reasoning, messageRef(m), "The assistant message has no "+reasoning+".", "an empty one is added")
		if kimi {
			p.ProviderError = filled(errKimi, strconv.Itoa(m))
		}
		ck.edit.insert(msg.Ref{Message: m}, []msg.Block{{Kind: msg.KindThinking, Type: reasoning}})
	}
}

// checkAlternation warns of a message whose role is that of the last one before it that is no result and has no call.
// Two messages of the user next to each other become one.
func checkAlternation(ck *checker) {
	if !models.AlternatesRoles(ck.c.Model) {
		return
	}
	last, adjacent := -1, false // the last message that counts, and whether no other has followed it
	isCall := func(b *msg.Block) bool { return b.Kind == msg.KindToolUse }
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		if message.Role != msg.User && (message.Role != msg.Assistant || message.Any(isCall)) {
			adjacent = false
			continue
		}
		if last < 0 || ck.c.Messages[last].Role != message.Role {
			last, adjacent = m, true
			continue
		}
		text := "A message of the role " + string(message.Role) + " follows another one."
		if !adjacent || message.Role != msg.User {
			ck.addProblem(O11Alternation, SeverityWarning, messageRef(m), text,
				"").Reason = "only messages of the user next to each other can be joined"
			continue
		}
		ck.addProblem(O11Alternation, SeverityWarning, messageRef(m), text, "they become one message")
		ck.edit.insert(msg.Ref{Message: last, Block: len(ck.c.Messages[last].Blocks)}, message.Blocks)
		ck.edit.removeMessage(message, m)
	}
}
