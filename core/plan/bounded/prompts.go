package bounded

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/summarize"
	"tamp/core/view"
)

// This file shortens the first and the newest prompt of a bounded policy as the last resort.

const (
	minTask   = 400 // tokens that the first and the newest prompt keep at least
	taskShare = 4   // the newest prompt keeps at least this fraction of the target, the first prompt half of that
)

// longTasks returns the edits of the first and the newest prompt if the target would be raised so far that the next
// compaction is near. A prompt that the agent has not answered yet stays whole.
func longTasks(in *view.View, l *choice.Limits) []pass.Decision {
	c, total := in.Conversation, in.Counts.Total
	if l.Manual && !l.Over {
		return nil
	}
	target, limit := l.Convert(l.Target, total), l.Convert(l.Next, total)
	open, first, newest := msg.OpenRound(c), pass.FirstTask(c), pass.NewestPrompt(c)
	immovable, answered := in.Counts.System+in.Counts.Tools, -1
	for m := range c.Messages {
		if c.Messages[m].Role == msg.Assistant {
			answered = m
		}
		if m == first || m == newest || m >= open || view.IsInstruction(&c.Messages[m]) {
			immovable += in.Counts.Messages[m].Tokens
		}
		if m < open {
			continue
		}
		for i, tokens := range in.Counts.Messages[m].Blocks {
			if c.Messages[m].Blocks[i].Kind == msg.KindToolResult { // cutOpenRound cuts it
				immovable -= max(tokens-max(target/maxOpenShare, minCut), 0)
			}
		}
	}
	var out []pass.Decision
	goal := target + (limit-target)/2 // half of the room for the next calls
	tasks := []int{newest, first}
	if first == newest {
		tasks = tasks[:1]
	}
	if immovable+min(minRestTokens, (total-immovable)/2) <= limit {
		return nil
	}
	index := summarize.New(c, nil, nil)
	best := func(text string, maxBytes int) string {
		lines, _, _ := index.BestLines(text, maxBytes)
		return lines
	}
	for i, m := range tasks {
		over := immovable + min(minRestTokens, (total-immovable)/2) - goal
		if m < 0 || m >= answered || over <= 0 {
			continue
		}
		maxTokens := max(in.Counts.Messages[m].Tokens-over, target/taskShare/(i+1), minTask)
		for _, x := range pass.ShortenTask(in, m, maxTokens, view.RefText, best) {
			out = append(out, x)
			immovable -= x.Edit.Tokens - x.Edit.After
			total -= x.Edit.Tokens - x.Edit.After
		}
	}
	return out
}
