package apply

import (
	"strconv"

	"tamp/core/msg"
	"tamp/core/plan/choice"
)

// The codes of the warnings of an outcome.
const (
	SummaryFailed = "summary_failed" // answers were no summaries, and the built-in one is used instead
	OpenRoundCut  = "open_round_cut" // results that the model has not read are cut
	WordsCut      = choice.WordsCut  // not all of the user's words fit
)

// warn adds the warnings of this Apply.
func (a *applier) warn(out *Outcome) {
	a.warnAboutOpenRound(out)
	for _, w := range a.plan.Warnings {
		if w.Code == WordsCut && out.Conversation != a.c {
			out.Warnings = append(out.Warnings, w)
		}
	}
	if len(a.broken) == 0 {
		return
	}
	first := &a.broken[0]
	for i := range a.broken {
		out.broken = append(out.broken, a.broken[i].id)
	}
	became := "; the built-in summary, which needs no model, is used instead"
	if n := len(a.failed); n > 0 {
		became += ", except for " + strconv.Itoa(n) + " texts in which it finds nothing"
	}
	out.Warnings = append(out.Warnings, msg.Warning{Code: SummaryFailed,
		Path: a.c.Messages[first.region.Spans[0].Start].Path,
		Message: strconv.Itoa(len(a.broken)) + " of " + strconv.Itoa(len(a.plan.Requests)) + " summaries failed: " +
			first.why + became})
}

// warnAboutOpenRound adds the warning about results that the model gets cut, before it has read them.
func (a *applier) warnAboutOpenRound(out *Outcome) {
	n, open := a.openCut, msg.OpenRound(a.plannedOf(a.c))
	for i := range a.plan.Edits {
		e := &a.plan.Edits[i]
		if e.Message >= open && a.c.At(e.Ref()).Kind == msg.KindToolResult && a.w.Edits[e.Ref()] != nil {
			n++
		}
	}
	if n > 0 && out.Conversation != a.c && open < a.plan.Length {
		out.Warnings = append(out.Warnings, msg.Warning{Code: OpenRoundCut, Path: a.c.Messages[open].Path,
			Message: "results that the model has not read are cut (" + strconv.Itoa(n) + "): with them whole, the " +
				"conversation is over its hard limit, or an output over the limit of the policy; the archive has the originals"})
	}
}
