package validity

import (
	"slices"
	"strings"

	"tamp/core/msg"
)

// The rules on tools that the provider runs itself.

// checkServerPairs checks that each call that the provider runs has its result in the same turn. Both are in assistant
// messages: a response that pauses, or that waits for a tool of the client, continues in the next assistant message.
func checkServerPairs(ck *checker) {
	var order []msg.Ref        // the calls since the last prompt
	left := map[msg.Ref]bool{} // those before a fallback block, which get no result any more
	waiting := map[string][]msg.Ref{}
	var byCode map[string]bool   // the calls of code, whose results do not end the turn of its call
	endTurn := func(over bool) { // over: a prompt follows, so no result can come
		for _, call := range order {
			block := ck.c.At(call)
			if same := waiting[block.ID]; len(same) == 0 || same[0] != call {
				continue // it has its result
			}
			waiting[block.ID] = waiting[block.ID][1:]
			if over || left[call] {
				ck.drop(A7ServerTool, call, "The server tool call "+callName(block)+" has no result in its turn.",
					"the call is removed", short(block.Name), short(block.ID), resultType(block))
				continue
			}
			ck.reportUnfinished(A7ServerTool, call,
				"The server tool call "+callName(block)+" is unfinished: its turn is not over.",
				short(block.Name), short(block.ID), resultType(block))
		}
		order = order[:0]
	}
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		if !isAnthropicRole(message.Role) {
			continue
		}
		if message.EndsTurn() && !message.Any(func(b *msg.Block) bool { return isResult(b) && byCode[b.ID] }) {
			endTurn(true)
		}
		fallback := message.Fallback()
		for b := range message.Blocks {
			block, ref := &message.Blocks[b], msg.Ref{Message: m, Block: b}
			if block.Caller != "" {
				byCode = withKey(byCode, block.ID, true)
			}
			if !block.Server || block.Kind != msg.KindToolUse && block.Kind != msg.KindToolResult {
				continue
			}
			if block.ID == "" && (block.Kind == msg.KindToolUse || isServerResult(block.Type)) {
				member := block.Type + ".id"
				if block.Kind == msg.KindToolResult {
					member = block.Type + ".tool_use_id"
				}
				ck.drop(A6ID, ref, "The server tool's block "+resultName(block)+" has no id.", "the block is removed",
					blockMember(ref, member))
				continue
			}
			if message.Role == msg.Assistant {
				if block.Kind == msg.KindToolUse {
					order, waiting[block.ID] = append(order, ref), append(waiting[block.ID], ref)
					if b < fallback {
						left[ref] = true
					}
					continue
				}
				if same := waiting[block.ID]; len(same) > 0 {
					waiting[block.ID] = same[1:]
					continue
				}
			}
			if block.Kind == msg.KindToolResult && !isServerResult(block.Type) && hasOther(message, block.ID) {
				continue // of a tool newer than this code, whose call has an unknown type
			}
			p := ck.drop(A7ServerTool, ref, "The server tool's block "+callName(block)+" has no other half in its turn.",
				"the block is removed")
			p.ProviderError = "" // the known error text is for a call without a result
		}
	}
	endTurn(false)
}

// checkProgrammatic checks the results that code waits for which the provider runs: the user message that has them has
// only results, and these only text. Source: Anthropic's page on programmatic tool calling. Once the code has ended,
// the same message is history.
func checkProgrammatic(ck *checker) {
	rounds := ck.rounds
	if len(rounds) == 0 || rounds[len(rounds)-1].answers.End < len(ck.c.Messages) {
		return
	}
	last := &rounds[len(rounds)-1]
	called := map[string]bool{}
	for _, call := range last.calls {
		if ck.c.At(call).Caller != "" {
			called[ck.c.At(call).ID] = true
		}
	}
	if len(called) == 0 {
		return
	}
	for it := ck.c.WalkIn(last.answers); it.Next(); {
		switch b := it.Block; {
		case b.Kind != msg.KindToolResult:
			ck.reportUnrepaired(A20Programmatic, it.Ref,
				"A block is in the message with results that code of the provider waits for.",
				"it can be sent when the code has ended")
		case called[b.ID] && slices.ContainsFunc(b.Parts, func(p msg.Block) bool { return p.Kind != msg.KindText }):
			ck.reportUnrepaired(A20Programmatic, it.Ref,
				"The result of "+callName(b)+", which code of the provider waits for, "+
					"has something else than text.", "only its sender can write it as text")
		}
	}
}

// isServerResult reports the type of a block that answers a call which the provider runs, if it is known.
func isServerResult(kind string) bool {
	t, _ := msg.BlockTypeOf(kind)
	return t.Server && t.Kind == msg.KindToolResult && !t.New
}

func resultType(call *msg.Block) string {
	if strings.HasPrefix(call.Type, "mcp_") {
		return "mcp_tool_result"
	}
	return short(call.Name) + "_tool_result"
}

// hasOther reports a block of an unknown type with an id in a message.
func hasOther(m *msg.Message, id string) bool {
	return m.Any(func(b *msg.Block) bool { return b.Kind == msg.KindOther && id != "" && b.Raw.Member("id").Text() == id })
}
