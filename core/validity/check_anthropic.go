package validity

import (
	"strconv"
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// The rules of the Anthropic Messages API, which hold for a Claude Code log too.
//
// Those on pairs stand in check_anthropic_pairs.go and check_server.go, those on cache breakpoints in check_cache.go.

func checkRoles(ck *checker) {
	first := 0
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		if m == first && message.IsSetting() {
			first++
		}
		if !isAnthropicRole(message.Role) {
			ck.reportUnrepaired(A1Role, messageRef(m), "The role "+short(string(message.Role))+
				" is none that the API knows: it takes user, assistant and system.", unknownRole)
			continue
		}
		if m == first && message.Role != msg.User && (len(message.Blocks) == 0 || message.Blocks[0].Type != "compaction") &&
			(message.Role != msg.System || ck.c.Format != msg.Anthropic || isEmpty(message)) { // else see checkSystem
			ck.report(A1Role, messageRef(m), "The first message is the "+string(message.Role)+"'s, it must be the user's.",
				"a user message saying "+marker.RepairOpening+" is put before it")
			ck.edit.insertMessage(m, msg.TextMessage(msg.User, marker.RepairOpening))
		}
		if message.Role == msg.Assistant {
			checkFallback(ck, m)
			continue
		}
		for b := range message.Blocks {
			switch block := &message.Blocks[b]; {
			case block.Kind == msg.KindToolUse && !block.Server:
				ck.drop(A1Role, msg.Ref{Message: m, Block: b}, "The call "+callName(block)+" is in a "+string(message.Role)+
					" message, only the assistant calls tools.", "the call is removed")
			case block.Kind == msg.KindThinking:
				ck.drop(A1Role, msg.Ref{Message: m, Block: b},
					"A thinking block is in a "+string(message.Role)+" message, only the assistant thinks.",
					"the block is removed")
			}
		}
	}
}

// checkFallback checks the blocks before the last fallback block of an answer. The API is known to refuse calls without
// a result only: it takes thinking on both sides of the block (@anthropic-ai/sdk 1.14.0), so that is a warning. An
// agent leaves out of its requests what its log has.
func checkFallback(ck *checker, m int) {
	message := &ck.c.Messages[m]
	for b := range message.Fallback() {
		block, at := &message.Blocks[b], msg.Ref{Message: m, Block: b}
		switch {
		case !message.LeavesOut(b):
			continue
		case block.Kind == msg.KindToolUse:
			ck.report(A21Fallback, at, "The call "+callName(block)+
				" is before a fallback block: no model waits for its result.", "the call is removed, and its result")
		case ck.c.Format == msg.Anthropic:
			ck.addProblem(A21Fallback, SeverityWarning, at, "A block of type "+block.Type+" is before a fallback block: "+
				"it should not be sent back.", "the block is removed")
		default:
			continue
		}
		ck.edit.remove(at)
	}
}

func checkEmpty(ck *checker) {
	for b := range ck.c.System {
		if block := &ck.c.System[b]; block.Kind == msg.KindText && isBlank(ck, block.Text) && !block.Bare {
			p := ck.reportUnrepaired(A1Empty, outside, "A text block of the system prompt is empty.",
				"only messages are repaired")
			p.Path, p.ProviderError = block.Path, blankError(block.Text)
		}
	}
	last := len(ck.c.Messages) - 1
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		if !isAnthropicRole(message.Role) {
			continue
		}
		if message.IsSetting() {
			continue
		}
		if isEmpty(message) {
			if m == last && message.Role == msg.Assistant && !noContent(ck, message) {
				continue // a prefill that holds nothing yet
			}
			p := ck.drop(A1Empty, messageRef(m), "The "+string(message.Role)+" message is empty.", "the message is removed")
			if message.Role == msg.System {
				p.ProviderError = filled(errNoBlock, strconv.Itoa(m))
			}
			continue
		}
		for b := range message.Blocks {
			if block := &message.Blocks[b]; block.Kind == msg.KindText && isBlank(ck, block.Text) {
				ck.drop(A1Empty, msg.Ref{Message: m, Block: b}, "A text block is empty.",
					"the block is removed").ProviderError = blankError(block.Text)
			}
		}
	}
}

// isBlank reports a text without a character that the API counts as text. Claude Code leaves white space of its log out
// of its requests.
func isBlank(ck *checker, text string) bool {
	return text == "" || ck.c.Format == msg.Anthropic && strings.TrimSpace(text) == ""
}

func blankError(text string) string {
	if text == "" {
		return errEmptyText
	}
	return errBlankText
}

// noContent reports whether the content of a message in a request body is null or absent. The API refuses that in any
// position. A log line without content is not a message.
func noContent(ck *checker, m *msg.Message) bool {
	return ck.c.Format == msg.Anthropic && len(m.Blocks) == 0 && len(m.Raw) > 0 && m.Raw.Member("content").IsNull()
}

func isEmpty(m *msg.Message) bool {
	return len(m.Blocks) == 0 || len(m.Blocks) == 1 && m.Blocks[0].Bare && m.Blocks[0].Text == ""
}

// checkOpenThinking reports changed thinking blocks of the open round. Parsed input never has any: the check protects
// conversations that edits made.
func checkOpenThinking(ck *checker) {
	open := msg.Span{Start: msg.OpenRound(ck.c), End: len(ck.c.Messages)}
	for it := ck.c.WalkIn(open); it.Next(); {
		if it.Block.Kind == msg.KindThinking && it.Block.Changed&^msg.ChangedCache != 0 {
			ck.reportUnrepaired(A9ThinkingOpen, it.Ref,
				"A thinking block of the open tool round was changed.",
				"its signature is of the text that it had")
		}
	}
}

const opaque = "a compaction block is neither moved nor removed"

// checkCompactions checks that the provider's compaction block is the only one, unchanged, and the first block of its
// message. The block is opaque, so Repair leaves it.
func checkCompactions(ck *checker) {
	found := 0
	for it := ck.c.Walk(); it.Next(); {
		ref, block := it.Ref, it.Block
		if block.Type != "compaction" {
			continue
		}
		found++
		if ref.Block > 0 {
			ck.reportUnrepaired(A12Compaction, ref, "The compaction block is not the first block of its message.", opaque,
				errMisplaced)
		}
		if found > 1 {
			ck.reportUnrepaired(A12Compaction, ref, "There is more than one compaction block.", opaque, errAmbiguous)
		}
		if block.Changed&^msg.ChangedCache != 0 { // a breakpoint is not part of the block
			ck.reportUnrepaired(A12Compaction, ref, "The compaction block was changed.", opaque, errMismatch)
		}
	}
}
