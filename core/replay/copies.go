package replay

// CallBill is what one call cost. Forks, resumed sessions and copies of a log repeat calls: a sum over several logs
// counts those with one ID once.
type CallBill struct {
	ID        string      `json:"id"`
	Kind      string      `json:"kind,omitempty"` // "subagent", or "branch" that the user left; "" in the conversation
	Time      int         `json:"time,omitempty"` // of a call that is replayed, in milliseconds since 1970; 0: unknown
	Cost      int         `json:"cost"`
	Compacted int         `json:"compacted"` // under the policy, as in Audited; Cost for a call that is not replayed
	Over      bool        `json:"overWindow,omitempty"`
	Breaks    []CallBreak `json:"breaks,omitempty"`
}

// Apart sums calls that are in no total.
type Apart struct {
	Calls int `json:"calls"`
	Cost  int `json:"cost"`
}

func (a *Apart) addCost(cost int) {
	a.Calls++
	a.Cost += cost
}

// addBills lists the calls of a replay without compaction and one with it, and sums those that are not replayed.
func (a *Used) addBills(log *replayer, with *Report) {
	base := log.report
	a.Bills = make([]CallBill, 0, len(base.Calls))
	for i := range log.segments {
		for _, id := range log.segments[i].ids {
			n := len(a.Bills)
			if n >= min(len(base.Calls), len(with.Calls)) { // Options.Progress has ended one
				break
			}
			call := &base.Calls[n]
			a.Bills = append(a.Bills, CallBill{ID: id, Time: call.Time, Cost: call.Cost,
				Compacted: with.Calls[n].Cost + with.Calls[n].ReadCost, Over: call.Sent > base.Window, Breaks: call.Breaks})
		}
	}
	if base.Others == nil {
		return
	}
	for t := range base.Others.Tracks {
		track, kind, sum := &base.Others.Tracks[t], "branch", &a.Branches
		if track.Subagent {
			kind, sum = "subagent", &a.Subagents
		}
		for k, call := range track.Calls {
			sum.addCost(call.Cost)
			a.Bills = append(a.Bills, CallBill{ID: log.tracks[t][k], Kind: kind, Cost: call.Cost, Compacted: call.Cost})
		}
	}
}
