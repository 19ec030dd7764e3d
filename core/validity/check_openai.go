package validity

import (
	"strconv"

	"tamp/core/internal/marker"
	"tamp/core/models"
	"tamp/core/msg"
)

// The rules of OpenAI's Chat Completions. A result is a message of its own, of role tool; the messages that answer an
// assistant message directly follow it. The deprecated function_call has no id: the codec derives one from its name, so
// that it is a pair like any other.

func isTool(r msg.Role) bool { return r == msg.Tool || r == msg.Function }

// checkToolPairs finds the rounds of the conversation, and checks their calls and tool messages.
func checkToolPairs(ck *checker) {
	rounds := toolRounds(ck)
	named := matchUnnamedToolMessages(ck, rounds)
	key := func(at msg.Ref, b *msg.Block) (string, bool) { return openAIKey(ck, at, b, named) }
	pairs := msg.PairBy(ck.c, key)
	checkOpenAIIDs(ck, rounds, pairs)
	checkOpenAIPairs(ck, rounds, pairs, key)
}

func checkOpenAIContent(ck *checker) {
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		switch message.Role {
		case msg.System, msg.Developer, msg.User, msg.Assistant:
			if hasContent(message) {
				continue
			}
			p := ck.drop(O3Empty, messageRef(m), "The "+string(message.Role)+" message has no content.",
				"the message is removed")
			if message.Role != msg.Assistant {
				p.ProviderError = ""
			}
		case msg.Tool, msg.Function:
			checkToolContent(ck, message, m)
		default:
			ck.reportUnrepaired(O4Role, messageRef(m), "The role "+short(string(message.Role))+" is none that the API knows: "+
				"it takes system, developer, user, assistant and tool.", unknownRole)
		}
	}
}

// checkToolContent reports a result whose content is null, absent or an empty array. A function message may say null.
func checkToolContent(ck *checker, message *msg.Message, m int) {
	b := resultOf(message)
	if b < 0 {
		return
	}
	content := message.Raw.Member("content")
	ref, empty := msg.Ref{Message: m, Block: b},
		len(content) == 0 || content.IsNull() && message.Role == msg.Tool || content.Kind() == '['
	block := ck.c.At(ref)
	if !empty || len(message.Raw) == 0 || len(block.Parts) > 0 || block.Changed&msg.ChangedText != 0 {
		return
	}
	ck.report(O3Empty, ref, "The "+string(message.Role)+" message for "+resultName(block)+" has no content.",
		"its content becomes an empty string").ProviderError = errNullContent
	ck.edit.replaceBlock(ref, ck.block(ref).WithText(""))
}

// hasContent reports whether the API accepts a message as not empty. An empty string is content; null and an empty
// array are not. An assistant message may have calls, a refusal or audio instead; reasoning alone is not enough.
func hasContent(m *msg.Message) bool {
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind != msg.KindThinking && (m.Role == msg.Assistant || !isAssistantMember(b)) {
			return true
		}
	}
	return !m.Changed && m.Raw.Member("content").Kind() == '"'
}

// isAssistantMember reports a block that an assistant message has next to its content.
func isAssistantMember(b *msg.Block) bool {
	return b.Kind == msg.KindToolUse || b.Type == "refusal" && b.Raw.Kind() == '"' ||
		b.Type == "audio" && b.Kind == msg.KindOther
}

func toolRounds(ck *checker) []round {
	var rounds []round
	for m := range ck.c.Messages {
		if ck.c.Messages[m].Role != msg.Assistant {
			continue
		}
		r := round{end: m + 1, answers: msg.Span{Start: m + 1, End: m + 1}}
		for b := range ck.c.Messages[m].Blocks {
			if isCall(ck, msg.Ref{Message: m, Block: b}) {
				r.calls = append(r.calls, msg.Ref{Message: m, Block: b})
			}
		}
		if len(r.calls) == 0 {
			continue
		}
		for r.answers.End < len(ck.c.Messages) && isTool(ck.c.Messages[r.answers.End].Role) {
			r.answers.End++
		}
		r.open = r.answers.End == len(ck.c.Messages)
		rounds = append(rounds, r)
	}
	return rounds
}

func isCall(ck *checker, r msg.Ref) bool {
	b := ck.c.At(r)
	return b.Kind == msg.KindToolUse && !b.Server && ck.c.Messages[r.Message].Role == msg.Assistant
}

// resultOf returns the index of a tool message's result block, -1 if there is none. Codecs make at most one.
func resultOf(m *msg.Message) int {
	for b := range m.Blocks {
		if m.Blocks[b].Kind == msg.KindToolResult {
			return b
		}
	}
	return -1
}

