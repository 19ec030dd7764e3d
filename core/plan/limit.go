package plan

import (
	"strconv"

	"tamp/core/msg"
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
	return Overflow(left, d.plan.Limit)
}

// Overflow returns the error for a conversation of which so many tokens are left.
func Overflow(left, limit int) error {
	return msg.NewError(msg.ContextOverflow, "", "cannot compact further: start a new session; "+strconv.Itoa(left)+
		" tokens are used, at most "+strconv.Itoa(limit)+" fit, and nothing more can be removed")
}
