package replay

import (
	"tamp/core/format"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
)

// Used is what the calls of a session cost. Costs are in millionths of a dollar.
type Used struct {
	Format    string `json:"format"`            // of the agent's log
	Model     string `json:"model"`             // "" if unknown
	Priced    bool   `json:"priced"`            // the model's price is known; else it is that of a mid-range model
	Project   string `json:"project,omitempty"` // the working directory in the log
	Start     int    `json:"start,omitempty"`   // of the first call, in milliseconds since 1970; 0 without timestamps
	End       int    `json:"end,omitempty"`     // of the last call
	Calls     int    `json:"calls"`
	Subagents Apart  `json:"subagents"` // calls of subagents in the log, in no other member
	Branches  Apart  `json:"branches"`  // calls on branches that the user left, likewise
	Cost      int    `json:"cost"`      // without compaction
	// every call, also those that are apart, for a sum over several logs
	Bills []CallBill `json:"bills"`
	// the session of Codex, and those that it was forked from: only their calls can be the same
	Session    string   `json:"session,omitempty"`
	ForkedFrom []string `json:"forkedFrom,omitempty"`
	// as in Report
	Multipliers []models.Multiplier `json:"multipliers,omitempty"`
}

// Usage returns what the calls of the session c cost: the members of Audit that need no policy, without a simulation.
// If the log has the usage of all its calls, no token is counted, and it takes as long as parsing. Options other than
// those of prices are ignored. The errors are those of Replay.
func Usage(c *msg.Conversation, o Options) (*Used, error) {
	if u, err := Billed(c, o); u != nil || err != nil {
		return u, err
	}
	w, err := replayed(c, policy.Policy{}, o.ofUsage())
	if err != nil {
		return nil, err
	}
	u := w.used(c, w.report)
	for i := range u.Bills {
		u.Bills[i].Breaks = nil
	}
	return u, nil
}

// Billed is Usage of a log that has the usage of all its calls; nil for another one. It needs no texts: c can be a
// format.Outline.
func Billed(c *msg.Conversation, o Options) (*Used, error) {
	o = o.ofUsage()
	if err := o.validate(); err != nil {
		return nil, err
	}
	w := &replayer{sessionLog: readLog(c, ""), o: &o}
	if !w.hasAllUsage() {
		return nil, nil
	}
	if err := w.setPrices(); err != nil {
		return nil, err
	}
	w.addUsage()
	return w.used(c, w.report), nil
}

// ofUsage returns the options that Usage does not ignore.
func (o Options) ofUsage() Options {
	return Options{None: true, Count: o.Count, Prices: o.Prices, Multipliers: o.Multipliers, Progress: o.Progress,
		MaxWork: o.MaxWork}
}

// hasAllUsage reports a log whose calls are all billed by their usage.
func (l *sessionLog) hasAllUsage() bool {
	for i := range l.segments {
		for _, m := range l.segments[i].answers {
			if u := l.segments[i].usage[m]; u == nil || u.Prompt() == 0 {
				return false
			}
		}
	}
	return true
}

// addUsage adds the calls of the log to the report, by their usage.
func (w *replayer) addUsage() {
	for i := range w.segments {
		w.segment = &w.segments[i]
		for _, m := range w.answers {
			call := Call{Number: len(w.report.Calls) + 1, Message: m}
			w.clock.tick(&call, w.c.Messages, 0)
			u := w.usage[m]
			b := billOf(u)
			call.Sent = b.sent()
			call.Cost = w.spent(m, w.prices.ofCall(w.modelOf(m), u), b, u, u.Output)
			w.report.Calls = append(w.report.Calls, call)
			w.report.Totals.addCall(&call, w.report.Window)
		}
	}
	w.report.Others = sumOthers(w)
}

// used returns what the calls of the session c cost, of which w is the replay without compaction and with the report of
// another one.
func (w *replayer) used(c *msg.Conversation, with *Report) *Used {
	base := w.report
	u := &Used{Format: c.Format, Model: base.Model, Priced: base.Priced, Calls: base.Totals.Calls, Cost: base.Totals.Cost,
		Multipliers: base.Multipliers}
	for i := range c.Messages {
		if u.Project = c.Messages[i].Raw.Member("cwd").Text(); u.Project != "" {
			break
		}
	}
	for i := range base.Calls {
		if at := base.Calls[i].Time; at > 0 {
			u.End = max(u.End, at)
			if u.Start == 0 {
				u.Start = at
			}
		}
	}
	u.Priced = u.Priced || w.hasOwnCosts()
	u.addBills(w, with)
	u.Session, u.ForkedFrom = format.SessionOf(c)
	return u
}

// hasOwnCosts reports a log that says what each of its calls cost.
func (w *replayer) hasOwnCosts() bool {
	for i := range w.segments {
		s := &w.segments[i]
		for _, m := range s.answers {
			if w.ownCost(&s.c.Messages[m]) <= 0 {
				return false
			}
		}
	}
	return w.calls > 0
}
