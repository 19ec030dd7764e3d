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

// chooser takes the units with the highest gain until the budget, in tokens, is full. It is greedy with lazy
// evaluation: the gain of a unit only shrinks as others are taken. A bare name is dropped again if a sentence or a line
// that contains it is taken later.
type chooser struct {
	d       *draft
	counter tokens.Counter
	ranked  heap.Heap
	opened  [len(headings)]bool
	chosen  []int32 // in the order in which they were taken
	left    int     // tokens
	spent   int     // tokens of all that was taken, by the counts of single units
	lines   int     // of these, tokens of lines of large results; without files, they get half of the room at most
}

func newChooser(d *draft, counter tokens.Counter) *chooser {
	c := &chooser{d: d, counter: counter, ranked: make(heap.Heap, 0, len(d.units))}
	for i := 1; i < len(d.units); i++ {
		if g := d.gain(&d.units[i]); g > 0 && d.units[i].part != partDropped {
			c.ranked = append(c.ranked, rankOf(g, int32(i)))
		}
	}
	c.ranked.Order()
	return c
}

func (c *chooser) cost(u *unit) int {
	n := c.counter.Count(u.text) + markupTokens(u.part)
	if s := c.d.section(u); !c.opened[s] {
		n += c.counter.Count(headings[s]) + 3
	}
	return n
}

func (c *chooser) take(i int32, n int) {
	d := c.d
	u := &d.units[i]
	u.tries = taken
	c.left, c.spent = c.left-n, c.spent+n
	c.opened[d.section(u)] = true
	for _, id := range d.pool[u.lo:u.hi] {
		m := &d.x.draftAtoms[id]
		m.worth = 0
		switch {
		case u.part == partName:
			m.name = i
		case m.name != 0:
			name := &d.units[m.name]
			name.part = partDropped
			c.left += c.counter.Count(name.text) + markupTokens(partName)
			m.name = 0
		}
	}
	c.chosen = append(c.chosen, i)
}

// fill takes units for more tokens, and returns all that are taken.
func (c *chooser) fill(more int) []int32 {
	d, refused := c.d, []uint64(nil)
	c.left += more
	for len(c.ranked) > 0 && c.left > minRoom && len(refused) < maxRefused {
		gain, top := ofRank(c.ranked.Pop())
		u := &d.units[top]
		if u.tries == taken {
			continue
		}
		now := d.gain(u)
		if now == 0 {
			continue
		}
		if now < gain && u.tries < maxTries && len(c.ranked) > 0 {
			if next, _ := ofRank(c.ranked[0]); now < next {
				u.tries++
				c.ranked.Push(rankOf(now, top))
				continue
			}
		}
		n, headCost := c.cost(u), 0
		head := d.groups[u.group].head
		if head < 0 || head == top || d.units[head].tries == taken {
			head = -1
		} else {
			headCost = c.cost(&d.units[head])
		}
		isLine := !d.x.files && u.part == partLine && d.groups[u.group].kind == groupRun && u.base == worthLine
		if n+headCost > c.left || isLine && (c.lines+n)*2 > c.spent+c.left {
			refused = append(refused, rankOf(now, top))
			continue
		}
		if isLine {
			c.lines += n
		}
		if head >= 0 {
			c.take(head, headCost)
		}
		c.take(top, n)
	}
	for _, rank := range refused {
		c.ranked.Push(rank)
	}
	return slices.DeleteFunc(slices.Clone(c.chosen), func(i int32) bool { return d.units[i].part == partDropped })
}

const (
	minRoom     = 3    // tokens; no unit fits into less
	maxOverfill = 50   // permille of the budget, besides: units are smaller than estimated
	maxRefused  = 2000 // units that are too large for the remaining budget before the search ends
)
