package audit

import (
	"slices"
	"sort"

	"tamp/core/models"
	"tamp/core/replay"
)

// sums are what Rank and SumUp have in common.
type sums struct {
	sessions            []session // each call in one of them
	calls, cost, copies int
	subagents, branches replay.Apart
	priced              bool
	multipliers         []models.Multiplier
	periods             Periods
	days, projects      []Total
	others              Others
}

// sumUp sums sessions up.
func sumUp(all []session, o Others) *sums {
	s := &sums{priced: true}
	s.others.Unread, s.others.Skipped = append([]Unread{}, o.Unread...), append([]Unread{}, o.Skipped...)
	for _, one := range all {
		if one.used.Calls > 0 {
			s.sessions = append(s.sessions, one)
			s.priced = s.priced && one.used.Priced
		} else {
			s.others.Unread = append(s.others.Unread, Unread{one.file, "the conversation has no model call"})
		}
	}
	for _, list := range [...][]Unread{s.others.Unread, s.others.Skipped} {
		sort.SliceStable(list, func(i, j int) bool { return list[i].File < list[j].File })
	}
	s.addMultipliers()
	calls := withoutCopies(s.sessions)
	blocks := namesOfBlocks(calls)
	day := func(i int) string { return nameOfDay(calls[i].time) }
	week := func(i int) string { return nameOfWeek(calls[i].time) }
	s.periods = Periods{totalsBy(calls, day).sorted(), totalsBy(calls, week).sorted(),
		totalsBy(calls, func(i int) string { return blocks[i] }).sorted()}
	days := func(i int) string { return nameOfDay(s.sessions[calls[i].session].used.Start) }
	projects := func(i int) string { return projectOf(s.sessions[calls[i].session].used) }
	firsts, names := totalsBy(calls, days), totalsBy(calls, projects)
	for i := range s.sessions {
		one := &s.sessions[i]
		own := sumOf(one.own, "")
		if own.Calls == 0 { // all of them are copies
			firsts.add(nameOfDay(one.used.Start), call{session: i}, 0)
			names.add(projectOf(one.used), call{session: i}, 0)
		}
		s.calls, s.cost, s.copies = s.calls+own.Calls, s.cost+own.Cost, s.copies+one.copies
		add(&s.subagents, sumOf(one.own, "subagent"))
		add(&s.branches, sumOf(one.own, "branch"))
	}
	s.days, s.projects = firsts.sorted(), names.sorted()
	return s
}

func projectOf(u *replay.Used) string {
	if u.Project == "" {
		return "no project"
	}
	return u.Project
}

func add(sum *replay.Apart, a replay.Apart) {
	sum.Calls += a.Calls
	sum.Cost += a.Cost
}

// addMultipliers collects the multipliers of all sessions, each factor once: a name has several if the models have.
func (s *sums) addMultipliers() {
	if len(s.sessions) == 0 {
		return
	}
	for _, m := range s.sessions[0].used.Multipliers {
		for _, one := range s.sessions {
			for _, other := range one.used.Multipliers {
				if other.Name == m.Name && !slices.Contains(s.multipliers, other) {
					s.multipliers = append(s.multipliers, other)
				}
			}
		}
	}
}