// matchUnnamedToolMessages reports tool messages without a call id (some logs leave it out) and gives each the id of
// the first call of its round that no other message answers.
func matchUnnamedToolMessages(ck *checker, rounds []round) map[msg.Ref]string {
	named := map[msg.Ref]string{}
	for _, r := range rounds {
		answered := map[string]bool{}
		for m := r.answers.Start; m < r.answers.End; m++ {
			if b := resultOf(&ck.c.Messages[m]); b >= 0 {
				answered[ck.c.Messages[m].Blocks[b].ID] = true
			}
		}
		next := 0
		for m := r.answers.Start; m < r.answers.End; m++ {
			b := resultOf(&ck.c.Messages[m])
			if b < 0 || ck.c.Messages[m].Role != msg.Tool || ck.c.Messages[m].Blocks[b].ID != "" {
				continue
			}
			for next < len(r.calls) && (ck.c.At(r.calls[next]).ID == "" || answered[ck.c.At(r.calls[next]).ID]) {
				next++
			}
			if next == len(r.calls) {
				break
			}
			call := ck.c.At(r.calls[next])
			answered[call.ID] = true
			named[msg.Ref{Message: m, Block: b}] = call.ID
			ck.report(O2Orphan, msg.Ref{Message: m, Block: b},
				"The tool message names no call; by its place it answers "+callName(call)+".",
				"it gets that call's id")
			ck.edit.replaceBlock(msg.Ref{Message: m, Block: b}, ck.block(msg.Ref{Message: m, Block: b}).WithID(call.ID))
		}
	}
	return named
}

// openAIKey returns the id by which a call or result is matched, and whether it takes part. A call and a result that
// both have no id match.
func openAIKey(ck *checker, at msg.Ref, b *msg.Block, named map[msg.Ref]string) (string, bool) {
	if b.Kind == msg.KindToolUse {
		return b.ID, isCall(ck, at)
	}
	if id, ok := named[at]; ok {
		return id, true
	}
	message := &ck.c.Messages[at.Message]
	return b.ID, isTool(message.Role) && resultOf(message) == at.Block
}

// checkOpenAIIDs renames the calls that share an id with another call of their own message. Other messages may reuse an
// id.
func checkOpenAIIDs(ck *checker, rounds []round, pairs msg.Pairing) {
	for _, r := range rounds {
		seen := map[string]bool{}
		for n, call := range r.calls {
			id := ck.c.At(call).ID
			result, answered := pairs.Result(call)
			if id == "" {
				if ck.c.Model == "" || models.IsOpenAI(ck.c.Model) {
					reportNoID(ck, O6ID, call, ck.assignID(call, result, answered),
						chatMember(call.Message, "tool_calls["+strconv.Itoa(n)+"].id"))
				}
				continue
			}
			if !seen[id] || ck.c.At(call).Type == "function_call" {
				seen[id] = true
				continue
			}
			ck.report(O5Duplicate, call, "The id of the call "+callName(ck.c.At(call))+
				" is another call's too, in the same message.",
				"the call and its result get the id "+short(ck.assignID(call, result, answered)))
		}
	}
}

func checkOpenAIPairs(ck *checker, rounds []round, pairs msg.Pairing,
	key func(msg.Ref, *msg.Block) (string, bool)) {
	at := placesOf(ck.c, rounds)
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		if !isTool(message.Role) {
			continue
		}
		b := resultOf(message)
		if b < 0 {
			ck.drop(O2Orphan, messageRef(m), "The "+string(message.Role)+" message holds no result.", "the message is removed")
			continue
		}
		ref := msg.Ref{Message: m, Block: b}
		call, paired := pairs.Call(ref)
		if paired && at.inPlace(call, ref) {
			continue
		}
		block := ck.c.At(ref)
		name := callName(block)
		id, _ := key(ref, block)
		switch {
		case paired:
			ck.report(O2Orphan, ref, "The result of "+callName(ck.c.At(call))+" does not stand directly behind its call.",
				"the message is moved up behind its call")
		case at.calls(m, id):
			ck.report(O5Duplicate, ref, "The call "+name+" has a second result.", "the second result is removed")
		default:
			if name == "" {
				name = "no call"
			}
			ck.report(O2Orphan, ref, "The "+string(message.Role)+" message for "+name+
				" answers no call of the assistant message before it.", "the message is removed")
		}
		ck.edit.removeMessage(message, m)
	}
	for n := range rounds {
		checkToolMessages(ck, &rounds[n], pairs, at)
	}
}

// checkToolMessages reports the calls of a round that no tool message in place answers, and adds one.
func checkToolMessages(ck *checker, r *round, pairs msg.Pairing, at *places) {
	for _, call := range r.calls {
		result, ok := pairs.Result(call)
		if ok && at.inPlace(call, result) {
			continue
		}
		block := ck.block(call)
		original := ck.c.At(call)
		switch name := callName(original); {
		case ok:
			ck.report(O1Unanswered, call, "The call "+name+" has its result, but not directly behind it.",
				"its result is moved up behind it", short(original.ID))
			ck.edit.insertMessage(r.answers.End, moved(ck, result))
		case r.open:
			ck.reportUnfinished(O1Unanswered, call, "The call "+name+" is unfinished: the conversation ends before its result.",
				short(original.ID))
		default:
			ck.report(O1Unanswered, call, "The call "+name+" has no result behind it.",
				"a tool message saying "+marker.MissingResult+" is put there", short(original.ID))
			role := msg.Tool
			if block.Type == "function_call" {
				role = msg.Function
			}
			ck.edit.insertMessage(r.answers.End, msg.Message{Role: role,
				Blocks: []msg.Block{msg.ResultBlock(&block, marker.MissingResult, false)}, Changed: true})
		}
	}
}

// moved returns the tool message of a result after the edits recorded so far.
func moved(ck *checker, result msg.Ref) msg.Message {
	m := ck.c.Messages[result.Message]
	if b, ok := ck.edit.replace[result]; ok {
		blocks := append([]msg.Block(nil), m.Blocks...)
		blocks[result.Block] = b
		return m.WithBlocks(blocks)
	}
	return m
}
