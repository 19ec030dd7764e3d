package format

import (
	"tamp/core/internal/marker"
	"tamp/core/internal/order"
	"tamp/core/msg"
)

// What Convert adds and moves, so that the target accepts the request.

// order returns the indexes of the messages in the order that the target needs. Responses takes a result at any place
// after its call; elsewhere nothing may be between the two, so the message with the result moves up.
func (v *converter) order() []int {
	out, moved := make([]int, 0, len(v.c.Messages)), map[int]bool{}
	for m := range v.c.Messages {
		if moved[m] {
			continue
		}
		out = append(out, m)
		if v.own || v.to.name == msg.OpenAIResponses {
			continue
		}
		var results []int
		for b := range v.c.Messages[m].Blocks {
			result, answered := v.pairs.Result(msg.Ref{Message: m, Block: b})
			if answered && result.Message > m && !moved[result.Message] {
				results, moved[result.Message] = append(results, result.Message), true
			}
		}
		order.Stable(results, func(a, b int) int { return a - b })
		for k, at := range results {
			if at != m+1+k {
				v.lose(v.c.Messages[at].Path, "the place of a result", "behind its call")
			}
		}
		out = append(out, results...)
	}
	return out
}

// isSummary reports a message that is only a summary of the messages before it.
func isSummary(m *msg.Message) bool {
	return len(m.Blocks) > 0 && !m.Any(func(b *msg.Block) bool { return b.Kind != msg.KindSummary })
}

// opening puts a message of the user first where the target requires one.
func (v *converter) opening() {
	requires := !v.own && (v.to.name == msg.Anthropic || v.to.name == msg.Gemini)
	if !requires || len(v.out) == 0 || v.out[0].Role != msg.Assistant {
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

// interrupted adds the results of calls that were interrupted, as the agent whose log it is does.
func (v *converter) interrupted(index int, m *msg.Message) {
	from := find(v.c.Format)
	if from == nil || from.interrupted == "" {
		return
	}
	var made []msg.Block
	for b := range m.Blocks {
		at, call := msg.Ref{Message: index, Block: b}, m.Blocks[b]
		if _, answered := v.pairs.Result(at); answered || call.Kind != msg.KindToolUse || call.Server {
			continue
		}
		if !v.own {
			call.ID, call.Type = v.id(at, &call), "tool_use"
		}
		made = append(made, msg.ResultBlock(&call, from.interrupted, from.fails))
	}
	v.results(made)
}
