package validity

import (
	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// The rules on calls and results of the Anthropic Messages API.
//
// The API merges consecutive messages of one role, so "message" below means a run of them. A system message in the
// middle of the conversation ends a run, but the results of a call may follow it: they belong in the next user message.

// checkPairs finds the rounds of the conversation, and checks their calls and results.
func checkPairs(ck *checker) {
	rounds := roundsOf(ck.c.Messages, &ck.of.pairs)
	ck.rounds = rounds
	named := matchUnnamedResults(ck, rounds)
	read, fallback := -1, 0 // of the message that was read last: a message may have 100,000 calls
	pairs := msg.PairBy(ck.c, func(at msg.Ref, b *msg.Block) (string, bool) {
		role, id := ck.c.Messages[at.Message].Role, b.ID
		if name, ok := named[at]; ok {
			id = name
		}
		if at.Message != read {
			read, fallback = at.Message, ck.c.Messages[at.Message].Fallback()
		}
		return id, !b.Server && isAnthropicRole(role) && (b.Kind == msg.KindToolResult || role == msg.Assistant) &&
			(b.Kind != msg.KindToolUse || at.Block >= fallback)
	})
	at := placesOf(ck.c, rounds)
	switch {
	case ck.of.pairs.id != "":
		checkIDs(ck, rounds, pairs)
	case ck.of.pairs.noID != "":
		checkEmptyIDs(ck, rounds, pairs)
	}

	// Each result is in place, misplaced, or an orphan.
	misplaced := make([][]msg.Block, len(rounds)) // the results to move to the front of a round's answers
	other := false                                // a block other than a result comes before, in the same run
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		if !isAnthropicRole(message.Role) {
			continue
		}
		n, answering := at.answers[m]
		if !answering || m == rounds[n].answers.Start {
			other = false
		}
		other = other || ck.of.pairs.isEmptyPrompt(message)
		for b := range message.Blocks {
			block, ref := &message.Blocks[b], msg.Ref{Message: m, Block: b}
			if block.Kind != msg.KindToolResult || block.Server {
				other = other || !ck.of.pairs.isAmongResults(message, block)
				continue
			}
			call, paired := pairs.Call(ref)
			switch {
			case !paired && at.calls(m, block.ID):
				p := ck.drop(ck.of.pairs.duplicate, ref, "The call "+callName(block)+" has a second result.",
					"the second result is removed")
				if ck.of.pairs.secondResult != "" {
					p.ProviderError = ck.of.pairs.secondResult
				}
			case !paired:
				ck.drop(ck.of.pairs.orphan, ref, "The result of "+resultName(block)+" answers no call before it.",
					"the result is removed", short(block.ID))
			case !at.inPlace(call, ref):
				ck.drop(ck.of.pairs.orphan, ref, "The result of "+callName(ck.c.At(call))+
					" is not in the message after its call.", "the result is moved to the user message after its call",
					short(block.ID))
			case other && ck.of.pairs.order != "":
				ck.report(ck.of.pairs.order, ref,
					"The result of "+callName(ck.c.At(call))+" comes after other blocks of its user message.",
					"the result is moved to the front")
				misplaced[n] = append(misplaced[n], ck.block(ref))
				ck.edit.remove(ref)
			}
		}
	}
	for n := range rounds {
		checkUnanswered(ck, &rounds[n], pairs, at, misplaced[n])
	}
}

// checkUnanswered reports the calls of a round that have no result in place, and adds the missing results. add holds
// the misplaced results of the round.
func checkUnanswered(ck *checker, r *round, pairs msg.Pairing, at *places, add []msg.Block) {
	var early []msg.Block // from before the answers: without ids, the order of results says whose they are
	for _, call := range r.calls {
		result, ok := pairs.Result(call)
		if ok && at.inPlace(call, result) {
			continue
		}
		block := ck.block(call)
		switch name := callName(ck.c.At(call)); {
		case ok:
			ck.report(ck.of.pairs.unanswered, call, "The call "+name+" has its result, but not in the next user message.",
				"its result is moved to the next user message", short(ck.c.At(call).ID))
			if r.answers.Len() > 0 && result.Message < r.answers.Start {
				early = append(early, ck.block(result))
			} else {
				add = append(add, ck.block(result))
			}
		case r.open:
			ck.reportUnfinished(ck.of.pairs.unanswered, call,
				"The call "+name+" is unfinished: the conversation ends before its result.", short(ck.c.At(call).ID))
		default:
			ck.report(ck.of.pairs.unanswered, call, "The call "+name+" has no result in the next user message.",
				"a result saying "+marker.MissingResult+" is put there", short(ck.c.At(call).ID))
			add = append(add, msg.ResultBlock(&block, marker.MissingResult, true))
		}
	}
	addResults(ck, msg.Ref{Message: r.answers.Start}, r, early)
	addResults(ck, afterResults(ck, r.answers), r, add)
}

// addResults adds results to the answers of a round, or as a new message if there are none.
func addResults(ck *checker, place msg.Ref, r *round, results []msg.Block) {
	if len(results) == 0 {
		return
	}
	made := msg.Message{Role: msg.User, Blocks: results, Changed: true}
	if r.answers.Len() == 0 {
		ck.edit.insertMessage(r.end, made)
		return
	}
	if blocks := ck.c.Messages[place.Message].Blocks; place.Block == 0 && len(blocks) > 0 &&
		blocks[0].Type == "compaction" {
		ck.edit.insertMessage(place.Message, made) // the compaction block stays the first of its message
		return
	}
	ck.edit.insert(place, results)
}

