package audit

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/replay"
)

// View is how a report is written.
type View struct {
	Folder string `json:"folder"`           // whose sessions they are
	Totals string `json:"totals,omitempty"` // the periods: daily (default), weekly or blocks
	Color  bool   `json:"color,omitempty"`  // for a terminal
}

// listed and unreadMax are the sessions and the files that the text lists; the JSON has all of them.
const (
	listed    = 20
	unreadMax = 100
	more      = "… @ more: --json lists them all"
)

// Report writes what Rank returns as text.
func Report(all []AuditedFile, o Others, v View) string {
	r, s := rank(all, o)
	w := &writer{s: s, View: v}
	if len(r.Sessions) > 0 {
		w.audited(r)
	} else {
		w.begin("")
	}
	return w.text()
}

func (w *writer) audited(r *Ranked) {
	saved, fixed, compactions, compacted := 0, 0, 0, 0
	var misses replay.Misses
	var windows []int
	for i := range r.Sessions {
		s := &r.Sessions[i]
		saved += s.Saved
		fixed += s.FixedCost
		m := &s.Misses
		for k, sum := range [...]*int{&misses.Names, &misses.Missed, &misses.Calls, &misses.Edits, &misses.Lost,
			&misses.ReadCost} {
			*sum += [...]int{m.Names, m.Missed, m.Calls, m.Edits, m.Lost, m.ReadCost}[k]
		}
		if s.Agent != nil {
			if n := len(s.Agent.Compactions); n > 0 {
				compactions, compacted = compactions+n, compacted+1
			}
			if n := s.Agent.Window; n > 0 && !slices.Contains(windows, n) {
				windows = append(windows, n)
			}
		}
	}
	w.begin("@, @, @. Compaction would have saved @. System prompts and tools: @.", dollars(saved), dollars(fixed))
	w.misses(&misses)
	if !w.s.priced {
		w.line("* The price of the model is not known; assumed is that of a mid-range model.")
	}
	w.factors()
	if compacted > 0 {
		w.line("The agents compacted @ themselves, in @.", many(compactions, "time"), many(compacted, "session"))
	}
	slices.Sort(windows)
	if len(windows) > 0 {
		var texts []string
		for _, n := range windows {
			texts = append(texts, strconv.Itoa(n))
		}
		w.line("Windows that the agents worked with: @ tokens.", strings.Join(texts, ", "))
	}
	w.line("\n     saved       cost  calls  session")
	for i := range r.Sessions[:min(listed, len(r.Sessions))] {
		s := &r.Sessions[i]
		w.line("@ @ @  @", cell(s.Saved), cell(s.Cost), number(s.Calls, 6), s.File)
		if !s.Priced {
			w.append(" *")
		}
	}
	if n := len(r.Sessions) - listed; n > 0 {
		w.line(more, strconv.Itoa(n))
	}
	for i, c := range r.Causes {
		if i == 0 {
			w.line("\npaid again     tokens  calls  cause")
		}
		w.line("@ @ @  @", cell(c.Cost), number(c.Tokens, 10), number(c.Calls, 6), c.Cause)
	}
	for i, s := range r.Servers {
		if i == 0 {
			w.line("\n      cost  sessions  tool server, its definitions in each call")
		}
		w.line("@ @  @", cell(s.Cost), number(s.Sessions, 9), s.Name)
	}
	w.totals("     saved       cost  calls  @", true)
}

// begin writes the number of sessions, their calls and costs, and what is apart from these. It returns false if there
// is no session.
func (w *writer) begin(format string, more ...string) bool {
	s := w.s
	if len(s.sessions) == 0 {
		w.line("There is no session log below @ ("+logNames+").", w.Folder)
		return false
	}
	w.line(format, append([]string{many(len(s.sessions), "session"), many(s.calls, "call"), dollars(s.cost)}, more...)...)
	const apart = "Apart from these: @ "
	if n := s.subagents.Calls; n > 0 {
		w.line(apart+"of subagents, @.", many(n, "call"), dollars(s.subagents.Cost))
	}
	if n := s.branches.Calls; n > 0 {
		w.line(apart+"on branches that the users left, @.", many(n, "call"), dollars(s.branches.Cost))
	}
	if s.copies > 0 {
		w.line("@ of forks and copies of a session are counted once.", many(s.copies, "call"))
	}
	return true
}

// misses says what of a compacted context later calls would have missed.
func (w *writer) misses(m *replay.Misses) {
	if m.Names == 0 {
		return
	}
	had, share := m.Names-m.Missed, 100
	if m.Missed > 0 {
		share = min((had*1000/m.Names+5)/10, 99) // as a verdict says it
		if share == 0 && had > 0 {
			share = 1
		}
	}
	w.line("Of @ that the agents used later, @ would have been in the context (@ %); @ of @ would have missed something",
		many(m.Names, "name"), strconv.Itoa(had), strconv.Itoa(share), strconv.Itoa(m.Calls), many(w.s.calls, "call"))
	if m.Edits > 0 {
		w.append("; " + strconv.Itoa(m.Lost) + " of " + many(m.Edits, "edit") + " would have had to read again")
	}
	w.append(". Reading it again would have cost " + dollars(m.ReadCost) + ".")
}

// factors lists what the prices are multiplied by, of each name the largest factor first.
func (w *writer) factors() {
	var names []string
	factors := map[string][]int{}
	for _, m := range w.s.multipliers {
		if factors[m.Name] == nil {
			names = append(names, m.Name)
		}
		factors[m.Name] = append(factors[m.Name], m.Permille)
	}
	for i, name := range names {
		slices.Sort(factors[name])
		slices.Reverse(factors[name])
		var texts []string
		for _, permille := range factors[name] {
			factor := strconv.Itoa(permille/1000) + "." + padded(permille%1000, 3, '0')
			texts = append(texts, strings.TrimRight(strings.TrimRight(factor, "0"), "."))
		}
		names[i] += " " + strings.Join(texts, " or ")
	}
	if len(names) > 0 {
		w.line("The prices are multiplied: @. Models without such a factor keep theirs (1).", strings.Join(names, ", "))
	}
}

// totals lists the totals of the periods and the projects.
func (w *writer) totals(head string, saved bool) {
	p := &w.s.periods
	title, period := "day", p.Daily
	switch w.Totals {
	case "weekly":
		title, period = "week from", p.Weekly
	case "blocks":
		title, period = "five hours from", p.Blocks
	}
	for i, all := range [...][]Total{period, w.s.projects} {
		if i > 0 {
			title = "project"
		}
		w.line("\n"+head, title)
		for k := range all {
			t := &all[k]
			w.line("")
			if saved {
				w.append(cell(t.Saved) + " ")
			}
			w.append(cell(t.Cost) + " " + number(t.Calls, 6) + "  " + t.Name)
		}
	}
}
