package summarize

import (
	"strings"

	"tamp/core/provenance"
)

// Condensing: a span may hold earlier summaries. Their lines are read back into units and compete with all other units,
// scored by the index of today. A line is kept word for word under its heading, or dropped; it is never attributed to
// another speaker.

// addSummary adds the lines of an earlier summary. turn is the turn of its message. lastTodo reports that no later todo
// list replaced its own.
func addSummary(d *draft, text string, turn int, lastTodo bool) {
	last, at := int32(-1), turn
	for s, line := range linesOf(text) {
		if line.turn > 0 {
			at = line.turn
		}
		if items := todoItems(line.text); section(s) == sectionNow && items != nil {
			if lastTodo {
				addOldTodo(d, items, at)
			}
			continue
		}
		switch s := section(s); s {
		case sectionFiles, sectionRuns:
			if line.item || last < 0 {
				last = addOldHead(d, s, line.text, at)
				continue
			}
			addOldLine(d, last, line.text, at)
		case sectionErrors:
			d.addUnit(d.saidGroup(at), partError, at, worthOldError, 0, line.text)
		case sectionNames:
			// Bare names are listed again if they are still worth it and no line has them.
			Atoms(line.text, func(_ FactKind, name string) {
				if id, ok := d.x.findAtom(name); ok {
					if m := d.draftAtom(id); m.owner < 0 {
						m.owner = d.saidGroup(at)
					}
				}
			})
		default: // work in progress then is history now
			base := worthOldSaid
			switch {
			case d.firsts < maxFirstValues && isFirstValue(line.text, at):
				d.firsts++
				base = worthOldFirst
			case isDecision(line.text):
				base = worthOldDecision
			}
			g := d.saidGroup(at)
			for n, part := range strings.Split(line.text, joint) {
				addOldSaid(d, g, part, at, base, n == 0)
			}
		}
	}
}

// addOldSaid adds a fragment of a line that reports the work. opens is false for all but its first fragment.
func addOldSaid(d *draft, g int32, part string, turn, base int, opens bool) {
	if len(part) > maxOldLine { // a paragraph of a model
		provenance.Sentences(part, func(s string) {
			if d.addUnit(g, partSaid, turn, base, 0, s) {
				d.units[len(d.units)-1].opens = opens
			}
			opens = false
		})
		return
	}
	if d.addUnit(g, partSaid, turn, base, 0, part) {
		u := &d.units[len(d.units)-1]
		u.opens, u.gap = opens, !opens
	}
}

const maxOldLine = 500 // bytes of a line that is kept or dropped as a whole

// addOldHead adds a file or a command of an earlier summary to its group, which later messages and summaries share.
func addOldHead(d *draft, s section, head string, turn int) int32 {
	if i := strings.LastIndex(head, " ("); s == sectionFiles && i > 0 && strings.HasSuffix(head, ")") {
		path := head[:i]
		g, ok := d.files[path]
		if !ok {
			g = d.newGroup(groupFile, path)
			d.files[path] = g
		}
		d.groups[g].turn, d.groups[g].old = int32(turn), true
		d.groups[g].addActions(head[i+2 : len(head)-1])
		return g
	}
	if g, ok := addOldTask(d, head, turn); ok {
		return g
	}
	title, outcome, _ := strings.Cut(head, arrow)
	if strings.HasPrefix(head, "called: ") {
		return d.newGroup(groupNames, "") // the counts of an old span have no use
	}
	key := "old " + title
	g, ok := d.runs[key]
	if !ok {
		g = d.newGroup(groupRun, title)
		d.runs[key] = g
	}
	d.groups[g].text, d.groups[g].turn, d.groups[g].old = head, int32(turn), true // the later state
	if id, _ := started(outcome); id != "" {
		d.running[id] = g
	}
	return g
}

// addOldLine adds a line below a file or a command of an earlier summary.
func addOldLine(d *draft, g int32, line string, turn int) {
	names, ok := strings.CutPrefix(line, "names: ")
	if !ok {
		d.addUnit(g, partLine, turn, worthOldLine, 0, line)
		return
	}
	Atoms(names, func(_ FactKind, name string) {
		if id, ok := d.x.findAtom(name); ok {
			d.draftAtom(id).owner = g
		}
	})
}
