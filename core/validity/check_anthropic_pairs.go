package validity

import (
	"strconv"

	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// The rules on calls and results of the Anthropic Messages API.
//
// The API merges consecutive messages of one role, so "message" below means a run of them. A system message in the
// middle of the conversation ends a run, but the results of a call may follow it: they belong in the next user message.

// pairRules are the rules on calls and results of a format that has results in user messages. "" means that the format
// lacks the rule.
type pairRules struct {
	unanswered, orphan, order, duplicate, id Rule
	noID                                     Rule   // a call without an id, where ids may come again
	secondResult                             string // the provider's text for a second result; "" means the rule's
	onlyResults                              bool   // the results of a round are in messages next to each other
	toolRole                                 bool   // results have a role of their own; a system message ends a round
	byPlace                                  bool   // a result is a part of its call, whatever its id is
}

var anthropicPairs = pairRules{unanswered: A2Unanswered, orphan: A3Orphan, order: A4Order, duplicate: A5Duplicate,
	id: A6ID, secondResult: errSingleResult}

// round is a run of assistant messages that calls tools, with the user messages that should answer it.
type round struct {
	calls   []msg.Ref
	end     int      // index after the run: the position of a new user message with its results
	answers msg.Span // the next run of user messages; empty if another message follows
	open    bool     // a missing result could still come: what follows does not end the round
}

// rounds finds every run of assistant messages that calls tools of the client.
func (ck *checker) rounds() []round {
	messages := ck.c.Messages
	run := func(from int) int {
		end := from
		for end < len(messages) && messages[end].Role == messages[from].Role {
			end++
		}
		return end
	}
	afterSystem := func(i int) int {
		for !ck.rules.toolRole && i < len(messages) && messages[i].Role == msg.System {
			i++
		}
		return i
	}
	var rounds []round
	for m := 0; m < len(messages); {
		end := run(m)
		if messages[m].Role == msg.Assistant {
			r := round{end: end, answers: msg.Span{Start: end, End: end}}
			for i := m; i < end; i++ {
				for b := messages[i].Fallback(); b < len(messages[i].Blocks); b++ {
					if block := &messages[i].Blocks[b]; block.Kind == msg.KindToolUse && !block.Server {
						r.calls = append(r.calls, msg.Ref{Message: i, Block: b})
					}
				}
			}
			if len(r.calls) > 0 {
				next := afterSystem(end)
				if next < len(messages) && messages[next].Role == msg.User {
					r.answers = msg.Span{Start: next, End: run(next)}
					for end := next + 1; ck.rules.onlyResults && end <= r.answers.End; end++ {
						if end == r.answers.End || !ck.isResults(end-1) || !ck.isResults(end) {
							r.answers.End = end
						}
					}
					next = afterSystem(r.answers.End)
				}
				r.open = next == len(messages)
				for i := r.answers.Start; i < r.answers.End; i++ {
					r.open = r.open && !ck.endsTurn(&messages[i])
				}
				rounds = append(rounds, r)
			}
		}
		m = end
	}
	return rounds
}

// isResults reports a message that has only results.
func (ck *checker) isResults(m int) bool {
	message := &ck.c.Messages[m]
	return len(message.Blocks) > 0 && !message.Any(func(b *msg.Block) bool { return b.Kind != msg.KindToolResult })
}

func (ck *checker) checkPairs(rounds []round) {
	named := ck.matchUnnamedResults(rounds)
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
	type place struct {
		round int
		id    string
	}
	at := map[msg.Ref]int{}    // call -> its round
	called := map[place]bool{} // the ids that each round calls
	answers := map[int]int{}   // message -> the round that it answers
	for n := range rounds {
		for _, call := range rounds[n].calls {
			at[call] = n
			called[place{n, ck.c.At(call).ID}] = true
		}
		for m := rounds[n].answers.Start; m < rounds[n].answers.End; m++ {
			answers[m] = n
		}
	}
	inPlace := func(call, result msg.Ref) bool {
		n, ok := answers[result.Message]
		return ok && n == at[call]
	}
	switch {
	case ck.rules.id != "":
		ck.checkIDs(rounds, pairs)
	case ck.rules.noID != "":
		ck.checkEmptyIDs(rounds, pairs)
	}

	// Each result is in place, misplaced, or an orphan.
	misplaced := make([][]msg.Block, len(rounds)) // the results to move to the front of a round's answers
	other := false                                // a block other than a result comes before, in the same run
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		if !isAnthropicRole(message.Role) {
			continue
		}
		n, answering := answers[m]
		if !answering || m == rounds[n].answers.Start {
			other = false
		}
		other = other || ck.isEmptyPrompt(message)
		for b := range message.Blocks {
			block, ref := &message.Blocks[b], msg.Ref{Message: m, Block: b}
			if block.Kind != msg.KindToolResult || block.Server {
				other = other || !ck.isAmongResults(message, block)
				continue
			}
			call, paired := pairs.Call(ref)
			switch {
			case !paired && answering && called[place{n, block.ID}]:
				p := ck.report(ck.rules.duplicate, ref, "The call "+callName(block)+" has a second result.",
					"the second result is removed")
				if ck.rules.secondResult != "" {
					p.ProviderError = ck.rules.secondResult
				}
				ck.edit.remove(ref)
			case !paired:
				ck.report(ck.rules.orphan, ref, "The result of "+resultName(block)+" answers no call before it.",
					"the result is removed", short(block.ID))
				ck.edit.remove(ref)
			case !inPlace(call, ref):
				ck.report(ck.rules.orphan, ref, "The result of "+callName(ck.c.At(call))+" is not in the message after its call.",
					"the result is moved to the user message after its call", short(block.ID))
				ck.edit.remove(ref)
			case other && ck.rules.order != "":
				ck.report(ck.rules.order, ref,
					"The result of "+callName(ck.c.At(call))+" comes after other blocks of its user message.",
					"the result is moved to the front")
				misplaced[n] = append(misplaced[n], ck.block(ref))
				ck.edit.remove(ref)
			}
		}
	}
	for n := range rounds {
		ck.checkUnanswered(&rounds[n], pairs, inPlace, misplaced[n])
	}
}

