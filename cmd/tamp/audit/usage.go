package audit

import (
	"tamp/core/models"
	"tamp/core/replay"
)

// Usage is what the calls of all sessions cost, in millionths of a dollar.
type Usage struct {
	Sessions    int                 `json:"sessions"`
	Calls       int                 `json:"calls"`
	Cost        int                 `json:"cost"`
	Copies      int                 `json:"copies"`    // calls of forks and copies, which count once
	Subagents   replay.Apart        `json:"subagents"` // in no other sum
	Branches    replay.Apart        `json:"branches"`  // that the users left, likewise
	Priced      bool                `json:"priced"`    // the prices of all models are known
	Multipliers []models.Multiplier `json:"multipliers,omitempty"`
	Periods     UsedPeriods         `json:"periods"`
	Projects    []Sum               `json:"projects"`
	Others
}

// UsedPeriods are Periods without what compaction would have saved.
type UsedPeriods struct {
	Daily  []Sum `json:"daily"`
	Weekly []Sum `json:"weekly"`
	Blocks []Sum `json:"blocks"`
}

// SumUp sums the usage of sessions up, as Rank does.
func SumUp(all []UsedFile, o Others) *Usage {
	s := sumUp(used(all), o)
	p := &s.periods
	return &Usage{len(s.sessions), s.calls, s.cost, s.copies, s.subagents, s.branches, s.priced, s.multipliers,
		UsedPeriods{withoutSaved(p.Daily), withoutSaved(p.Weekly), withoutSaved(p.Blocks)}, withoutSaved(s.projects),
		s.others}
}

// UsageReport writes what SumUp returns as text.
func UsageReport(all []UsedFile, o Others, v View) string {
	w := &writer{s: sumUp(used(all), o), View: v}
	if w.begin("@, @, @.") {
		if !w.s.priced {
			w.line("The price of a model is not known; assumed is that of a mid-range model.")
		}
		w.factors()
		w.totals("      cost  calls  @", false)
	}
	return w.text()
}

func used(all []UsedFile) []session {
	sessions := make([]session, len(all))
	for i := range all {
		sessions[i] = session{file: all[i].File, used: &all[i].Used}
	}
	return sessions
}

func withoutSaved(all []Total) []Sum {
	out := []Sum{}
	for i := range all {
		out = append(out, all[i].Sum)
	}
	return out
}
