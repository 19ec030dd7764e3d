package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/view"
)

// currentRequest marks the newest prompt as kept if the agent is working on it: it stays a message of its own. A prompt
// that is answered, or that takes a quarter of the limit or more, is part of the summary, which has its beginning and
// its end.
func currentRequest(in *view.View, p *policy.Policy, keep []bool) {
	c := in.Conversation
	if n := len(c.Messages); n == 0 || c.Messages[n-1].Role == msg.Assistant && msg.OpenRound(c) == n {
		return
	}
	limit := lowest(Window(p, c), p.Trigger.Tokens)
	if m := pass.NewestPrompt(c); m >= 0 && in.Counts.Messages[m].Tokens < limit/4 {
		keep[m] = true
	}
}
