package apply

import (
	"strconv"

	"tamp/core/msg"
)

// The codes of the warnings of an outcome.
const (
	SummaryFailed = "summary_failed"
)

// warn adds the warnings of this Apply.
func (a *applier) warn(out *Outcome) {
	if len(a.broken) == 0 {
		return
	}
	first := &a.broken[0]
	for i := range a.broken {
		out.broken = append(out.broken, a.broken[i].id)
	}
	became := "; the built-in summary, which needs no model, stands in"
	if n := len(a.failed); n > 0 {
		became += ", except for " + strconv.Itoa(n) + " texts in which it finds nothing"
	}
	out.Warnings = append(out.Warnings, msg.Warning{Code: SummaryFailed,
		Path: a.c.Messages[first.region.Spans[0].Start].Path,
		Message: strconv.Itoa(len(a.broken)) + " of " + strconv.Itoa(len(a.plan.Requests)) + " summaries failed: " +
			first.why + became})
}
