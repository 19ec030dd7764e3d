package summarize

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/order"
)

// render writes the chosen units by section, in chronological order within each section.
func render(d *draft, chosen []int32) string {
	sorted := slices.Clone(chosen)
	order.Stable(sorted, func(a, b int32) int { return compare(d, a, b) })
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
		writeUnit(d, &w, u, section, groupNow != u.group, partNow != u.part || groupNow != u.group, before+1 == i && !u.gap)
		groupNow, partNow, before = u.group, u.part, i
	}
	return strings.TrimPrefix(w.String(), "\n")
}

// compare orders the units of the summary: by section; then by group, the most recent last; then by part: head,
// changes, the listing by line number, names.
func compare(d *draft, a, b int32) int {
	u, v := &d.units[a], &d.units[b]
	s := d.section(u)
	if c := cmp.Compare(s, d.section(v)); c != 0 {
		return c
	}
	if s != sectionErrors && s != sectionNow && u.group != v.group {
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

// writeUnit writes one unit. newGroup and newPart report that the unit before it has another group or part, adjacent
// that it was the unit before it in the original, too.
func writeUnit(d *draft, w *strings.Builder, u *unit, s section, newGroup, newPart, adjacent bool) {
	switch s {
	case sectionSaid, sectionNow:
		if newGroup || s == sectionNow && newPart {
			w.WriteString("\n- ")
			if s != sectionNow {
				w.WriteString("turn ")
				w.WriteString(strconv.Itoa(int(u.turn)))
				w.WriteString(": ")
			}
		} else if s == sectionNow && u.part == partTodo {
			w.WriteString(todoJoint)
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
