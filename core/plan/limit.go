package plan

import (
	"strconv"

	"tamp/core/msg"
	"tamp/core/tokens"
)

// The hard limit: no outcome is larger (docs/algorithms.md, section 5).

// checkLimit returns the error context_overflow if the conversation is over its hard limit even without all regions. A
// plan whose requests wait is not the last one.
func (d *Draft) checkLimit() error {
	left := d.in.Counts.Total
	for i := range d.decisions {
		if e := d.decisions[i].Edit; e != nil {
			left += e.After - e.Tokens
		}
	}
	for i := range d.regions {
		left -= d.regions[i].Tokens
	}
	if d.plan.Limit == 0 || left <= d.plan.Limit || d.waiting {
		return nil
	}
	if t := d.clearTrigger(); t.Kind == "none" && t.WaitsLimit > 0 { // of clear_tool_uses
		field := map[string]string{"tokens": "clear.triggerTokens", "tool_uses": "clear.triggerToolUses"}[t.WaitsFor]
		return overflow(left, d.plan.Limit, "results are cleared only above "+field+", "+strconv.Itoa(t.WaitsLimit)+
			" (now "+strconv.Itoa(t.WaitsUsed)+"): lower it")
	}
	return Overflow(left, d.plan.Limit, &d.in.Counts)
}

// Overflow returns the error for a conversation of which so many tokens are left. before has its tokens before the
// compaction, which changes neither system prompt nor tools.
func Overflow(left, limit int, before *tokens.Counts) error {
	why := "start a new session: nothing more can be removed"
	if fixed := before.System + before.Tools; fixed > 0 {
		why += "; system prompt and tools take " + strconv.Itoa(fixed)
	}
	return overflow(left, limit, why)
}

func overflow(left, limit int, why string) error {
	return msg.NewError(msg.ContextOverflow, "",
		"cannot compact further: "+strconv.Itoa(left)+" tokens are used, at most "+
			strconv.Itoa(limit)+" fit; "+why)
}
