package msg

import "strconv"

// The rules on calls and results of the Anthropic Messages API.
//
// The API merges neighbors of one role, so "message" below means a run of them. Mid-conversation system messages part
// a run, but not a call from its results: the next user message is still the next.

// round is a run of assistant messages that calls tools, with the user messages that should answer it.
type round struct {
	calls   []Ref
	end     int  // index behind the run: where a user message with its results belongs
	answers Span // the next run of user messages; empty where something else follows
	open    bool // nothing has followed that could not stand before a missing result
}

// rounds finds every run of assistant messages that calls tools of the client.
func (f *finder) rounds() []round {
	messages := f.c.Messages
	run := func(from int) int {
		end := from
		for end < len(messages) && messages[end].Role == messages[from].Role {
			end++
		}
		return end
	}
	var rounds []round
	for m := 0; m < len(messages); {
		end := run(m)
		if messages[m].Role == Assistant {
			r := round{end: end, answers: Span{end, end}}
			for i := m; i < end; i++ {
				for b := range messages[i].Blocks {
					if block := &messages[i].Blocks[b]; block.Kind == KindToolUse && !block.Server {
						r.calls = append(r.calls, Ref{i, b})
					}
				}
			}
			if len(r.calls) > 0 {
				next := end
				for next < len(messages) && messages[next].Role == System {
					next++
				}
				if next < len(messages) && messages[next].Role == User {
					r.answers = Span{next, run(next)}
					next = r.answers.End
					for next < len(messages) && messages[next].Role == System {
						next++
					}
				}
				r.open = next == len(messages)
				for i := r.answers.Start; i < r.answers.End; i++ {
					r.open = r.open && !messages[i].IsPrompt()
				}
				rounds = append(rounds, r)
			}
		}
		m = end
	}
	return rounds
}

func (f *finder) anthropicPairs(rounds []round) {
	named := f.nameAnthropicResults(rounds)
	pairs := pairBy(f.c, func(at Ref, b *Block) (string, bool) {
		role, id := f.c.Messages[at.Message].Role, b.ID
		if name, ok := named[at]; ok {
			id = name
		}
		return id, !b.Server && isKnownAnthropic(role) && (b.Kind == KindToolResult || role == Assistant)
	})
	type place struct {
		round int
		id    string
	}
	at := map[Ref]int{}       // call -> its round
	known := map[place]bool{} // the ids that each round calls
	answers := map[int]int{}  // message -> the round that it answers
	for n := range rounds {
		for _, call := range rounds[n].calls {
			at[call] = n
			known[place{n, f.c.At(call).ID}] = true
		}
		for m := rounds[n].answers.Start; m < rounds[n].answers.End; m++ {
			answers[m] = n
		}
	}
	inPlace := func(call, result Ref) bool {
		n, ok := answers[result.Message]
		return ok && n == at[call]
	}
	f.anthropicIDs(rounds, pairs)

	// The results that are where they belong, those that are not, and those that belong nowhere.
	misplaced := make([][]Block, len(rounds)) // what is put in front of a round's answers
	other := false                            // whether anything but results stands before, in the same run
	for m := range f.c.Messages {
		message := &f.c.Messages[m]
		if !isKnownAnthropic(message.Role) {
			continue
		}
		n, answering := answers[m]
		if !answering || m == rounds[n].answers.Start {
			other = false
		}
		for b := range message.Blocks {
			block, ref := &message.Blocks[b], Ref{m, b}
			if block.Kind != KindToolResult || block.Server {
				other = true
				continue
			}
			call, paired := pairs.Call(ref)
			switch {
			case !paired && answering && known[place{n, block.ID}]:
				p := f.report(A5Duplicate, ref, "The call "+callName(block)+" has a second result.", "the second result is removed")
				p.ProviderError = errSingleResult
				f.edit.remove(ref)
			case !paired:
				f.report(A3Orphan, ref, "The result of "+resultName(block)+" answers no call before it.",
					"the result is removed", short(block.ID))
				f.edit.remove(ref)
			case !inPlace(call, ref):
				f.report(A3Orphan, ref, "The result of "+callName(f.c.At(call))+" is not in the message after its call.",
					"the result is moved to the user message after its call", short(block.ID))
				f.edit.remove(ref)
			case other:
				f.report(A4Order, ref, "The result of "+callName(f.c.At(call))+" stands behind other blocks of its user message.",
					"the result is moved to the front")
				misplaced[n] = append(misplaced[n], f.block(ref))
				f.edit.remove(ref)
			}
		}
	}
	for n := range rounds {
		f.unanswered(&rounds[n], pairs, inPlace, misplaced[n])
	}
}

