package core

import "tamp/core/msg"

// The outcome is checked before it is returned. A plan that passed checkPlan should give a valid outcome. The check
// verifies it, because an invalid request ends a session and its cause is hard to find.

// verify checks the outcome after, made from before, in time proportional to the change. If before is valid and after
// is not, the error is invalid_outcome. If before is invalid, its own problems are ignored; the result is the first
// rule that only after breaks, or "".
func verify(before, after *msg.Conversation) (msg.Rule, error) {
	problems := msg.CheckChange(before, after)
	if msg.BindsThinking(after.Model) {
		for _, p := range msg.CheckAppend(before, after) {
			if p.Rule == msg.A9ThinkingBound {
				problems = append(problems, p)
			}
		}
	}
	if len(problems) == 0 {
		return "", nil
	}
	was := msg.Check(before)
	if msg.Valid(was) {
		return "", msg.NewError(msg.InvalidOutcome, problems[0].Path, "cannot apply: the provider would refuse the outcome, which is a bug of tamp; "+
			string(problems[0].Rule)+": "+problems[0].Message)
	}
	broken := map[msg.Rule]bool{}
	for _, p := range was {
		broken[p.Rule] = broken[p.Rule] || p.Severity == msg.SeverityError
	}
	for _, p := range problems {
		if !broken[p.Rule] {
			return p.Rule, nil
		}
	}
	return "", nil
}

// unchangedOutcome returns the outcome without changes. It is used if the change would break another rule in a
// conversation that is already invalid. The next plan may succeed when the conversation is repaired.
func (a *applier) unchangedOutcome(m memory, rule msg.Rule) *Outcome {
	return &Outcome{Conversation: a.c, State: m.encode(), Before: a.before.Total, After: a.before.Total, Actions: []Action{{Kind: "none",
		Before: a.before.Total, After: a.before.Total, Reason: "the conversation is invalid, and the change would break another rule (" +
			string(rule) + "): repair it first"}}}
}
