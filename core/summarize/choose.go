package summarize

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/heap"
	"tamp/core/tokens"
)

// addHeads adds the head unit of each group. It runs after all messages of the span are read, since a head counts the
// calls.
func addHeads(d *draft) {
	for i := 1; i < len(d.units); i++ {
		if u := &d.units[i]; i < d.groups[u.group].deleted && u.part != partError {
			u.part = partDropped // the file has no lines any more
		}
	}
	for g := range d.groups {
		gr := &d.groups[g]
		if gr.kind == groupSaid || gr.kind == groupNames {
			continue
		}
		base := worthRead
		switch {
		case gr.tool == insertedText:
			base = 1 // for its lines
		case gr.kind == groupRun && !gr.old:
			base = worthRun
		}
		if gr.failed {
			base += worthFailed
			if len(gr.errors) == 0 { // the head has the error
				base += worthFirstError
			}
		}
		for a := range gr.done {
			if act(a) == actEdit || act(a) == actWrite || act(a) == actDelete || act(a) == actMove {
				base += int(min(gr.done[a], 1)) * worthEdited
			}
		}
		if gr.old && (gr.kind == groupRun && !isFailedHead(gr.text) || gr.done[actDelete] > 0) {
			base = worthOldRun
		}
		base = max(base, gr.worthOfBackground())
		if gr.kind == groupTask {
			base = gr.worthOfTask()
		}
		gr.head = int32(len(d.units))
		d.addUnit(int32(g), partHead, int(gr.turn), base, 0, gr.headText())
	}
}

// addToolLine adds a group whose title lists the called tools, how often each was called, and the working directory of
// the last command if nothing that stays has it.
func addToolLine(d *draft) {
	if len(d.tools) == 0 {
		return
	}
	var w strings.Builder
	w.WriteString("called: ")
	for i, t := range d.tools {
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString(shortLine(t.name, maxNameLength))
		if t.n > 1 {
			w.WriteString(" ×" + strconv.Itoa(t.n))
		}
	}
	if id, found := d.x.findAtom(d.folder); found && d.draftAtom(id).worth > 0 {
		w.WriteString("; the last command in " + d.folder)
	}
	d.groups = append(d.groups, group{kind: groupTools, title: w.String(), head: -1})
}

const maxNames = 5 // bare names of a group: more have no meaning to a reader

// addNames adds a unit for each atom that no line has and that is worth at least minNameWorth, in the group that
// mentioned it last. A file of an earlier summary also lists names of its lines, since most of these are dropped.
// Numbers get none: a number without its line has no meaning.
func addNames(d *draft) {
	loose := int32(-1)
	listed := map[int32]int{} // by group
	for _, id := range d.touched {
		a, m := &d.x.atoms[id], &d.x.draftAtoms[id]
		if m.worth < minNameWorth || a.kind == Number {
			continue
		}
		g := m.owner
		if g < 0 {
			continue // not in this span
		}
		if m.inLine && !(a.old && d.groups[g].kind == groupFile) {
			continue
		}
		switch d.groups[g].kind {
		case groupTools:
			continue
		case groupSaid:
			if loose < 0 {
				loose = d.newGroup(groupNames, "")
			}
			g = loose
		}
		if listed[g] == maxNames {
			continue
		}
		listed[g]++
		lo := int32(len(d.pool))
		d.pool = append(d.pool, id)
		d.units = append(d.units, unit{text: a.text, group: g, part: partName, lo: lo, hi: lo + 1, turn: a.lastSeen})
	}
}

// choose takes the units with the highest gain until the budget, in tokens, is full, and a little more (maxOverfill).
// It returns them in the order in which they were taken. It is greedy with lazy evaluation: the gain of a unit only
// shrinks as others are taken. A bare name is dropped again if a sentence or a line that contains it is taken later.
func choose(d *draft, counter tokens.Counter, budget int) []int32 {
	ranked := make(heap.Heap, 0, len(d.units))
	for i := 1; i < len(d.units); i++ {
		if g := d.gain(&d.units[i]); g > 0 && d.units[i].part != partDropped {
			ranked = append(ranked, rankOf(g, int32(i)))
		}
	}
	ranked.Order()
	var opened [len(headings)]bool
	var chosen []int32
	left, refused := budget, 0
	cost := func(u *unit) int {
		n := counter.Count(u.text) + markupTokens(u.part)
		if s := d.section(u); !opened[s] {
			n += counter.Count(headings[s]) + 3
		}
		return n
	}
	take := func(i int32, n int) {
		u := &d.units[i]
		u.tries = taken
		left -= n
		opened[d.section(u)] = true
		for _, id := range d.pool[u.lo:u.hi] {
			m := &d.x.draftAtoms[id]
			m.worth = 0
			switch {
			case u.part == partName:
				m.name = i
			case m.name != 0:
				name := &d.units[m.name]
				name.part = partDropped
				left += counter.Count(name.text) + markupTokens(partName)
				m.name = 0
			}
		}
		chosen = append(chosen, i)
	}
	left += budget * maxOverfill / 1000
	for len(ranked) > 0 && left > minRoom && refused < maxRefused {
		gain, top := ofRank(ranked.Pop())
		u := &d.units[top]
		if u.tries == taken {
			continue
		}
		now := d.gain(u)
		if now == 0 {
			continue
		}
		if now < gain && u.tries < maxTries && len(ranked) > 0 {
			if next, _ := ofRank(ranked[0]); now < next {
				u.tries++
				ranked.Push(rankOf(now, top))
				continue
			}
		}
		n, headCost := cost(u), 0
		head := d.groups[u.group].head
		if head < 0 || head == top || d.units[head].tries == taken {
			head = -1
		} else {
			headCost = cost(&d.units[head])
		}
		if n+headCost > left {
			refused++
			continue
		}
		if head >= 0 {
			take(head, headCost)
		}
		take(top, n)
	}
	return slices.DeleteFunc(chosen, func(i int32) bool { return d.units[i].part == partDropped })
}

const (
	minRoom     = 3    // tokens; no unit fits into less
	maxOverfill = 50   // permille of the budget: units are smaller than estimated
	maxRefused  = 2000 // units that are too large for the remaining budget before the search ends
)
