package plan

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/summarize"
	"tamp/core/view"
)

// heldShare is the part of the room of a compaction that what it holds takes at most: a quarter, so that the recent
// turns and the summaries, which say what was done under the skill, have the most of it.
const heldShare = 4

// holding returns the view with more messages that stay: those with the text of the skill in use, which is the one that
// was loaded last, for the newest prompt or the one before, and the results of clear.keepTools, the newest first, each
// with its call. All strategies keep them. What has no room is summarized: a summary says that the text of a skill was
// left out (marker.Loaded).
func holding(in *view.View, p *policy.Policy) *view.View {
	c := in.Conversation
	room := lowest(Window(p, c), p.Trigger.Tokens)
	if p.Trigger.TargetPermille > 0 {
		room = int(int64(room) * int64(p.Trigger.TargetPermille) / 1000)
	}
	room = (room - in.Counts.System - in.Counts.Tools) / heldShare
	var held []bool // nil until a message is held
	hold := func(refs ...msg.Ref) {
		tokens := 0
		for _, r := range refs {
			if held == nil || !held[r.Message] {
				tokens += in.Counts.Messages[r.Message].Tokens
			}
		}
		if tokens > room {
			return
		}
		if held == nil {
			held = make([]bool, len(c.Messages))
			copy(held, in.Kept)
		}
		room -= tokens
		for _, r := range refs {
			held[r.Message] = true
		}
	}
	// A skill that was loaded before the prompt before the newest one is of another task.
	if skill := summarize.NewestSkill(c, &in.Pairing); skill != nil && skill[0].Message >= pass.ExchangeStart(c, 2) {
		hold(skill...)
	}
	for m := len(c.Messages) - 1; m >= 0 && len(p.Clear.KeepTools) > 0; m-- {
		for b := range c.Messages[m].Blocks {
			at := msg.Ref{Message: m, Block: b}
			block := c.At(at)
			if block.Kind != msg.KindToolResult || block.Server ||
				!slices.Contains(p.Clear.KeepTools, in.Pairing.ToolName(c, at)) {
				continue
			}
			if call, ok := in.Pairing.Call(at); ok && call.Message != m {
				hold(at, call)
			}
		}
	}
	if held == nil {
		return in
	}
	kept := *in // the view is shared with other plans
	kept.Kept = held
	return &kept
}
