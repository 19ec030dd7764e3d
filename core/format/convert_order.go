package format

import (
	"slices"

	"tamp/core/internal/marker"
	"tamp/core/internal/order"
	"tamp/core/msg"
)

// What Convert adds and moves, so that the target accepts the request.

// order returns the indexes of the messages in the order that the target needs. Responses takes a result at any place
// after its call; elsewhere nothing may be between the two, so the message with the result moves up. If it has the
// results of several messages next to each other, whose calls are one round where they come from, these are joined.
func (v *converter) order() []int {
	out, moved := make([]int, 0, len(v.c.Messages)), map[int]bool{}
	for m := range v.c.Messages {
		if moved[m] {
			continue
		}
		if v.own || v.to.name == msg.OpenAIResponses {
			out = append(out, m)
			continue
		}
		calls, results := []int{m}, []int(nil)
		for n := 0; n < len(calls); n++ {
			for b := range v.c.Messages[calls[n]].Blocks {
				result, answered := v.pairs.Result(msg.Ref{Message: calls[n], Block: b})
				if !answered || v.c.Messages[calls[n]].Blocks[b].Server || result.Message <= calls[n] || moved[result.Message] {
					continue
				}
				results, moved[result.Message] = append(results, result.Message), true
				for _, other := range v.callsOf(result.Message) {
					for at := calls[len(calls)-1] + 1; at <= other && other < result.Message; at++ {
						if !moved[at] && v.c.Messages[at].Role == msg.Assistant {
							calls, moved[at], v.joined[at] = append(calls, at), true, true
						}
					}
				}
			}
		}
		first := len(out)
		for _, list := range [...][]int{calls, results} {
			order.Stable(list, func(a, b int) int { return a - b })
			out = append(out, list...)
		}
		for k := first + 1; k < len(out); k++ {
			if at := out[k]; at != out[k-1]+1 && !v.joined[at] {
				v.lose(v.c.Messages[at].Path, "the place of a result", "behind its call")
			} else if at != out[k-1]+1 {
				v.lose(v.c.Messages[at].Path, "the place of a message", "before the results of its round")
			}
		}
	}
	return out
}

// callsOf returns the messages with the calls that a message has the results of.
func (v *converter) callsOf(result int) (messages []int) {
	for b := range v.c.Messages[result].Blocks {
		if call, paired := v.pairs.Call(msg.Ref{Message: result, Block: b}); paired {
			messages = append(messages, call.Message)
		}
	}
	return messages
}

// isSummary reports a message that is only a summary of the messages before it.
func isSummary(m *msg.Message) bool {
	return len(m.Blocks) > 0 && !m.Any(func(b *msg.Block) bool { return b.Kind != msg.KindSummary })
}

// opening puts a message of the user first where the target requires one.
func (v *converter) opening() {
	requires := !v.own && (v.to.name == msg.Anthropic || v.to.name == msg.Gemini)
	if !requires || len(v.out) == 0 || v.out[0].Role != msg.Assistant || v.out[0].Restarts() {
		return
	}
	v.lose(v.c.Messages[0].Path, "a first message of the assistant", "preceded by "+marker.RepairOpening)
	v.out = append([]msg.Message{msg.TextMessage(msg.User, marker.RepairOpening)}, v.out...)
}

// open returns the index of the last message with calls that can still get their results.
func (v *converter) open() int {
	open := msg.OpenRound(v.c)
	for m := open; m < len(v.c.Messages); m++ {
		if v.c.Messages[m].EndsTurn() {
			return len(v.c.Messages)
		}
	}
	return open
}

// interrupted adds the results of calls that were interrupted, as the agent whose log it is does, and of asynchronous
// calls that wait for theirs, which only Responses has. isOpen: other calls can still get their results.
func (v *converter) interrupted(index int, m *msg.Message, isOpen bool) {
	from := findRow(v.c.Format)
	if from == nil {
		return
	}
	var made []msg.Block
	for b := range m.Blocks {
		at, call := msg.Ref{Message: index, Block: b}, m.Blocks[b]
		if _, answered := v.pairs.Result(at); answered || call.Kind != msg.KindToolUse || call.Server {
			continue
		}
		text := from.interrupted
		if call.Async {
			if v.to.name == msg.OpenAIResponses {
				continue
			}
			text = marker.MissingResult
			v.lose(call.Path, "an asynchronous call without its result", "one with "+text)
		}
		if text == "" || isOpen && !call.Async {
			continue
		}
		if !v.own {
			call.ID, call.Type = v.id(at, &call), "tool_use"
		}
		made = append(made, msg.ResultBlock(&call, text, from.fails))
	}
	v.results(made)
}

// placeSystem moves the system messages that the Messages API would refuse where they are: each comes before the next
// answer, behind the last message before that which a system message may follow.
func (v *converter) placeSystem() {
	var out, held []msg.Message
	put := func() {
		at := len(out)
		for at > 0 && !out[at-1].PrecedesSystem() {
			at--
		}
		out, held = slices.Insert(out, at, held...), nil
	}
	for i := range v.out {
		m := &v.out[i]
		switch {
		case m.Role == msg.System:
			held = append(held, *m)
			continue
		case m.Role == msg.Assistant:
			put()
		}
		out = append(out, *m)
	}
	put()
	for i := range out {
		if out[i].Role == msg.System && v.out[i].Role != msg.System {
			v.lose(out[i].Path, "the place of a system message", "behind a message of the user")
		}
	}
	v.out = out
}

// keepsCompaction reports a message that begins with a compaction of the Messages API, which Anthropic takes, and the
// AI SDK for it.
func (v *converter) keepsCompaction(m int) bool {
	return v.c.Messages[m].Restarts() && (v.to.name == msg.Anthropic || v.to.name == msg.AISDK)
}