// endsTurn reports whether no result can come after a user message. If results have a role of their own, a message of
// the user ends the turn whatever it holds.
func (ck *checker) endsTurn(message *msg.Message) bool {
	if !ck.rules.toolRole {
		return message.EndsTurn()
	}
	return message.Raw.Member("role").Text() == "user" || message.Any(func(b *msg.Block) bool {
		return b.Kind != msg.KindToolResult && !ck.isAmongResults(message, b)
	})
}

// isAmongResults reports a part that may be before a result in a message of the role that results have, such as the
// answer to a request for approval.
func (ck *checker) isAmongResults(message *msg.Message, b *msg.Block) bool {
	return ck.rules.toolRole && b.Kind == msg.KindOther && message.Raw.Member("role").Text() == "tool"
}

// checkUnanswered reports the calls of a round that have no result in place, and adds the missing results. add holds
// the misplaced results of the round.
func (ck *checker) checkUnanswered(r *round, pairs msg.Pairing, inPlace func(call, result msg.Ref) bool,
	add []msg.Block) {
	var early []msg.Block // from before the answers: without ids, the order of results says whose they are
	for _, call := range r.calls {
		result, ok := pairs.Result(call)
		if ok && inPlace(call, result) {
			continue
		}
		block := ck.block(call)
		switch name := callName(ck.c.At(call)); {
		case ok:
			ck.report(ck.rules.unanswered, call, "The call "+name+" has its result, but not in the next user message.",
				"its result is moved to the next user message", short(ck.c.At(call).ID))
			if r.answers.Len() > 0 && result.Message < r.answers.Start {
				early = append(early, ck.block(result))
			} else {
				add = append(add, ck.block(result))
			}
		case r.open:
			ck.reportUnfinished(ck.rules.unanswered, call,
				"The call "+name+" is unfinished: the conversation ends before its result.", short(ck.c.At(call).ID))
		default:
			ck.report(ck.rules.unanswered, call, "The call "+name+" has no result in the next user message.",
				"a result saying "+marker.MissingResult+" is put there", short(ck.c.At(call).ID))
			add = append(add, msg.ResultBlock(&block, marker.MissingResult, true))
		}
	}
	ck.addResults(msg.Ref{Message: r.answers.Start}, r, early)
	ck.addResults(ck.afterResults(r.answers), r, add)
}

