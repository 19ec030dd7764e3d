package audit

import (
	"sort"

	"tamp/core/replay"
)

// Ranked are sessions, sorted by the money that compaction would have saved or cost, and their sums.
type Ranked struct {
	Sessions []Session      `json:"sessions"`
	Causes   []replay.Break `json:"causes"` // what was paid again, the most expensive first
	Servers  []Overhead     `json:"servers"`
	Days     []Total        `json:"days"` // by the first call of each session, in UTC
	Periods  Periods        `json:"periods"`
	Projects []Total        `json:"projects"`
	Others
}

// Session is an audited session. The calls that another session has, too, count there, and in no figure here but fixed
// and misses.
type Session struct {
	AuditedFile
	Bills  []replay.CallBill `json:"bills,omitempty"` // hides those of AuditedFile; none
	Copies int               `json:"copies"`          // number of those calls
}

// Overhead is a tool server: what its definitions in each call cost.
type Overhead struct {
	Name     string `json:"name"`
	Sessions int    `json:"sessions"`
	Cost     int    `json:"cost"`
}

// Periods are the sums of the calls by their times, in UTC, sorted.
type Periods struct {
	Daily  []Total `json:"daily"`
	Weekly []Total `json:"weekly"` // from Monday on
	// of five hours, the first beginning with the full hour of its first call
	Blocks []Total `json:"blocks"`
}

// Rank sorts the sessions, and sums them up.
func Rank(all []AuditedFile, o Others) *Ranked {
	r, _ := rank(all, o)
	return r
}

func rank(all []AuditedFile, o Others) (*Ranked, *sums) {
	sessions := make([]session, len(all))
	for i := range all {
		sessions[i] = session{file: all[i].File, used: &all[i].Used, at: i}
	}
	s := sumUp(sessions, o)
	r := &Ranked{[]Session{}, []replay.Break{}, []Overhead{}, s.days, s.periods, s.projects, s.others}
	servers := &totals{at: map[string]int{}}
	for i := range s.sessions {
		r.Sessions = append(r.Sessions, Session{AuditedFile: all[s.sessions[i].at]})
		one := &r.Sessions[i]
		if s.sessions[i].copies > 0 {
			one.share(&s.sessions[i])
		}
		for _, server := range one.Servers {
			servers.add(server.Name, call{session: i, cost: server.Cost}, 0)
		}
	}
	sort.SliceStable(r.Sessions, func(i, j int) bool {
		a, b := &r.Sessions[i], &r.Sessions[j]
		if gain, other := abs(a.Saved), abs(b.Saved); gain != other {
			return gain > other
		}
		return a.File < b.File
	})
	for i := range r.Sessions {
		for _, b := range r.Sessions[i].Breaks {
			r.Causes = added(r.Causes, b)
		}
	}
	byCost(r.Causes)
	for _, sum := range servers.sorted() {
		r.Servers = append(r.Servers, Overhead{sum.Name, sum.Sessions, sum.Cost})
	}
	sort.SliceStable(r.Servers, func(i, j int) bool { return r.Servers[i].Cost > r.Servers[j].Cost })
	return r, s
}

func abs(n int) int { return max(n, -n) }

// share leaves a session the calls that count in it.
func (a *Session) share(s *session) {
	all, own := a.Calls, sumOf(s.own, "")
	a.Copies, a.Calls, a.Cost, a.Compacted, a.Over = s.copies, own.Calls, own.Cost, 0, 0
	a.Breaks = []replay.Break{}
	for _, bill := range s.own {
		if bill.Kind != "" {
			continue
		}
		a.Compacted += bill.Compacted
		if bill.Over {
			a.Over++
		}
		for _, b := range bill.Breaks {
			a.Breaks = added(a.Breaks, replay.Break{Cause: b.Cause, Calls: 1, Tokens: b.Tokens, Cost: b.Cost})
		}
	}
	byCost(a.Breaks)
	a.Saved = a.Cost - a.Compacted
	part := func(cost int) int { return (2*cost*own.Calls + all) / (2 * all) } // rounded
	a.FixedCost = part(a.FixedCost)
	a.Servers = append([]replay.Server{}, a.Servers...)
	for i := range a.Servers {
		a.Servers[i].Cost = part(a.Servers[i].Cost)
	}
	a.Subagents, a.Branches = sumOf(s.own, "subagent"), sumOf(s.own, "branch")
}

// added adds a break to those of its cause.
func added(all []replay.Break, b replay.Break) []replay.Break {
	for i := range all {
		if all[i].Cause == b.Cause {
			all[i].Calls += b.Calls
			all[i].Tokens += b.Tokens
			all[i].Cost += b.Cost
			return all
		}
	}
	return append(all, b)
}

func byCost(all []replay.Break) {
	sort.SliceStable(all, func(i, j int) bool { return all[i].Cost > all[j].Cost })
}
