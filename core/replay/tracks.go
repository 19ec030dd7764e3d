package replay

import (
	"cmp"
	"sort"
	"strconv"
	"strings"
)

// countOthers sums the usage of the calls that are in no segment, by subagent and branch.
func (w *replayer) countOthers() {
	if len(w.others) == 0 || w.o.IgnoreUsage {
		return
	}
	answers := w.answerLines()
	o := &Others{Tracks: []Track{}}
	at := map[int]int{} // track of a chain
	for i := range w.others {
		x := &w.others[i]
		u := x.Usage
		spent := charge(w.price(cmp.Or(x.Model, w.report.Model)), billOf(u), u.Output)
		o.Calls++
		o.Usage.Input += u.Input
		o.Usage.CacheRead += u.CacheRead
		o.Usage.CacheWrite += u.CacheWrite
		o.Usage.CacheWrite1h += u.CacheWrite1h
		o.Usage.Output += u.Output
		o.Cost += spent
		k, ok := at[x.Chain]
		if !ok {
			k = len(o.Tracks)
			at[x.Chain] = k
			o.Tracks = append(o.Tracks, Track{Subagent: x.Side})
		}
		line := lineOf(x.Path)
		t := &o.Tracks[k]
		t.Cost += spent
		t.Calls = append(t.Calls, TrackCall{After: sort.SearchInts(answers, line), Time: timeOf(&x.Message),
			Sent: u.Prompt(), Cost: spent})
	}
	w.report.Others = o
}

// answerLines returns the lines of the calls.
func (w *replayer) answerLines() (lines []int) {
	for i := range w.segments {
		s := &w.segments[i]
		for _, m := range s.answers {
			lines = append(lines, lineOf(s.c.Messages[m].Path))
		}
	}
	return lines
}

// lineOf returns the line of a log that a path names, 0 if it names none.
func lineOf(path string) int {
	line, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	n, _ := strconv.Atoi(line)
	return n
}

// measureFixed counts what each request of the last segment has before its messages, by owner.
func (w *replayer) measureFixed() {
	c, fit := w.segments[len(w.segments)-1].c, w.fit
	fixed := []Fixed{}
	add := func(who owner, tokens int) {
		if tokens == 0 {
			return
		}
		for i := range fixed {
			if fixed[i].Owner == who.kind && fixed[i].Name == who.name {
				fixed[i].Tokens += tokens
				return
			}
		}
		fixed = append(fixed, Fixed{who.kind, who.name, tokens})
	}
	add(owner{ownerHidden, ""}, fit.hidden)
	for i := range c.System {
		add(owner{ownerSystem, ""}, fit.scale(w.meter.Block(&c.System[i])))
	}
	for i := range c.Tools {
		add(ownerOfTool(&c.Tools[i]), fit.scale(w.meter.Tool(&c.Tools[i])))
	}
	w.report.Fixed = fixed
}
