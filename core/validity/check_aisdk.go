package validity

import "tamp/core/msg"

// The rules of the AI SDK's messages, which it checks before it calls a provider. The codec has tool results in user
// messages, so the rules on pairs are those of check_anthropic_pairs.go under other ids. Any message may be the first
// one, and ids may come again in a later round.

// checkSchema checks each message for itself.
func checkSchema(ck *checker) {
	for m := range ck.c.Messages {
		checkMessageSchema(ck, &ck.c.Messages[m], m)
	}
}

// checkMessageSchema checks the role, the content and the parts of one message. A message that is changed is written by
// the codec, which gives results a message of their own.
func checkMessageSchema(ck *checker, message *msg.Message, m int) {
	role := string(message.Role)
	if name := message.Raw.Member("role").Text(); name != "" {
		role = name
	}
	if !isAnthropicRole(message.Role) {
		ck.reportUnrepaired(S3Schema, messageRef(m), "The role "+short(role)+
			" is none that the SDK knows: it takes system, user, assistant and tool.", unknownRole)
		return
	}
	if len(message.Blocks) == 0 && (len(message.Raw) == 0 || message.Raw.Member("content").IsNull()) {
		ck.drop(S3Schema, messageRef(m), "The "+role+" message has no content.", "the message is removed")
		return
	}
	for b := range message.Blocks {
		block, ref := &message.Blocks[b], msg.Ref{Message: m, Block: b}
		switch isResult := block.Kind == msg.KindToolResult; {
		case block.Type == "" && block.Kind == msg.KindOther:
			ck.reportUnrepaired(S3Schema, ref, "A part has no type.", "its kind is not known")
		case message.Role != msg.Assistant && (block.Kind == msg.KindToolUse || block.Kind == msg.KindThinking):
			ck.drop(S3Schema, ref, "A "+block.Type+" part is in a "+role+" message, it must be in an assistant message.",
				"the part is removed")
		case message.Role == msg.System && !block.Bare, isResult && message.Role == msg.System:
			ck.reportUnrepaired(S3Schema, ref, "The content of a system message must be a string.",
				"the text may be that of several parts")
		case message.Role == msg.User && !message.Changed && len(message.Raw) > 0 &&
			(role == "tool") != (isResult || role == "tool" && block.Kind == msg.KindOther):
			ck.report(S3Schema, ref, "A "+block.Type+" part is in a "+role+" message.",
				"the results get a tool message of their own")
			ck.edit.replaceBlock(ref, ck.block(ref))
		}
	}
}
