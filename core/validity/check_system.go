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

func checkSystem(ck *checker) {
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
				checkSystemBlocks(ck, next)
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
		checkSystemPlace(ck, before, run, next)
	}
}

// checkSystemPlace checks a run of system messages between the messages before and next, of other roles.
func checkSystemPlace(ck *checker, before int, run []int, next int) {
	messages, rule, at := ck.c.Messages, A18System, run[0]
	var was, is msg.Role
	var last msg.Block // of the message before
	if before >= 0 {
		was = messages[before].Role
		if n := len(messages[before].Blocks); n > 0 {
			last = messages[before].Blocks[n-1]
		}
	}
	if next < len(messages) {
		is = messages[next].Role
	}
	text := errFollows
	switch {
	case before < 0:
		rule, text = A1Role, errInitial
	case !messages[before].PrecedesSystem():
	case next < len(messages) && !messages[next].FollowsSystem(&messages[next-1]):
		at, text = run[len(run)-1], errPrecedes
	default:
		return
	}
	to, repair := at, "it is moved to a place behind a user message"
	switch {
	case len(ck.edit.messages[at]) > 0: // a missing result
		to = -1
	case is == msg.User:
		for to = next; to < len(messages) && (messages[to].Role == msg.User || messages[to].IsSetting()); {
			to++
		}
	case is == "" && was == msg.Assistant &&
		(last.Server && last.Kind == msg.KindToolUse || msg.OpenRound(ck.c) <= before):
		p := ck.addProblem(rule, SeverityWarning, messageRef(at), systemPlace, "", strconv.Itoa(at))
		p.Reason = "a result may still come before it"
		return
	case is == "" || before < 0:
		to, repair = -1, "a user message saying "+marker.RepairOpening+" is put before it"
		ck.edit.insertMessage(at, msg.TextMessage(msg.User, marker.RepairOpening))
	default:
		for to = before; to > 0 && (messages[to-1].Role == msg.Assistant || messages[to-1].IsSetting()); {
			to--
		}
	}
	ck.report(rule, messageRef(at), systemPlace, repair).ProviderError = filled(text, strconv.Itoa(at))
	for _, m := range run {
		if to >= 0 {
			ck.edit.removeMessage(&messages[m], m)
			ck.edit.insertMessage(to, messages[m])
		}
	}
}

const systemPlace = "A system message is not between a user message and an assistant message."

func isResult(b *msg.Block) bool { return b.Kind == msg.KindToolResult }

// checkSystemBlocks checks the blocks of a system message.
func checkSystemBlocks(ck *checker, m int) {
	message := &ck.c.Messages[m]
	for b := range message.Blocks {
		block := &message.Blocks[b]
		if block.Kind == msg.KindImage || block.Kind == msg.KindDocument ||
			block.Kind == msg.KindOther && strings.HasPrefix(block.Type, "tool_") && message.IsForTurn() {
			p := ck.reportUnrepaired(A18System, msg.Ref{Message: m, Block: b},
				"A system message has a block that it cannot have.", "it has no place for that")
			p.ProviderError = filled(errBlocks, strconv.Itoa(m))
		}
	}
}
