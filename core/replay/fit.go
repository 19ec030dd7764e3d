package replay

import (
	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
)

// fit converts our counts of a segment to tokens of the API.
type fit struct {
	hidden int // tokens of each call that the log does not show: system prompt, tools, reminders
	factor int // permille; 0 means 1000
}

// tokens converts a count of a whole prompt.
func (f fit) tokens(count int) int { return f.hidden + f.scale(count) }

// scale converts a count of a part of a prompt.
func (f fit) scale(count int) int {
	if f.factor == 0 {
		return count
	}
	return int((int64(count)*int64(f.factor) + 500) / 1000)
}

// counted returns a limit of requests in our counts.
func (f fit) counted(t *policy.Triggers, limit int) int {
	factor := 1000
	if t.Measure == "counter" && f.factor > 0 {
		factor = f.factor
	}
	return max(int(int64(limit-f.hidden)*1000/int64(factor)), limit/4)
}

// policy returns the policy with its limits in our counts: the window has less room by the hidden tokens. At least a
// quarter of each limit is left.
func (f fit) policy(p *policy.Policy, c *msg.Conversation) policy.Policy {
	q := *p
	if f == (fit{}) {
		return q
	}
	counted := func(limit int) int { return f.counted(&p.Trigger, limit) }
	window := core.Window(p, c)
	q.Trigger.Window = counted(window)
	for _, share := range [...]*int{&q.Trigger.SoftPermille, &q.Trigger.HardPermille, &q.Trigger.TargetPermille} {
		if !p.Trigger.Scale { // else shares are of what is left besides system prompt and tools
			*share = counted(window**share/1000) * 1000 / max(q.Trigger.Window, 1)
		}
	}
	if q.Trigger.Measure == "counter" && q.Trigger.Tokens > 0 {
		q.Trigger.Tokens = counted(q.Trigger.Tokens)
	}
	return q
}
