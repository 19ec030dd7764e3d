package format

import (
	"slices"

	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// What Convert adds and moves, so that the target accepts the request.

// order returns the indexes of the messages in the order that the target needs: for Anthropic, a system message may be
// between a call and its result, for others it comes after the results.
func (v *converter) order() []int {
	var out, held []int
	waiting := false // a call can still get its result
	flush := func(moved bool) {
		for _, m := range held {
			if moved {
				v.lose(v.c.Messages[m].Path, "the place of a system message", "after the results")
			}
		}
		out, held = append(out, held...), nil
	}
	moved := false
	for m := range v.c.Messages {
		message := &v.c.Messages[m]
		if waiting && (message.Role == msg.System || message.Role == msg.Developer) {
			held = append(held, m)
			continue
		}
		if !hasKind(message, msg.KindToolResult) {
			flush(moved)
			waiting, moved = hasKind(message, msg.KindToolUse) && !v.own && v.to.name != msg.Anthropic, false
		}
		moved = moved || len(held) > 0
		out = append(out, m)
	}
	flush(moved)
	return out
}

func hasKind(m *msg.Message, kind msg.Kind) bool {
	return slices.ContainsFunc(m.Blocks, func(b msg.Block) bool { return b.Kind == kind && !b.Server })
}

// isSummary reports a message that is only a summary of the messages before it.
func isSummary(m *msg.Message) bool {
	return len(m.Blocks) > 0 && !slices.ContainsFunc(m.Blocks, func(b msg.Block) bool { return b.Kind != msg.KindSummary })
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

// interruptions are the results that agents send for calls without one.
var interruptions = [...]struct {
	format, text string
	isError      bool
}{
	{msg.ClaudeCode, "[Tool result missing due to internal error]", true},
	{msg.Codex, "aborted", false},
	{msg.Pi, "No result provided", true},
	{msg.OpenCode, "[Tool execution was interrupted]", true},
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
	for _, row := range interruptions {
		if row.format != v.c.Format {
			continue
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
			made = append(made, msg.ResultBlock(&call, row.text, row.isError))
		}
		v.results(made)
	}
}
