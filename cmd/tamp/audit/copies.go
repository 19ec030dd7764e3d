package audit

import (
	"sort"

	"tamp/core/replay"
)

// session is one of the sessions that are summed up.
type session struct {
	file   string
	used   *replay.Used
	at     int                // its index in the input
	forks  int                // the sessions that it was forked from and whose log is among the others
	own    []*replay.CallBill // the calls that count in it
	copies int                // the others
}

// call is a call that counts, in the conversation of a session.
type call struct {
	session           int // number of the session
	time, cost, saved int // time in milliseconds since 1970, 0: unknown
}

// withoutCopies counts each call once: forks, resumed sessions and copies of a log repeat it. It belongs to the
// session that was forked least, of those to the one that began first, then to the one that ended first. The sessions
// are sorted in this order.
func withoutCopies(all []session) []call {
	type place struct{ session, id string }
	known, bills := map[string]bool{}, 0
	for i := range all {
		known[all[i].used.Session] = true
		bills += len(all[i].used.Bills)
	}
	counted, calls := make(map[place]bool, bills), make([]call, 0, bills)
	for i := range all {
		for _, id := range all[i].used.ForkedFrom {
			if known[id] {
				all[i].forks++
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].before(&all[j]) })
	for n := range all {
		s := &all[n]
		places := append([]string{s.used.Session}, s.used.ForkedFrom...)
		for i := range s.used.Bills {
			bill := &s.used.Bills[i]
			isCopy := false
			for _, id := range places {
				isCopy = isCopy || counted[place{id, bill.ID}]
			}
			if isCopy {
				s.copies++
			} else {
				s.own = append(s.own, bill)
			}
		}
		for _, bill := range s.own {
			for i, id := range places {
				if i == 0 || !known[id] { // the calls of a session whose log is not here are counted in its first fork
					counted[place{id, bill.ID}] = true
				}
			}
			if bill.Kind == "" {
				calls = append(calls, call{n, bill.Time, bill.Cost, bill.Cost - bill.Compacted})
			}
		}
	}
	return calls
}

// before reports that calls of both sessions belong to s.
func (s *session) before(other *session) bool {
	a, b := s.used, other.used
	switch {
	case s.forks != other.forks:
		return s.forks < other.forks
	case a.Start != b.Start:
		return uint(a.Start)-1 < uint(b.Start)-1 // one without times is the last
	case a.End != b.End:
		return a.End < b.End
	case len(a.Bills) != len(b.Bills):
		return len(a.Bills) < len(b.Bills)
	}
	return s.file < other.file
}

// sumOf sums the calls of a kind.
func sumOf(bills []*replay.CallBill, kind string) (sum replay.Apart) {
	for _, bill := range bills {
		if bill.Kind == kind {
			sum.Calls++
			sum.Cost += bill.Cost
		}
	}
	return sum
}