// afterResults returns the position after the leading results of a run of user messages.
func afterResults(ck *checker, answers msg.Span) msg.Ref {
	place := msg.Ref{Message: answers.Start, Block: 0}
	for m := answers.Start; m < answers.End; m++ {
		message := &ck.c.Messages[m]
		if ck.of.pairs.isEmptyPrompt(message) {
			return place
		}
		for b := range message.Blocks {
			if block := &message.Blocks[b]; block.Kind != msg.KindToolResult || block.Server {
				return place
			}
			place = msg.Ref{Message: m, Block: b + 1}
		}
		if ck.of.pairs.onlyResults {
			return place // a result without an id, of the run, may be read as that of a call whose result comes later
		}
	}
	return place
}

// checkIDs renames the pairs whose id another pair has. The first pair keeps it, unless a call that still waits for
// its result has the same id: the host will send the result under that id.
func checkIDs(ck *checker, rounds []round, pairs msg.Pairing) {
	keeper := map[string]msg.Ref{}
	keep := func(call msg.Ref) {
		if _, ok := keeper[ck.c.At(call).ID]; !ok {
			keeper[ck.c.At(call).ID] = call
		}
	}
	for n := range rounds {
		for _, call := range rounds[n].calls {
			if _, answered := pairs.Result(call); rounds[n].open && !answered {
				keep(call)
			}
		}
	}
	for n := range rounds {
		for _, call := range rounds[n].calls {
			if ck.c.At(call).ID == "" {
				result, answered := pairs.Result(call)
				reportNoID(ck, ck.of.pairs.id, call, ck.assignID(call, result, answered), blockMember(call, "tool_use.id"))
				continue
			}
			result, answered := pairs.Result(call)
			if id := ck.c.At(call).ID; id != msg.ToolName(id, len(id)) {
				reportBadID(ck, call, result, answered, rounds[n].open)
				continue
			}
			keep(call)
			if keeper[ck.c.At(call).ID] == call {
				continue
			}
			ck.report(ck.of.pairs.duplicate, call, "The id of the call "+callName(ck.c.At(call))+" is another call's too.",
				"the call and its result get the id "+short(ck.assignID(call, result, answered)))
		}
	}
}

// reportBadID reports a call whose id has characters that the API refuses.
func reportBadID(ck *checker, call, result msg.Ref, answered, open bool) {
	p := ck.reportUnrepaired(A6ID, call, "The id of the call "+callName(ck.c.At(call))+
		" has other characters than letters, digits, _ and -.", "its result may still come under this id")
	p.ProviderError = blockMember(call, "tool_use.id") + errIDPattern
	if answered || !open {
		p.Repair, p.Reason = "the call and its result get the id "+short(ck.assignID(call, result, answered)), ""
	}
}

// checkEmptyIDs gives calls without an id, and their results, one of their own.
func checkEmptyIDs(ck *checker, rounds []round, pairs msg.Pairing) {
	for n := range rounds {
		for _, call := range rounds[n].calls {
			if ck.c.At(call).ID == "" {
				result, answered := pairs.Result(call)
				reportNoID(ck, ck.of.pairs.noID, call, ck.assignID(call, result, answered), "")
			}
		}
	}
}

// matchUnnamedResults reports results without an id among the answers of a round, and gives each the id of the first
// call of the round that no other result answers.
func matchUnnamedResults(ck *checker, rounds []round) map[msg.Ref]string {
	named := map[msg.Ref]string{}
	if ck.of.pairs.byPlace {
		return named
	}
	rule := ck.of.pairs.id
	if rule == "" {
		rule = ck.of.pairs.orphan
	}
	for _, r := range rounds {
		answered, unnamed := map[string]bool{}, []msg.Ref(nil)
		for it := ck.c.WalkIn(r.answers); it.Next(); {
			ref, block := it.Ref, it.Block
			switch {
			case block.Kind != msg.KindToolResult || block.Server:
			case block.ID == "":
				unnamed = append(unnamed, ref)
			default:
				answered[block.ID] = true
			}
		}
		for _, call := range r.calls {
			id := ck.c.At(call).ID
			if len(unnamed) == 0 || id == "" || answered[id] {
				continue
			}
			ref := unnamed[0]
			unnamed, named[ref], answered[id] = unnamed[1:], id, true
			ck.report(rule, ref, "The result names no call; by its place it answers "+callName(ck.c.At(call))+".",
				"it gets that call's id", blockMember(ref, "tool_result.tool_use_id"))
			ck.edit.replaceBlock(ref, ck.block(ref).WithID(id))
		}
	}
	return named
}

// reportNoID reports a call without an id, which gets the given id. member is the API's name of the missing member.
func reportNoID(ck *checker, rule Rule, call msg.Ref, id, member string) {
	ck.report(rule, call, "The call of "+resultName(ck.c.At(call))+" has no id.",
		"the call and its result get the id "+short(id), member)
}
