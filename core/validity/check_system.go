package validity

import (
	"strconv"
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/models"
	"tamp/core/msg"
)

// The rules of the Messages API on system messages in the middle of a conversation (A18_system, A19_system_model).
// System messages next to each other count as one. Those without content, which only set output_config, may be
// anywhere.
//
// A misplaced one is moved: behind the user message that follows it, or else before the assistant's message before it;
// at the end of the conversation it gets a user message before it.

const (
	systemText = "role 'system' "
	systemForm = "; the directive-only form (content: [] with output_config) is accepted at any position"
	errInitial = "messages.…: use the top-level 'system' parameter for the initial system prompt" + systemForm
	errFollows = "messages.…: " + systemText + "must follow a 'user' message or an 'assistant' message ending in a " +
		"server tool result" + systemForm
	errPrecedes = "messages.…: " + systemText + "must precede an 'assistant' message or end the array" + systemForm
	errBlocks   = "messages.…: " + systemText + "supports text, tool_addition, and tool_removal blocks only"
	errNoBlock  = "messages.…: system content must contain at least one block"
)

func (ck *checker) checkSystem() {
	if ck.c.Format != msg.Anthropic {
		return
	}
	messages := ck.c.Messages
	before, refused := -1, models.RefusesSystem(ck.c.Model) // before: the last message of another role
	for m := 0; m < len(messages); m++ {
		if messages[m].Role != msg.System {
			before = m
			continue
		}
		next, run := m, []int(nil) // run: those with content
		for ; next < len(messages) && messages[next].Role == msg.System; next++ {
			if !isEmpty(&messages[next]) {
				run = append(run, next)
				ck.checkSystemBlocks(next)
			}
		}
		if m = next - 1; len(run) == 0 {
			continue
		}
		if refused {
			ck.reportUnrepaired(A19SystemModel, messageRef(run[0]), "The model "+short(ck.c.Model)+
				" takes no system message among the messages.", "the caller chooses the model")
			refused = false
		}
		ck.checkSystemPlace(before, run, next)
	}
}

// checkSystemPlace checks a run of system messages between the messages before and next, of other roles.
func (ck *checker) checkSystemPlace(before int, run []int, next int) {
	messages := ck.c.Messages
	first, last := run[0], run[len(run)-1]
	is := func(m int, role msg.Role) bool { return m >= 0 && m < len(messages) && messages[m].Role == role }
	ends := func(kind msg.Kind, server bool) bool { // the assistant's message before ends in a call or a result
		blocks := messages[before].Blocks
		return len(blocks) > 0 && blocks[len(blocks)-1].Kind == kind && blocks[len(blocks)-1].Server == server
	}
	var why, text string
	rule, at := A18System, first
	switch {
	case before < 0:
		rule, why, text = A1Role, "The first message is the system's, it must be the user's.", errInitial
	case is(before, msg.Assistant) && !ends(msg.KindToolResult, true):
		why, text = "A system message follows an assistant message that ends in no result of a server tool.", errFollows
	case is(next, msg.User) && !(messages[last].IsForTurn() && messages[next].Any(isResult)):
		at, why, text = last, "A system message is before a user message.", errPrecedes
	default:
		return
	}
	open := before >= 0 && next == len(messages) && is(before, msg.Assistant) &&
		(msg.OpenRound(ck.c) <= before || ends(msg.KindToolUse, true))
	repair, made := "a user message saying "+marker.RepairOpening+" is put before it", len(ck.edit.messages[first]) > 0
	switch {
	case made:
		repair = "the missing result is put before it"
	case is(next, msg.User):
		repair = "it is moved behind the user message after it"
	case before >= 0 && next < len(messages):
		repair = "it is moved before the assistant message before it"
	}
	number := strconv.Itoa(at)
	if open {
		ck.add(rule, SeverityWarning, messageRef(at), why, "", number).Reason = "a result may still come before it"
		return
	}
	ck.report(rule, messageRef(at), why, repair).ProviderError = filled(text, number)
	to := first
	switch {
	case made:
		return
	case is(next, msg.User):
		for to = next; is(to, msg.User) || is(to, msg.System) && messages[to].IsSetting(); {
			to++
		}
	case before < 0 || next == len(messages):
		ck.edit.add(first, msg.TextMessage(msg.User, marker.RepairOpening))
		return
	default:
		for to = before; is(to-1, msg.Assistant) || is(to-1, msg.System) && messages[to-1].IsSetting(); {
			to--
		}
	}
	for _, m := range run {
		ck.edit.removeMessage(&messages[m], m)
		ck.edit.add(to, messages[m])
	}
}

func isResult(b *msg.Block) bool { return b.Kind == msg.KindToolResult }

// checkSystemBlocks checks the blocks of a system message.
func (ck *checker) checkSystemBlocks(m int) {
	message := &ck.c.Messages[m]
	for b := range message.Blocks {
		block, ref := &message.Blocks[b], msg.Ref{Message: m, Block: b}
		change := strings.HasPrefix(block.Type, "tool_") && block.Kind == msg.KindOther
		switch {
		case block.Kind == msg.KindImage, block.Kind == msg.KindDocument:
			ck.reportUnrepaired(A18System, ref, "A system message has a block of type "+short(block.Type)+".",
				"it has no place for that").ProviderError = filled(errBlocks, strconv.Itoa(m))
		case !message.IsForTurn():
		case change:
			ck.reportUnrepaired(A18System, ref, "A system message with clear_at has a block of type "+short(block.Type)+".",
				"without clear_at it would hold for good").ProviderError = ""
		case block.Cache != nil:
			ck.report(A18System, ref, "A system message with clear_at has a cache breakpoint.",
				"the cache_control is removed").ProviderError = ""
			ck.removeCacheControl(ref)
		}
	}
}
