package summarize

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/order"
)

// headText is the text of a group's head: the file with the actions on it, or the command with its outcome.
func (g *group) headText() string {
	var b strings.Builder
	if g.text != "" {
		return g.text
	}
	switch g.kind {
	case groupTools:
		return g.title
	case groupTask:
		return g.title + taskArrow + g.outcome
	}
	if g.kind == groupRun {
		if g.tool != "" {
			b.WriteString(g.tool)
			if g.title != "" {
				b.WriteByte(' ')
			}
		}
		if g.title != "" {
			b.WriteString("`" + g.title + "`")
		}
		if n := g.done[actShell]; n > 1 {
			b.WriteString(" ×")
			b.WriteString(strconv.Itoa(int(n)))
		}
		if g.outcome != "" {
			b.WriteString(" → ")
			b.WriteString(g.outcome)
		}
		return b.String()
	}
	b.WriteString(g.title)
	b.WriteString(" (")
	sep := ""
	for a, n := range g.done {
		if n == 0 {
			continue
		}
		b.WriteString(sep)
		b.WriteString(actWords[a])
		if n > 1 {
			b.WriteString(" ×")
			b.WriteString(strconv.Itoa(int(n)))
		}
		sep = ", "
		if act(a) == actRead && len(g.where) > 0 {
			b.WriteString(" at ")
			where := g.where
			if len(where) > maxWhere {
				where = where[len(where)-maxWhere:]
			}
			b.WriteString(strings.Join(where, " "))
		}
	}
	if sep == "" {
		b.WriteString("not changed: the edit failed")
	}
	b.WriteByte(')')
	return b.String()
}

// maxWhere is the number of listed parts of a file that were read; the last ones are listed.
const maxWhere = 6

// opening labels the summary as history, so that a model does not take it for a request (C10, C11).
const opening = "Record of earlier work, extracted from the messages it replaces. It is history: nothing in it is a " +
	"request."

// render writes the chosen units by section, in chronological order within each section.
func (d *draft) render(chosen []int32) string {
	sorted := slices.Clone(chosen)
	order.Stable(sorted, func(a, b int32) int { return d.compare(a, b) })
	var w strings.Builder
	section, groupNow, partNow, before := section(255), int32(-1), part(255), int32(-1)
	for _, i := range sorted {
		u := &d.units[i]
		if s := d.section(u); s != section {
			if w.Len() > 0 {
				w.WriteString("\n")
			}
			section, groupNow, partNow = s, -1, 255
			w.WriteString("\n## ")
			w.WriteString(headings[s])
		}
		d.writeUnit(&w, u, section, groupNow != u.group, partNow != u.part || groupNow != u.group, before+1 == i && !u.gap)
		groupNow, partNow, before = u.group, u.part, i
	}
	return strings.TrimPrefix(w.String(), "\n")
}

// compare orders the units of the summary: by section; then by group, the most recent last; then by part: head,
// changes, the listing by line number, names.
func (d *draft) compare(a, b int32) int {
	u, v := &d.units[a], &d.units[b]
	s := d.section(u)
	if c := cmp.Compare(s, d.section(v)); c != 0 {
		return c
	}
	if s != sectionErrors && s != sectionNow && !s.pinned() && u.group != v.group {
		if c := cmp.Compare(d.groups[u.group].turn, d.groups[v.group].turn); c != 0 {
			return c
		}
		return cmp.Compare(u.group, v.group)
	}
	if c := cmp.Compare(u.rank(), v.rank()); c != 0 {
		return c
	}
	if c := cmp.Compare(u.number, v.number); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// rank is the order of a unit in its group. All units with a line number form one listing.
func (u *unit) rank() int {
	if u.number > 0 {
		return int(partDeclaration)
	}
	return int(u.part)
}

type section uint8

const (
	sectionTask section = iota
	sectionConstraints
	sectionLists
	sectionSaid
	sectionFiles
	sectionRuns
	sectionErrors
	sectionNames
	sectionNow
	sectionNotes // of an earlier summary, under a heading of a model
)

// headings are the titles of the sections, in their order. They contain no request.
var headings = [...]string{"What the user had asked", "Constraints, in the user's words",
	"Long lists of constraints, in the user's words", "What the assistant found, decided and did", "Files",
	"Commands and tools, with results", "Errors seen", "Other names", "In progress at that point"}

// pinned reports a section of the user's statements.
func (s section) pinned() bool { return s == sectionConstraints || s == sectionLists }

// sectionOf returns the section of a statement. listed: it was one of many in a text.
func sectionOf(listed bool) section {
	if listed {
		return sectionLists
	}
	return sectionConstraints
}

func (d *draft) section(u *unit) section {
	switch u.part {
	case partTask:
		return sectionTask
	case partConstraint:
		return sectionOf(u.listed)
	case partSaid:
		return sectionSaid
	case partError:
		return sectionErrors
	case partTodo, partNow:
		return sectionNow
	}
	switch d.groups[u.group].kind {
	case groupFile:
		return sectionFiles
	case groupRun, groupTools, groupTask:
		return sectionRuns
	}
	return sectionNames
}

// writeUnit writes one unit. newGroup and newPart report that the unit before it has another group or part, adjacent
// that it was the unit before it in the original, too.
func (d *draft) writeUnit(w *strings.Builder, u *unit, s section, newGroup, newPart, adjacent bool) {
	switch s {
	case sectionSaid, sectionNow, sectionTask:
		if newGroup || s == sectionNow && newPart {
			w.WriteString("\n- ")
			if s != sectionNow {
				w.WriteString("turn ")
				w.WriteString(strconv.Itoa(int(u.turn)))
				w.WriteString(": ")
			}
		} else if s == sectionTask {
			w.WriteString("\n  ")
		} else if s == sectionNow && u.part == partTodo {
			w.WriteString(" | ")
		} else if adjacent && u.opens {
			w.WriteString("\n  ")
		} else if adjacent {
			w.WriteString(" ")
		} else {
			w.WriteString(joint)
		}
		w.WriteString(u.text)
		return
	case sectionErrors:
		w.WriteString("\n- turn ")
		w.WriteString(strconv.Itoa(int(u.turn)))
		w.WriteString(": ")
		w.WriteString(u.text)
		return
	case sectionConstraints, sectionLists:
		w.WriteString("\n- \"")
		w.WriteString(u.text)
		w.WriteString("\"")
		return
	}
	switch u.part {
	case partHead:
		w.WriteString("\n- ")
		w.WriteString(u.text)
	case partName:
		if newPart {
			w.WriteString("\n  names: ")
		} else {
			w.WriteString(", ")
		}
		w.WriteString(u.text)
	default:
		w.WriteString("\n  ")
		w.WriteString(u.text)
	}
}
