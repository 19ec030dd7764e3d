package plan

import (
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/view"
)

// triggerState is the trigger that fired, and the limits of the compaction.
type triggerState struct {
	choice.Limits
	trigger Trigger // of summaries; "none" if none is due
	next    Trigger // WaitsFor and its two numbers: the lowest limit of summaries; zero if there is none
}

// evaluateTriggers evaluates the triggers of summaries for the conversation after layers 0 and 1. used is its size in
// the policy's measure, saved the number of tokens freed by these layers.
func evaluateTriggers(in *view.View, p *policy.Policy, env *Env, used, saved int) triggerState {
	w := Window(p, in.Conversation)
	t, lowered := p.Trigger.Below(priceOf(env, in.Conversation).Long.Above, w)
	limits := t.LimitsFor(w, in.Counts.System+in.Counts.Tools)
	state := triggerState{Limits: choice.Limits{Used: used, Manual: env.Force, Window: w,
		Hard:    lowest(limits.Hard, windowIn(in, &t, env, w, used, saved)),
		MinGain: int(int64(lowest(w, t.Tokens)) * int64(t.MinGainPermille) / 1000)}}
	state.Over = used > state.Hard
	fire := func(kind string, limit int) {
		if state.trigger.Kind == "" && limit > 0 && state.Used > limit {
			state.trigger = Trigger{Kind: kind, Used: state.Used, Limit: limit}
		}
	}
	if env.Force {
		state.trigger = Trigger{Kind: "manual", Used: state.Used}
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
	fire("overflow", state.Hard)
	if t.TaskSwitch && state.trigger.Kind == "" {
		if shared, total := taskOverlap(in.Conversation); total > 0 && shared*10 <= total {
			state.trigger = Trigger{Kind: "task_switch", Used: shared, Limit: total}
		}
	}
	soft, overflow := limits.Soft, limitIf(t.ReserveOutput > 0, w-t.ReserveOutput)
	hard := limitIf(t.HardPermille > 0, limits.Hard)
	if limit := lowest(soft, t.Tokens, hard, overflow); limit > 0 {
		state.Next, state.next = limit, Trigger{WaitsFor: "overflow", WaitsUsed: state.Used, WaitsLimit: limit}
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
		state.trigger = Trigger{Kind: "none", Used: state.Used, Limit: state.next.WaitsLimit}
	}
	state.Target = state.computeTarget(&t, &limits)
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
		target = state.Hard
	}
	if t.Tokens > 0 && t.SoftPermille > 0 && t.TargetPermille > 0 {
		target = min(target, t.Tokens*t.TargetPermille/t.SoftPermille)
	}
	target = min(target, state.Hard)
	state.Goal = target
	return min(target, state.Used)
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