// unanswered reports the calls of a round that have no result in place, and puts in place what is missing there.
func (f *finder) unanswered(r *round, pairs Pairing, inPlace func(call, result Ref) bool, add []Block) {
	for _, call := range r.calls {
		result, ok := pairs.Result(call)
		if ok && inPlace(call, result) {
			continue
		}
		block := f.block(call)
		switch name := callName(f.c.At(call)); {
		case ok:
			f.report(A2Unanswered, call, "The call "+name+" has its result, but not in the next user message.",
				"its result is moved to the next user message", short(f.c.At(call).ID))
			add = append(add, f.block(result))
		case r.open:
			f.wait(A2Unanswered, call, "The call "+name+" is unfinished: the conversation ends before its result.",
				short(f.c.At(call).ID))
		default:
			f.report(A2Unanswered, call, "The call "+name+" has no result in the next user message.",
				"a result saying "+noResult+" is put there", short(f.c.At(call).ID))
			add = append(add, ResultBlock(&block, noResult, true))
		}
	}
	if len(add) == 0 {
		return
	}
	made := Message{Role: User, Blocks: add, Changed: true}
	if r.answers.Len() == 0 {
		f.edit.add(r.end, made)
		return
	}
	place := f.behindResults(r.answers)
	if blocks := f.c.Messages[place.Message].Blocks; place.Block == 0 && len(blocks) > 0 && blocks[0].Type == "compaction" {
		f.edit.add(place.Message, made) // the compaction block stays the first of its message
		return
	}
	f.edit.insert(place, add)
}

// behindResults returns the place behind the results that lead a run of user messages.
func (f *finder) behindResults(answers Span) Ref {
	place := Ref{answers.Start, 0}
	for m := answers.Start; m < answers.End; m++ {
		for b := range f.c.Messages[m].Blocks {
			if block := &f.c.Messages[m].Blocks[b]; block.Kind != KindToolResult || block.Server {
				return place
			}
			place = Ref{m, b + 1}
		}
	}
	return place
}

// anthropicIDs renames the pairs whose id another pair has. The first pair keeps it, unless a call that still waits for
// its result has it too: the host will answer that one by the id it knows.
func (f *finder) anthropicIDs(rounds []round, pairs Pairing) {
	keeper := map[string]Ref{}
	keep := func(call Ref) {
		if _, ok := keeper[f.c.At(call).ID]; !ok {
			keeper[f.c.At(call).ID] = call
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
			if f.c.At(call).ID == "" {
				result, answered := pairs.Result(call)
				f.noID(A6ID, call, f.rename(call, result, answered), f.member(call, "tool_use.id"))
				continue
			}
			keep(call)
			if keeper[f.c.At(call).ID] == call {
				continue
			}
			result, answered := pairs.Result(call)
			f.report(A5Duplicate, call, "The id of the call "+callName(f.c.At(call))+" is another call's too.",
				"the call and its result get the id "+short(f.rename(call, result, answered)))
		}
	}
}

// nameAnthropicResults finds results without an id among the answers of a round, and gives each the first call of the round
// that no other result names.
func (f *finder) nameAnthropicResults(rounds []round) map[Ref]string {
	named := map[Ref]string{}
	for _, r := range rounds {
		answered, unnamed := map[string]bool{}, []Ref(nil)
		for m := r.answers.Start; m < r.answers.End; m++ {
			for b := range f.c.Messages[m].Blocks {
				switch block := f.c.At(Ref{m, b}); {
				case block.Kind != KindToolResult || block.Server:
				case block.ID == "":
					unnamed = append(unnamed, Ref{m, b})
				default:
					answered[block.ID] = true
				}
			}
		}
		for _, call := range r.calls {
			id := f.c.At(call).ID
			if len(unnamed) == 0 || id == "" || answered[id] {
				continue
			}
			ref := unnamed[0]
			unnamed, named[ref], answered[id] = unnamed[1:], id, true
			f.report(A6ID, ref, "The result names no call; by its place it answers "+callName(f.c.At(call))+".",
				"it gets that call's id", f.member(ref, "tool_result.tool_use_id"))
			f.edit.put(ref, f.block(ref).WithID(id))
		}
	}
	return named
}

// noID reports a call without an id, which gets the one given. member is the id as the API names it.
func (f *finder) noID(rule Rule, call Ref, id, member string) {
	f.report(rule, call, "The call of "+resultName(f.c.At(call))+" has no id.",
		"the call and its result get the id "+short(id), member)
}

// member names a member of a block the way the API does.
func (f *finder) member(at Ref, name string) string {
	return "messages." + strconv.Itoa(at.Message) + ".content." + strconv.Itoa(at.Block) + "." + name
}

// resultName is callName, for a sentence that needs a name.
func resultName(b *Block) string {
	if name := callName(b); name != "" {
		return name
	}
	return "a call without a name"
}
