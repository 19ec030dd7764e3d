package core

import "tamp/core/msg"

// The outcome is checked before it is returned. A plan that passed checkPlan leads to a valid one; that it did is not
// left to reasoning alone, since an invalid request ends a session and is hard to trace back.

// verify refuses, as invalid_outcome, a conversation after that the provider would refuse although it accepted before, which it
// was made of. What is wrong with before already is no reason to refuse. It costs as much as what changed.
func verify(before, after *msg.Conversation) error {
	problems := msg.CheckChange(before, after)
	if msg.BindsThinking(after.Model) {
		for _, p := range msg.CheckAppend(before, after) {
			if p.Rule == msg.A9ThinkingBound {
				problems = append(problems, p)
			}
		}
	}
	if len(problems) == 0 || !msg.Valid(msg.Check(before)) {
		return nil
	}
	return msg.NewError(msg.InvalidOutcome, problems[0].Path, "cannot apply: the provider would refuse the outcome, which is a bug of tamp; "+
		string(problems[0].Rule)+": "+problems[0].Message)
}
