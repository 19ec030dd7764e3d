package replay

import (
	"cmp"
	"sort"
)

// sumOthers sums the usage of the calls that are in no segment, by subagent and branch.
func sumOthers(w *replayer) *Others {
	if len(w.others) == 0 || w.o.IgnoreUsage {
		return nil
	}
	answers := answerLines(w.sessionLog)
	o := &Others{Tracks: []Track{}}
	at := map[int]int{} // track of a chain
	for i := range w.others {
		x := &w.others[i]
		u := x.Usage
		spent := cmp.Or(w.ownCost(&x.Message), charge(w.prices.ofCall(cmp.Or(x.Model, w.report.Model), u), billOf(u),
			u.Output))
		o.Calls++
		o.Usage.Add(u)
		o.Cost += spent
		k, ok := at[x.Chain]
		if !ok {
			k = len(o.Tracks)
			at[x.Chain] = k
			o.Tracks, w.tracks = append(o.Tracks, Track{Subagent: x.Side}), append(w.tracks, nil)
		}
		line := lineOf(x.Path)
		t := &o.Tracks[k]
		t.Cost += spent
		t.Calls = append(t.Calls, TrackCall{After: sort.SearchInts(answers, line), Time: timeOf(&x.Message),
			Sent: u.Prompt(), Cost: spent})
		w.tracks[k] = append(w.tracks[k], cmp.Or(identity(w.last().c, &x.Message), digest(&x.Message)))
	}
	return o
}

// answerLines returns the lines of the calls.
func answerLines(l *sessionLog) (lines []int) {
	for i := range l.segments {
		s := &l.segments[i]
		for _, m := range s.answers {
			lines = append(lines, lineOf(s.c.Messages[m].Path))
		}
	}
	return lines
}
