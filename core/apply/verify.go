package apply

import (
	"slices"

	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/validity"
	"tamp/core/view"
)

// The outcome is checked before it is returned. A plan that passed checkPlan should give a valid outcome. The check
// verifies it, because an invalid request ends a session and its cause is hard to find.

// verify returns the first rule that only the outcome after breaks, or "". It was made from before with the origin of
// each message (view.Rewrite.Origin). It takes time proportional to the change. If before is valid and after is not,
// the error is invalid_outcome. Both are compared by all their errors, without the limit of validity.Check. Thinking
// that the provider is asked to drop breaks no rule.
func verify(before, after *msg.Conversation, origin []int, thinking string) (validity.Rule, error) {
	problems, bound := validity.CheckChange(before, after.Messages, origin), []validity.Problem(nil)
	if validity.BindsThinking(after) && thinking != plan.DropBlock {
		for _, p := range validity.CheckAppend(before, after) {
			if p.Rule == validity.A9ThinkingBound {
				bound = append(bound, p)
			}
		}
	}
	if problems = append(problems, bound...); len(problems) == 0 {
		return "", nil
	}
	broken := validity.BrokenRules(before)
	if len(broken) == 0 {
		return problems[0].Rule, msg.NewError(msg.InvalidOutcome, problems[0].Path,
			"cannot apply: the provider would refuse the outcome, which is a bug of tamp; "+
				string(problems[0].Rule)+": "+problems[0].Message)
	}
	rules := validity.BrokenRules(after)
	for _, p := range bound {
		rules = append(rules, p.Rule)
	}
	for _, rule := range rules {
		if !slices.Contains(broken, rule) {
			return rule, nil
		}
	}
	return "", nil
}

// refused returns the reason why the outcome is the conversation without changes; "" if there is none. Messages between
// summaries and system messages may take more than a small region frees; and a change that breaks another rule in a
// conversation that is invalid already may succeed once that is repaired.
func (a *applier) refused(saved int, rule validity.Rule) string {
	switch {
	case rule != "" && a.isChosen():
		return "without the chosen blocks the conversation would break a rule (" + string(rule) + ")"
	case rule != "":
		return "the conversation is invalid, and the change would break another rule (" + string(rule) + "): repair it first"
	case saved < 0 && !a.drops:
		return "the changed conversation would have more tokens"
	}
	return ""
}

// unchangedOutcome returns the outcome without changes.
func (a *applier) unchangedOutcome(m *view.Record, reason string) *Outcome {
	return &Outcome{Conversation: a.c, State: m.Encode(), Before: a.before.Total, After: a.before.Total,
		Actions: []plan.Action{{Kind: "none", Before: a.before.Total, After: a.before.Total, Reason: reason}}}
}
