package core

import (
	"tamp/core/internal/pass"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/provenance"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// Trigger is the condition that made a plan act, or the limit that it waits for.
type Trigger struct {
	// Of clearing: "none", "every_turn", "tool_uses", "economic"; of summaries: "none", "tokens", "soft", "hard",
	// "overflow", "long_prompts" (just below the length from which the vendor charges more for the whole of a request),
	// "manual", "task_switch". Of "economic" Used and Limit are Advice.Rent and Advice.Cost: clearing pays.
	Kind  string `json:"kind"`
	Used  int    `json:"used"`  // the size now, in the trigger's unit
	Limit int    `json:"limit"` // the plan acts above this size; 0 = no limit

	// The limit above which the policy acts next, for any Kind: of clearing, if it waits for a limit ("tool_uses",
	// "tokens"); else the lowest limit of summaries ("soft", "tokens", "long_prompts", "hard", "overflow"). Absent if the
	// policy has no such limit.
	WaitsFor   string `json:"waitsFor,omitempty"`
	WaitsUsed  int    `json:"waitsUsed,omitempty"`  // the size now, in the unit of that limit
	WaitsLimit int    `json:"waitsLimit,omitempty"` // the policy acts above this size
}

// waitFor sets the limit that the policy waits for: the limit of clearing if it has one, else the limit of summaries.
func (t *Trigger) waitFor(clearing, summaries Trigger) {
	next := clearing
	if next.WaitsFor == "" {
		next = summaries
	}
	t.WaitsFor, t.WaitsUsed, t.WaitsLimit = next.WaitsFor, next.WaitsUsed, next.WaitsLimit
}

// triggerState is the size of the context, the trigger that fired, and the target of the compaction.
type triggerState struct {
	trigger Trigger // of summaries; "none" if none is due
	next    Trigger // WaitsFor and its two numbers: the lowest limit of summaries; zero if there is none
	used    int     // in tokens of the policy's measure
	target  int     // in the same unit; <= used
	goal    int     // target of the policy, which may be more than used
	hard    int     // hard limit, in the same unit: that of the policy, at most the window
	over    bool    // the conversation is over it
	minGain int     // tokens that a compaction before the hard limit must free
	freed   int     // tokens of the plan's counter that shortened prompts free
}

// convert converts a size from the policy's measure to tokens of the plan's counter, as a share of the whole: the two
// may differ. total is the size of the conversation in tokens. Without a measured size, n is returned.
func (state *triggerState) convert(n, total int) int {
	return limitOf(n, state.used, total)
}

// Window returns the context window in tokens: the policy's, else the model's.
func Window(p *policy.Policy, c *msg.Conversation) int {
	if p.Trigger.Window > 0 {
		return p.Trigger.Window
	}
	return models.WindowOf(c.Model)
}

// evaluateTriggers evaluates the triggers of summaries for the conversation after layers 0 and 1. used is its size in
// the policy's measure, saved the number of tokens freed by these layers.
func evaluateTriggers(in *pass.Input, p *policy.Policy, env Env, used, saved int) triggerState {
	w := Window(p, in.Conversation)
	t, lowered := p.Trigger.Below(env.price(in.Conversation).Long.Above, w)
	limits := t.LimitsFor(w, in.Counts.System+in.Counts.Tools)
	state := triggerState{used: used, hard: lowest(limits.Hard, windowIn(in, &t, env, w, used, saved)),
		minGain: int(int64(lowest(w, t.Tokens)) * int64(t.MinGainPermille) / 1000)}
	state.over = used > state.hard
	fire := func(kind string, limit int) {
		if state.trigger.Kind == "" && limit > 0 && state.used > limit {
			state.trigger = Trigger{Kind: kind, Used: state.used, Limit: limit}
		}
	}
	if env.Force {
		state.trigger = Trigger{Kind: "manual", Used: state.used}
	}
	if t.HardPermille > 0 {
		fire("hard", limits.Hard)
	}
	if t.ReserveOutput > 0 {
		fire("overflow", w-t.ReserveOutput)
	}
	fire("soft", limits.Soft)
	tokensKind := "tokens"
	if lowered {
		tokensKind = "long_prompts"
	}
	fire(tokensKind, t.Tokens)
	fire("overflow", state.hard)
	if t.TaskSwitch && state.trigger.Kind == "" {
		if shared, total := taskOverlap(in.Conversation); total > 0 && shared*10 <= total {
			state.trigger = Trigger{Kind: "task_switch", Used: shared, Limit: total}
		}
	}
	soft, overflow := limits.Soft, limitIf(t.ReserveOutput > 0, w-t.ReserveOutput)
	hard := limitIf(t.HardPermille > 0, limits.Hard)
	if limit := lowest(soft, t.Tokens, hard, overflow); limit > 0 {
		state.next = Trigger{WaitsFor: "overflow", WaitsUsed: state.used, WaitsLimit: limit}
		switch limit {
		case soft:
			state.next.WaitsFor = "soft"
		case t.Tokens:
			state.next.WaitsFor = tokensKind
		case hard:
			state.next.WaitsFor = "hard"
		}
	}
	if state.trigger.Kind == "" {
		state.trigger = Trigger{Kind: "none", Used: state.used, Limit: state.next.WaitsLimit}
	}
	state.target = state.computeTarget(&t, &limits)
	return state
}

// windowIn returns the window of w tokens in the policy's measure: the provider counts tokens, not characters.
func windowIn(in *pass.Input, t *policy.Triggers, env Env, w, used, saved int) int {
	if t.Measure == "counter" || used == 0 {
		return w
	}
	return int(int64(w) * int64(used) / int64(max(measure(in, "counter", env, saved), 1)))
}

// computeTarget returns the size that the compaction should reach, in the policy's measure.
func (state *triggerState) computeTarget(t *policy.Triggers, limits *policy.Limits) int {
	target := lowest(limits.Target, limitIf(t.TargetPermille == 0, lowest(limits.Soft, t.Tokens)))
	if target == 0 {
		target = state.hard
	}
	if t.Tokens > 0 && t.SoftPermille > 0 && t.TargetPermille > 0 {
		target = min(target, t.Tokens*t.TargetPermille/t.SoftPermille)
	}
	target = min(target, state.hard)
	state.goal = target
	return min(target, state.used)
}

// jsonLength returns the size by the rule chars4_json, in code points. Images and documents have the size of their
// tokens: their data is not text.
func jsonLength(meter tokens.Meter, format string, messages []msg.Message) int {
	n := summarize.JSONLength(format, messages)
	for m := range messages {
		for b := range messages[m].Blocks {
			block := &messages[m].Blocks[b]
			if block.Kind == msg.KindImage || block.Kind == msg.KindDocument {
				n += 4 * meter.Block(block)
			}
			for i := range block.Parts {
				if part := &block.Parts[i]; part.Kind == msg.KindImage || part.Kind == msg.KindDocument {
					n += 4 * meter.Block(part)
				}
			}
		}
	}
	return n
}

// measure returns the size of the conversation by the trigger's rule. saved is the number of tokens freed by layers 0
// and 1.
func measure(in *pass.Input, rule string, env Env, saved int) int {
	switch rule {
	case "chars4_json":
		return jsonLength(in.Meter, in.Conversation.Format, in.Conversation.Messages) / 4
	case "chars3":
		return tokens.NewMeter(tokens.Chars3, in.Conversation).Conversation(in.Conversation).Total
	}
	if env.Usage == nil {
		return usageFromMessages(in, saved)
	}
	if env.Usage.Prompt() == 0 { // a real call has a prompt: ignore this usage
		return in.Counts.Total
	}
	c := in.Conversation
	used := env.Usage.Prompt() + env.Usage.Output - saved
	for m := len(c.Messages) - 1; m >= 0 && c.Messages[m].Role != msg.Assistant; m-- {
		used += in.Counts.Messages[m].Tokens
	}
	return used
}

// usageFromMessages returns the size by the API's usage on the messages, as in a log. That usage includes a system
// prompt and tools that are missing in the log. Without plausible usage, the size is the count.
func usageFromMessages(in *pass.Input, saved int) int {
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

// lowest returns the smallest positive limit; 0 if there is none.
func lowest(limits ...int) int {
	low := 0
	for _, l := range limits {
		if l > 0 && (low == 0 || l < low) {
			low = l
		}
	}
	return low
}

func limitIf(set bool, limit int) int {
	if set {
		return limit
	}
	return 0
}

// taskOverlap compares the newest prompt with all prompts and answers before it. total is the number of distinct words
// of at least four letters in the prompt, shared the number of those that occur before. (0, 0) if there is nothing to
// compare.
func taskOverlap(c *msg.Conversation) (shared, total int) {
	last := len(c.Messages) - 1
	if last < 1 || !provenance.IsPrompt(&c.Messages[last]) {
		return 0, 0
	}
	left := map[string]bool{} // the words of the prompt; false: found before it
	each := func(span msg.Span, f func(w string)) {
		for it := c.WalkIn(span); it.Next(); {
			if it.Block.Kind == msg.KindText && !provenance.IsInjected(&c.Messages[it.Ref.Message], it.Ref.Block) {
				eachWord(it.Block.Text, f)
			}
		}
	}
	each(msg.Span{Start: last, End: last + 1}, func(w string) { left[w] = true })
	if len(left) < 5 { // "go on" and "yes please" do not start a new task
		return 0, 0
	}
	each(msg.Span{End: last}, func(w string) {
		if left[w] {
			left[w] = false
			shared++
		}
	})
	return shared, len(left)
}

// clearTrigger returns the condition under which layer 1 acts.
func (d *draftPlan) clearTrigger() Trigger {
	kind, used, limit := d.p.Clear.Trigger(d.in)
	t := newClearTrigger(kind, used, limit, d.in.Counts.Total)
	if d.env.Force {
		t.Kind, t.Used, t.Limit = "manual", d.in.Counts.Total, 0
	}
	return t
}

// newClearTrigger returns the trigger of layer 1. kind is "" for policies that clear in every turn; total is the size
// now, in tokens.
func newClearTrigger(kind string, used, limit, total int) Trigger {
	if kind == "" {
		return Trigger{Kind: "every_turn", Used: total}
	}
	t := Trigger{Kind: kind, Used: used, Limit: limit, WaitsFor: kind, WaitsUsed: used, WaitsLimit: limit}
	if used <= limit {
		t.Kind = "none"
	}
	return t
}
