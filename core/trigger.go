package core

import (
	"unicode/utf8"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// Trigger says why a plan does something, or what it waits for.
type Trigger struct {
	// "none", "every_turn" and "tool_uses" (clearing), and of summaries "tokens", "soft", "hard", "overflow", "manual", "task_switch".
	Kind  string `json:"kind"`
	Used  int    `json:"used"`  // the size now, in the trigger's unit
	Limit int    `json:"limit"` // the size that has to be passed; 0 where there is none

	// The limit above which the policy acts next, whatever Kind is: "tool_uses" or "tokens" of clearing that waits for one; else
	// the lowest one of summaries, "soft", "tokens", "hard" or "overflow". Absent if the policy has no such limit.
	WaitsFor   string `json:"waitsFor,omitempty"`
	WaitsUsed  int    `json:"waitsUsed,omitempty"`  // the size now, in the unit of that limit
	WaitsLimit int    `json:"waitsLimit,omitempty"` // the size that has to be passed
}

// waitFor sets the limit that the policy waits for: that of clearing, if clearing waits for one, else that of summaries.
func (t *Trigger) waitFor(clearing, summaries Trigger) {
	next := clearing
	if next.WaitsFor == "" {
		next = summaries
	}
	t.WaitsFor, t.WaitsUsed, t.WaitsLimit = next.WaitsFor, next.WaitsUsed, next.WaitsLimit
}

// pressure is how full the context is, and how far it should come down.
type pressure struct {
	trigger Trigger // of summaries; "none" where none is due
	next    Trigger // WaitsFor and its two numbers: the lowest limit of summaries; zero if there is none
	used    int     // in tokens of the policy's measure
	target  int     // in the same unit; at most used
	hard    int     // what must not be passed; 0 = no such limit
}

// window is the context window of a policy: its own, or its model's.
func window(p *Policy, c *msg.Conversation) int {
	if p.Trigger.Window > 0 {
		return p.Trigger.Window
	}
	return tokens.WindowOf(c.Model)
}

// press evaluates the triggers of summaries against the conversation as layers 0 and 1 leave it. used is its measure.
func press(in *pass.Input, p *Policy, env Env, used int) pressure {
	t, w := &p.Trigger, window(p, in.Conversation)
	q := pressure{used: used, hard: w - t.ReserveOutput}
	if t.HardPermille > 0 {
		q.hard = w*t.HardPermille/1000 - t.BufferTokens
	}
	fire := func(kind string, limit int) {
		if q.trigger.Kind == "" && limit > 0 && q.used > limit {
			q.trigger = Trigger{Kind: kind, Used: q.used, Limit: limit}
		}
	}
	if env.Force {
		q.trigger = Trigger{Kind: "manual", Used: q.used}
	}
	if t.HardPermille > 0 {
		fire("hard", q.hard)
	}
	if t.ReserveOutput > 0 {
		fire("overflow", w-t.ReserveOutput)
	}
	fire("soft", w*t.SoftPermille/1000)
	fire("tokens", t.Tokens)
	if t.TaskSwitch && q.trigger.Kind == "" {
		if shared, of := taskOverlap(in.Conversation); of > 0 && shared*10 <= of {
			q.trigger = Trigger{Kind: "task_switch", Used: shared, Limit: of}
		}
	}
	soft, overflow := w*t.SoftPermille/1000, limitOf(t.ReserveOutput > 0, w-t.ReserveOutput)
	hard := limitOf(t.HardPermille > 0, q.hard)
	if limit := lowest(soft, t.Tokens, hard, overflow); limit > 0 {
		q.next = Trigger{WaitsFor: "overflow", WaitsUsed: q.used, WaitsLimit: limit}
		switch limit {
		case soft:
			q.next.WaitsFor = "soft"
		case t.Tokens:
			q.next.WaitsFor = "tokens"
		case hard:
			q.next.WaitsFor = "hard"
		}
	}
	if q.trigger.Kind == "" {
		q.trigger = Trigger{Kind: "none", Used: q.used, Limit: q.next.WaitsLimit}
	}
	q.target = q.goal(t, w)
	return q
}

// goal is how far the size should come down.
func (q *pressure) goal(t *Triggers, w int) int {
	target := lowest(w*t.TargetPermille/1000, limitOf(t.TargetPermille == 0, lowest(w*t.SoftPermille/1000, t.Tokens)))
	if target == 0 {
		target = q.hard
	}
	if t.Tokens > 0 && t.SoftPermille > 0 && t.TargetPermille > 0 {
		target = min(target, t.Tokens*t.TargetPermille/t.SoftPermille)
	}
	if q.hard > 0 {
		target = min(target, q.hard)
	}
	return min(target, q.used)
}

// measure counts the conversation by the trigger's rule. saved is what layers 0 and 1 freed.
func measure(in *pass.Input, rule string, env Env, saved int) int {
	switch rule {
	case "chars4_json":
		return utf8.RuneCountInString(summarize.JSON(in.Conversation.Messages)) / 4
	case "chars3":
		return tokens.NewMeter(tokens.Chars3, in.Conversation).Conversation(in.Conversation).Total
	}
	if env.Usage == nil {
		return ownMeasure(in, saved)
	}
	if env.Usage.Prompt() == 0 { // a usage without a prompt is that of no call
		return in.Counts.Total
	}
	c := in.Conversation
	used := env.Usage.Prompt() + env.Usage.Output - saved
	for m := len(c.Messages) - 1; m >= 0 && c.Messages[m].Role != msg.Assistant; m-- {
		used += in.Counts.Messages[m].Tokens
	}
	return used
}

// ownMeasure goes by the usage that the messages carry, as a log's do: it knows of a system prompt and of tools that the log does not
// hold. Where there is none that can be believed, it is the count.
func ownMeasure(in *pass.Input, saved int) int {
	if in.Track.Usage == nil {
		return in.Counts.Total
	}
	after := 0
	for m := in.Track.At + 1; m < len(in.Counts.Messages); m++ {
		after += in.Counts.Messages[m].Tokens
	}
	covered := in.Counts.Total + saved - after
	if !in.Track.Covers(covered) {
		return in.Counts.Total
	}
	return in.Track.Usage.Prompt() + in.Track.Usage.Output + after - saved
}

// lowest is the smallest of the limits that are set.
func lowest(limits ...int) int {
	low := 0
	for _, l := range limits {
		if l > 0 && (low == 0 || l < low) {
			low = l
		}
	}
	return low
}

func limitOf(set bool, limit int) int {
	if set {
		return limit
	}
	return 0
}

// taskOverlap compares the newest prompt with all prompts and answers before it: how many of its words (of four letters
// or more) were used there, of how many. (0, 0) where there is nothing to compare.
func taskOverlap(c *msg.Conversation) (shared, of int) {
	last := len(c.Messages) - 1
	if last < 1 || !c.Messages[last].IsPrompt() {
		return 0, 0
	}
	before := map[string]bool{}
	for m := range c.Messages[:last] {
		for b := range c.Messages[m].Blocks {
			if block := &c.Messages[m].Blocks[b]; block.Kind == msg.KindText && !block.IsInjected() {
				eachWord(block.Text, func(w string) { before[w] = true })
			}
		}
	}
	seen := map[string]bool{}
	for b := range c.Messages[last].Blocks {
		if block := &c.Messages[last].Blocks[b]; block.Kind == msg.KindText && !block.IsInjected() {
			eachWord(block.Text, func(w string) {
				if !seen[w] {
					seen[w] = true
					of++
					if before[w] {
						shared++
					}
				}
			})
		}
	}
	if of < 5 { // "go on" and "yes please" are no new task
		return 0, 0
	}
	return shared, of
}
