package validity

import "tamp/core/msg"

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

// round is a run of assistant messages that calls tools, with the user messages that should answer it.
type round struct {
	calls   []msg.Ref
	end     int      // index after the run: the position of a new user message with its results
	answers msg.Span // the next run of user messages; empty if another message follows
	open    bool     // a missing result could still come: what follows does not end the round
}

// roundsOf finds every run of assistant messages that calls tools of the client.
func roundsOf(messages []msg.Message, rules *pairRules) []round {
	run := func(from int) int {
		end := from
		for end < len(messages) && messages[end].Role == messages[from].Role {
			end++
		}
		return end
	}
	afterSystem := func(i int) int {
		for !rules.toolRole && i < len(messages) && messages[i].Role == msg.System {
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
					for end := next + 1; rules.onlyResults && end <= r.answers.End; end++ {
						if end == r.answers.End || !isResults(&messages[end-1]) || !isResults(&messages[end]) {
							r.answers.End = end
						}
					}
					next = afterSystem(r.answers.End)
				}
				r.open = next == len(messages)
				for i := r.answers.Start; i < r.answers.End; i++ {
					r.open = r.open && !rules.endsTurn(&messages[i])
				}
				rounds = append(rounds, r)
			}
		}
		m = end
	}
	return rounds
}

// places say which calls and messages are of which round.
type places struct {
	rounds  map[msg.Ref]int // by the call
	answers map[int]int     // by the message that answers the round
	ids     map[callID]bool // of all calls
}

type callID struct {
	round int
	id    string
}

func placesOf(c *msg.Conversation, rounds []round) *places {
	p := &places{map[msg.Ref]int{}, map[int]int{}, map[callID]bool{}}
	for n := range rounds {
		for _, call := range rounds[n].calls {
			p.rounds[call], p.ids[callID{n, c.At(call).ID}] = n, true
		}
		for m := rounds[n].answers.Start; m < rounds[n].answers.End; m++ {
			p.answers[m] = n
		}
	}
	return p
}

// inPlace reports whether a result is among the answers to its call.
func (p *places) inPlace(call, result msg.Ref) bool {
	n, ok := p.answers[result.Message]
	return ok && n == p.rounds[call]
}

// calls reports whether the round that a message answers has a call with an id.
func (p *places) calls(message int, id string) bool {
	n, ok := p.answers[message]
	return ok && p.ids[callID{n, id}]
}

// isResults reports a message that has only results.
func isResults(message *msg.Message) bool {
	return len(message.Blocks) > 0 && !message.Any(func(b *msg.Block) bool { return b.Kind != msg.KindToolResult })
}

// endsTurn reports whether no result can come after a user message. If results have a role of their own, a message of
// the user ends the turn whatever it holds.
func (rules *pairRules) endsTurn(message *msg.Message) bool {
	if !rules.toolRole {
		return message.EndsTurn()
	}
	return message.Raw.Member("role").Text() == "user" || message.Any(func(b *msg.Block) bool {
		return b.Kind != msg.KindToolResult && !rules.isAmongResults(message, b)
	})
}

// isAmongResults reports a part that may be before a result in a message of the role that results have, such as the
// answer to a request for approval.
func (rules *pairRules) isAmongResults(message *msg.Message, b *msg.Block) bool {
	return rules.toolRole && b.Kind == msg.KindOther && message.Raw.Member("role").Text() == "tool"
}

// isEmptyPrompt reports a user message without blocks, which ends the results of a round where these are in messages of
// a role of their own.
func (rules *pairRules) isEmptyPrompt(m *msg.Message) bool {
	return rules.toolRole && len(m.Blocks) == 0 && m.Raw.Member("role").Text() == "user"
}