// addResults adds results to the answers of a round, or as a new message if there are none.
func (ck *checker) addResults(place msg.Ref, r *round, results []msg.Block) {
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
func (ck *checker) afterResults(answers msg.Span) msg.Ref {
	place := msg.Ref{Message: answers.Start, Block: 0}
	for m := answers.Start; m < answers.End; m++ {
		message := &ck.c.Messages[m]
		if ck.isEmptyPrompt(message) {
			return place
		}
		for b := range message.Blocks {
			if block := &message.Blocks[b]; block.Kind != msg.KindToolResult || block.Server {
				return place
			}
			place = msg.Ref{Message: m, Block: b + 1}
		}
		if ck.rules.onlyResults {
			return place // a result without an id, of the run, may be read as that of a call whose result comes later
		}
	}
	return place
}

// isEmptyPrompt reports a user message without blocks, which ends the results of a round where these are in messages of
// a role of their own.
func (ck *checker) isEmptyPrompt(m *msg.Message) bool {
	return ck.rules.toolRole && len(m.Blocks) == 0 && m.Raw.Member("role").Text() == "user"
}

// checkIDs renames the pairs whose id another pair has. The first pair keeps it, unless a call that still waits for
// its result has the same id: the host will send the result under that id.
func (ck *checker) checkIDs(rounds []round, pairs msg.Pairing) {
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
				ck.noID(ck.rules.id, call, ck.assignID(call, result, answered), ck.member(call, "tool_use.id"))
				continue
			}
			result, answered := pairs.Result(call)
			if id := ck.c.At(call).ID; id != msg.ToolName(id, len(id)) {
				ck.badID(call, result, answered, rounds[n].open)
				continue
			}
			keep(call)
			if keeper[ck.c.At(call).ID] == call {
				continue
			}
			ck.report(ck.rules.duplicate, call, "The id of the call "+callName(ck.c.At(call))+" is another call's too.",
				"the call and its result get the id "+short(ck.assignID(call, result, answered)))
		}
	}
}

// badID reports a call whose id has characters that the API refuses.
func (ck *checker) badID(call, result msg.Ref, answered, open bool) {
	p := ck.reportUnrepaired(A6ID, call, "The id of the call "+callName(ck.c.At(call))+
		" has other characters than letters, digits, _ and -.", "its result may still come under this id")
	p.ProviderError = ck.member(call, "tool_use.id") + errIDPattern
	if answered || !open {
		p.Repair, p.Reason = "the call and its result get the id "+short(ck.assignID(call, result, answered)), ""
	}
}

// checkEmptyIDs gives calls without an id, and their results, one of their own.
func (ck *checker) checkEmptyIDs(rounds []round, pairs msg.Pairing) {
	for n := range rounds {
		for _, call := range rounds[n].calls {
			if ck.c.At(call).ID == "" {
				result, answered := pairs.Result(call)
				ck.noID(ck.rules.noID, call, ck.assignID(call, result, answered), "")
			}
		}
	}
}

// matchUnnamedResults reports results without an id among the answers of a round, and gives each the id of the first
// call of the round that no other result answers.
func (ck *checker) matchUnnamedResults(rounds []round) map[msg.Ref]string {
	named := map[msg.Ref]string{}
	if ck.rules.byPlace {
		return named
	}
	rule := ck.rules.id
	if rule == "" {
		rule = ck.rules.orphan
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
				"it gets that call's id", ck.member(ref, "tool_result.tool_use_id"))
			ck.edit.replaceBlock(ref, ck.block(ref).WithID(id))
		}
	}
	return named
}

// noID reports a call without an id, which gets the given id. member is the API's name of the missing member.
func (ck *checker) noID(rule Rule, call msg.Ref, id, member string) {
	ck.report(rule, call, "The call of "+resultName(ck.c.At(call))+" has no id.",
		"the call and its result get the id "+short(id), member)
}

// member returns the API's name of a member of a block.
func (ck *checker) member(at msg.Ref, name string) string {
	return "messages." + strconv.Itoa(at.Message) + ".content." + strconv.Itoa(at.Block) + "." + name
}

// resultName is callName, with a text instead of an empty name.
func resultName(b *msg.Block) string {
	if name := callName(b); name != "" {
		return name
	}
	return "a call without a name"
}
