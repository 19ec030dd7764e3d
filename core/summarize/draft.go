package summarize

// draft is the state of one Summarize call.
type draft struct {
	x       *Index
	span    int32
	number  int32
	groups  []group
	units   []unit
	pool    []int32
	files   map[string]int32 // groups by path
	runs    map[string]int32 // groups by tool and title
	focus   focus
	seen    map[string]struct{}
	tools   []toolCount
	folder  string           // the working directory of the last command
	running map[string]int32 // groups of work that runs in the background, by its ID
	touched []int32          // the atoms that the span mentions
	firsts  int              // lines of earlier summaries with the worth of a first value
}

func newDraft(x *Index, span int) *draft {
	x.drafts++
	return &draft{x: x, span: int32(span), number: x.drafts, units: make([]unit, 1), files: map[string]int32{},
		runs: map[string]int32{}, running: map[string]int32{}, seen: map[string]struct{}{}}
}

// draftAtom returns the state of an atom in this draft. It is set up when the span first mentions the atom, so that the
// cost of a summary depends on the span and not on the conversation.
func (d *draft) draftAtom(id int32) *draftAtom {
	x := d.x
	m := &x.draftAtoms[id]
	if m.draft != d.number {
		a := &x.atoms[id]
		*m = draftAtom{draft: d.number, owner: -1}
		m.worth = x.inSummary(a)
		if d.focus.atoms[a.text] {
			m.worth += worthFocused
		}
		d.touched = append(d.touched, id)
	}
	return m
}

// addUnit adds a unit, unless its text is empty, repeated, or worth less than minWorth. It reports whether the unit was
// added.
func (d *draft) addUnit(g int32, p part, turn int, base int, minWorth int32, text string) bool {
	if text == "" {
		return false
	}
	if p != partHead {
		if _, ok := d.seen[text]; ok {
			return false
		}
	}
	if d.focus.matches(text) {
		base += worthFocused
	}
	lo := int32(len(d.pool))
	sum, onlyNumbers := int32(0), true
	Atoms(text, func(k FactKind, s string) {
		if id, ok := d.x.findAtom(s); ok {
			onlyNumbers = onlyNumbers && k == Number
			m := d.draftAtom(id)
			m.owner = g
			if m.worth > 0 {
				d.pool = append(d.pool, id)
				sum += m.worth
			}
		}
	})
	number := int32(0)
	if p == partLine || p == partDeclaration {
		number = lineNumber(text)
	}
	if int(sum)+base < int(minWorth) || base == 0 && (sum == 0 || number > 0 && onlyNumbers) {
		d.pool = d.pool[:lo]
		return false
	}
	if p != partHead {
		d.seen[text] = struct{}{}
	}
	if p != partHead {
		for _, id := range d.pool[lo:] {
			d.x.draftAtoms[id].inLine = true
		}
	}
	d.units = append(d.units, unit{text: text, group: g, part: p, number: number, lo: lo, hi: int32(len(d.pool)),
		base: int32(base), turn: int32(turn)})
	return true
}

// noteOwner sets the owner of the atoms of a text that is not a unit.
func (d *draft) noteOwner(g int32, text string) {
	Atoms(text, func(_ FactKind, s string) {
		if id, ok := d.x.findAtom(s); ok {
			d.draftAtom(id).owner = g
		}
	})
}

// newGroup adds a group and returns its index.
func (d *draft) newGroup(k groupKind, title string) int32 {
	d.groups = append(d.groups, group{kind: k, title: title, head: -1})
	return int32(len(d.groups) - 1)
}

// fileGroup returns the group of a file, new or old, and counts the action.
func (d *draft) fileGroup(path string, a act, turn int) int32 {
	g, ok := d.files[path]
	if !ok {
		g = d.newGroup(groupFile, path)
		d.files[path] = g
	}
	d.groups[g].done[a]++
	d.groups[g].turn = int32(turn)
	if a == actDelete {
		d.groups[g].deleted = len(d.units)
	}
	return g
}

// runGroup returns the group of a command or a call with this title, new or old, and counts the call.
func (d *draft) runGroup(tool, title string, turn int) int32 {
	key := tool + " " + title
	g, ok := d.runs[key]
	if !ok {
		g = d.newGroup(groupRun, title)
		d.groups[g].tool = tool
		d.runs[key] = g
	}
	d.groups[g].done[actShell]++
	d.groups[g].turn = int32(turn)
	return g
}

// toolCount is how often a tool was called in the span.
type toolCount struct {
	name string
	n    int
}

// countCall counts a call of a tool for addToolLine.
func (d *draft) countCall(name string) {
	for i := range d.tools {
		if d.tools[i].name == name {
			d.tools[i].n++
			return
		}
	}
	if len(d.tools) < maxTools {
		d.tools = append(d.tools, toolCount{name, 1})
	}
}

const maxTools = 40 // a limit, since the list is searched linearly; more names do not help a reader

// newSaidGroup returns a new group for the sentences of one message.
func (d *draft) newSaidGroup(turn int) int32 {
	g := d.newGroup(groupSaid, "")
	d.groups[g].turn = int32(turn)
	return g
}

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

func (d *draft) section(u *unit) section {
	switch u.part {
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

func (d *draft) worthOf(u *unit) int {
	sum := int(u.base)
	for _, id := range d.pool[u.lo:u.hi] {
		sum += int(d.x.draftAtoms[id].worth)
	}
	return sum
}

// gain is the worth that u adds now, per thousand tokens, with the head of its group if that is not taken yet.
func (d *draft) gain(u *unit) int {
	worth, cost := d.worthOf(u), max(approxTokens(u.text), minCost)+markupTokens(u.part)
	switch u.part {
	case partName:
		cost--
	case partLine:
		worth = worth * lineBonus / 100
	default:
		worth = worth * sentenceBonus / 100
	}
	if g := &d.groups[u.group]; g.head >= 0 && u.part != partHead && d.units[g.head].tries != taken {
		head := &d.units[g.head]
		worth += d.worthOf(head)
		cost += approxTokens(head.text) + markupTokens(partHead)
	}
	return worth * 1000 / cost
}

const minCost = 10 // tokens at which a shorter unit is ranked: a few words take the place of a fact, too

// Factors in percent of the worth of a unit: a sentence, a declaration or a change shows how facts relate, a line less
// so, a bare name (100) not at all.
const (
	sentenceBonus = 300
	lineBonus     = 300
)

// setTask sets the state of a task, unless it is empty.
func (d *draft) setTask(id, subject, state string, turn int) {
	key := taskTitle + id
	g, ok := d.runs[key]
	if !ok {
		g = d.newGroup(groupTask, key)
		d.groups[g].outcome = taskUpdated
		d.runs[key] = g
	}
	gr := &d.groups[g]
	gr.turn, gr.old = int32(turn), false
	if subject != "" {
		gr.title = key + ": " + subject
	}
	if state != "" {
		gr.outcome = state
	}
}
