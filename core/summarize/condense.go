package summarize

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/provenance"
)

// Condensing: a span may hold earlier summaries. Their lines are read back into units and compete with all other units,
// scored by the index of today. A line is kept word for word under its heading, or dropped; it is never attributed to
// another speaker.

// summaryLines calls visit for each line of a summary that Apply wrote, without label, opening and headings. item is
// true for the first line of a list item. turn is the turn at the beginning of the line, 0 if it has none.
func summaryLines(text string, visit func(s section, item bool, turn int, line string)) {
	_, rest := marker.Parse(text)
	current := sectionNotes
	for _, line := range strings.Split(rest, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if endsSection(line) {
			current = sectionNotes
		}
		if title, ok := strings.CutPrefix(line, "## "); ok {
			if i := slices.Index(headings[:], title); i >= 0 {
				current = section(i)
			}
			continue
		}
		if line == "" || line == opening || strings.HasPrefix(line, "[part ") || strings.HasPrefix(line, OriginalsLine) ||
			strings.HasPrefix(line, marker.LoadedStart) || strings.HasPrefix(line, omittedStart) {
			continue
		}
		body, item := strings.CutPrefix(line, "- ")
		turn := 0
		if rest, ok := strings.CutPrefix(body, "turn "); ok {
			number, said, found := strings.Cut(rest, ": ")
			if n, err := strconv.Atoi(number); found && err == nil && n > 0 && n <= maxTurn {
				turn, body = n, said
			}
		}
		visit(current, item, turn, strings.TrimSpace(body))
	}
}

// maxTurn is larger than every turn. It rejects numbers that are no turns.
const maxTurn = 1_000_000

// OriginalsLine begins the line that lists the archives of the summaries that were condensed into this one.
const OriginalsLine = "Earlier originals: "

// addSummary adds the lines of an earlier summary. turn is the turn of its message.
func (d *draft) addSummary(text string, turn int) {
	last, at, n := int32(-1), turn, 0
	for s, line := range d.x.linesOf(text) {
		if line.turn > 0 {
			at = line.turn
		}
		switch s := section(s); s {
		case sectionConstraints, sectionLists:
			d.addOldConstraint(unquote(line.text), at, s == sectionLists)
			continue
		case sectionTask:
			if line.item || last < 0 {
				last = d.newGroup(groupSaid, "")
				d.groups[last].turn = int32(at)
				n = 0
			}
			n++
			d.add(last, partTask, at, worthOfOldTask(n, line.text), 0, line.text)
		case sectionFiles, sectionRuns:
			if line.item || last < 0 {
				last = d.addOldHead(s, line.text, at)
				continue
			}
			d.addOldLine(last, line.text, at)
		case sectionErrors:
			d.addErrorLine(d.saidGroup(at), at, worthOldError, 0, line.text)
		case sectionNames:
			// Bare names are listed again if they are still worth it and no line has them.
			Atoms(line.text, func(_ FactKind, name string) {
				if id, ok := d.x.find(name); ok {
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
				d.addOldSaid(g, part, at, base, n == 0)
			}
		}
	}
}

// addOldSaid adds a fragment of a line that reports the work. opens is false for all but its first fragment.
func (d *draft) addOldSaid(g int32, part string, turn, base int, opens bool) {
	if len(part) > maxOldLine { // a paragraph of a model
		provenance.Sentences(part, func(s string) {
			if d.add(g, partSaid, turn, base, 0, s) {
				d.units[len(d.units)-1].opens = opens
			}
			opens = false
		})
		return
	}
	if d.add(g, partSaid, turn, base, 0, part) {
		u := &d.units[len(d.units)-1]
		u.opens, u.gap = opens, !opens
	}
}

// worthOfOldTask is the base worth of the n-th line of a prompt.
func worthOfOldTask(n int, line string) int {
	switch {
	case isGoOn(line):
		return worthSaid
	case n == 1:
		return worthOldTask
	case n == 2:
		return worthOldTaskMore
	}
	return worthOldTaskRest
}

// addOldConstraint adds a line that quotes the user, or its statements that still hold if not all do.
func (d *draft) addOldConstraint(line string, turn int, listed bool) {
	found := d.x.known.statementsOf(line)
	if !slices.ContainsFunc(found, func(c provenance.Constraint) bool { return d.x.dropped[c.Text] }) {
		d.addConstraint(line, turn, listed)
		return
	}
	for _, c := range found {
		d.addConstraint(c.Text, turn, listed)
	}
}

// joint is between two fragments of a line that were not adjacent.
const joint = " · "

const maxOldLine = 500 // bytes of a line that is kept or dropped as a whole

// saidGroup returns a new group for a sentence of the turn.
func (d *draft) saidGroup(turn int) int32 {
	if n := len(d.groups); n > 0 && d.groups[n-1].kind == groupSaid && d.groups[n-1].turn == int32(turn) &&
		d.groups[n-1].old {
		return int32(n - 1)
	}
	g := d.newGroup(groupSaid, "")
	d.groups[g].turn, d.groups[g].old = int32(turn), true
	return g
}

// addOldHead adds a file or a command of an earlier summary to its group, which later messages and summaries share.
func (d *draft) addOldHead(s section, head string, turn int) int32 {
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
	if g, ok := d.addOldTask(head, turn); ok {
		return g
	}
	title, _, _ := strings.Cut(head, " → ")
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
	return g
}

// addActions adds the actions that headText wrote for a file: "read ×2 at 10+20, edited".
func (g *group) addActions(text string) {
	for _, part := range strings.Split(text, ", ") {
		word, rest, _ := strings.Cut(part, " ")
		a := slices.Index(actWords[:], word)
		if a < 0 {
			continue
		}
		count, _, _ := strings.Cut(strings.TrimPrefix(rest, "×"), " ")
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || n > maxCounted {
			n = 1
		}
		g.done[a] = min(g.done[a]+uint16(n), maxCounted)
	}
}

// addOldLine adds a line below a file or a command of an earlier summary.
func (d *draft) addOldLine(g int32, line string, turn int) {
	names, ok := strings.CutPrefix(line, "names: ")
	if !ok {
		d.add(g, partLine, turn, worthOldLine, 0, line)
		return
	}
	Atoms(names, func(_ FactKind, name string) {
		if id, ok := d.x.find(name); ok {
			d.draftAtom(id).owner = g
		}
	})
}

// oldLine is one line of a summary.
type oldLine struct {
	item bool
	turn int
	text string
}

// linesOf yields the lines of a summary with their sections.
func (x *Index) linesOf(text string) func(func(int, oldLine) bool) {
	return func(yield func(int, oldLine) bool) {
		more := true
		summaryLines(text, func(s section, item bool, turn int, line string) {
			more = more && yield(int(s), oldLine{item, turn, line})
		})
	}
}
