package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/view"
)

// chooseTail keeps the newest messages and the critical ones among the older.
func chooseTail(in *view.View, p *policy.Policy, critical func(int) bool) choice.Selection {
	c := in.Conversation
	cut := pass.SafeCut(in, min(max(len(c.Messages)-2*p.Pin.KeepTurns, 0), msg.OpenRound(c)))
	keep := view.Protected(in)
	currentRequest(in, p, keep)
	return choice.Selection{Regions: choice.OneRegion(in, p, 0, cut, func(m int) bool { return keep[m] || critical(m) })}
}
