package plan

import (
	"tamp/core/policy"
	"tamp/core/view"
)

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

	original *view.View // before all edits: Apply reads the user's words there
}

// convert converts a size from the policy's measure to tokens of the plan's counter, as a share of the whole: the two
// may differ. total is the size of the conversation in tokens. Without a measured size, n is returned.
func (state *triggerState) convert(n, total int) int {
	return InCounter(n, state.used, total)
}

// evaluateTriggers evaluates the triggers of summaries for the conversation after layers 0 and 1. used is its size in
// the policy's measure, saved the number of tokens freed by these layers.
func evaluateTriggers(in *view.View, p *policy.Policy, env *Env, used, saved int) triggerState {
	w := Window(p, in.Conversation)
	t, lowered := p.Trigger.Below(priceOf(env, in.Conversation).Long.Above, w)
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
func windowIn(in *view.View, t *policy.Triggers, env *Env, w, used, saved int) int {
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
