package msg

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
	pairs := pairBy(f.c, func(at Ref, b *Block) (string, bool) {
		role := f.c.Messages[at.Message].Role
		return b.ID, !b.Server && isKnownAnthropic(role) && (b.Kind == KindToolResult || role == Assistant)
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
				p := f.report(A5Duplicate, ref, "The call "+short(block.ID)+" has a second result.", "the second result is removed")
				p.ProviderError = errSingleResult
				f.edit.remove(ref)
			case !paired:
				f.report(A3Orphan, ref, "The result of "+short(block.ID)+" answers no call before it.",
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
			f.report(A2Unanswered, call, "The call "+name+" is unfinished: the conversation ends before its result.", "",
				short(f.c.At(call).ID)).Severity = SeverityWarning
		default:
			f.report(A2Unanswered, call, "The call "+name+" has no result in the next user message.",
				"a result saying "+noResult+" is put there", short(f.c.At(call).ID))
			add = append(add, ResultBlock(&block, noResult, true))
		}
	}
	switch {
	case len(add) == 0:
	case r.answers.Len() == 0:
		f.edit.add(r.end, Message{Role: User, Blocks: add, Changed: true})
	default:
		f.edit.insert(f.behindResults(r.answers), add)
	}
}

// behindResults returns the place behind the results that lead a run of user messages.
func (f *finder) behindResults(answers Span) Ref {
	place := Ref{answers.Start, 0}
	for m := answers.Start; m < answers.End; m++ {
		for b := range f.c.Messages[m].Blocks {
			if f.c.Messages[m].Blocks[b].Kind != KindToolResult {
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
			keep(call)
			if keeper[f.c.At(call).ID] == call {
				continue
			}
			result, answered := pairs.Result(call)
			p := f.report(A5Duplicate, call, "The id of the call "+callName(f.c.At(call))+" is another call's too.", "")
			p.Repair = "the call and its result get the id " + short(f.rename(call, result, answered))
		}
	}
}
