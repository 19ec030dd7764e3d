package extract

// The summary is chosen from units: a sentence, a line of a file, a changed line, a name. Units that speak of the same file, command or
// message form a group, and are written below its head.

// part is what a unit is within its group, and where it stands in the summary.
type part uint8

const (
	partHead part = iota
	partTask
	partConstraint
	partSaid
	partChange
	partDeclaration
	partLine
	partName
	partError
	partTodo
	partNow
	partDropped // a name that a later unit says better
)

type unit struct {
	text   string
	group  int32
	part   part
	tries  uint8
	lo, hi int32 // its atoms, in draft.pool
	number int32 // of its line in a file; 0 for none
	base   int32 // what it is worth beside its atoms
	turn   int32
}

type groupKind uint8

const (
	groupSaid groupKind = iota
	groupFile
	groupRun   // a command, or a call of any other tool
	groupTools // how often which tool was called
	groupNames // what no group owns
)

type group struct {
	kind    groupKind
	title   string
	tool    string
	done    [acts]uint16 // how often what happened
	turn    int32        // of the last time
	where   []string     // which parts were read
	outcome string
	errors  []int32 // the units of the last run's error lines
	head    int32   // its unit; -1 for none
}

// draft is the work of one summary.
type draft struct {
	x       *Index
	span    int32
	number  int32
	groups  []group
	units   []unit
	pool    []int32
	files   map[string]int32 // groups by path
	runs    map[string]int32 // groups by what was run
	focus   focus
	seen    map[string]struct{}
	tools   []toolCount
	touched []int32 // the atoms that it met
}

// The worth of things that are no atoms, in the same measure: permille of a use. Set by what a reader would miss most.
const (
	worthConstraint = 1500
	worthTask       = 900
	worthNow        = 700
	worthTodo       = 700
	worthDecision   = 400
	worthFinding    = 120
	worthPlan       = 40
	worthSaid       = 30
	worthFiller     = 6
	worthError      = 120
	worthOldError   = 10
	worthEdited     = 150
	worthRead       = 10
	worthTest       = 60
	worthChange     = 30
	worthDeclared   = 15
	worthLine       = 0
	leastLine       = 12 // the atoms of a line must add up to this, or it is not looked at further
	leastName       = 7
)

func newDraft(x *Index, span int) *draft {
	x.drafts++
	return &draft{x: x, span: int32(span), number: x.drafts, units: make([]unit, 1), files: map[string]int32{}, runs: map[string]int32{}, seen: map[string]struct{}{}}
}

// elsewhere divides the worth of an atom whose home is another span: the summary of that one will name it.
const elsewhere = 8

// meet is the draft's own view of an atom: made when the span first mentions it, so that a summary costs what its span
// costs and not what the conversation does.
func (d *draft) meet(id int32) *met {
	x := d.x
	m := &x.met[id]
	if m.draft != d.number {
		a := &x.atoms[id]
		*m = met{draft: d.number, owner: -1}
		if !a.kept && a.home >= 0 {
			if m.worth = a.worth; a.home != d.span {
				m.worth /= elsewhere
			}
		}
		if d.focus.atoms[a.text] {
			m.worth += worthFocused
		}
		d.touched = append(d.touched, id)
	}
	return m
}

// met is what one draft knows of an atom.
type met struct {
	draft int32 // the draft that this is of, numbered from 1
	owner int32 // the group that it was last met in; -1 for none
	worth int32 // what it still adds; 0 once it is covered
	name  int32 // the unit that was chosen to name it bare; 0 for none
}

// add makes a unit of text, unless the same text is there already or is worth too little. It reports whether it did.
func (d *draft) add(g int32, p part, turn int, base int, least int32, text string) bool {
	if text == "" {
		return false
	}
	if p != partHead {
		if _, ok := d.seen[text]; ok {
			return false
		}
	}
	if d.focus.hits(text) {
		base += worthFocused
	}
	lo := int32(len(d.pool))
	sum, onlyNumbers := int32(0), true
	Atoms(text, func(k Kind, s string) {
		if id, ok := d.x.ids[s]; ok {
			onlyNumbers = onlyNumbers && k == Number
			m := d.meet(id)
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
	if int(sum)+base < int(least) || base == 0 && (sum == 0 || number > 0 && onlyNumbers) {
		d.pool = d.pool[:lo]
		return false
	}
	if p != partHead {
		d.seen[text] = struct{}{}
	}
	d.units = append(d.units, unit{text: text, group: g, part: p, number: number, lo: lo, hi: int32(len(d.pool)), base: int32(base), turn: int32(turn)})
	return true
}

// lineNumber reads the number that opens a line of a listing.
func lineNumber(text string) int32 {
	n := int32(0)
	for i := 0; i < len(text) && i < 8; i++ {
		switch {
		case isDigit(text[i]):
			n = n*10 + int32(text[i]-'0')
		case i > 0 && text[i] == ':':
			return n
		default:
			return 0
		}
	}
	return 0
}

// own notes which group the atoms of a text belong to, where no unit was made of it.
func (d *draft) own(g int32, text string) {
	Atoms(text, func(_ Kind, s string) {
		if id, ok := d.x.ids[s]; ok {
			d.meet(id).owner = g
		}
	})
}

func (d *draft) newGroup(k groupKind, title string) int32 {
	d.groups = append(d.groups, group{kind: k, title: title, head: -1})
	return int32(len(d.groups) - 1)
}

func (d *draft) file(path string, a act, turn int) int32 {
	g, ok := d.files[path]
	if !ok {
		g = d.newGroup(groupFile, path)
		d.files[path] = g
	}
	d.groups[g].done[a]++
	d.groups[g].turn = int32(turn)
	return g
}

func (d *draft) run(tool, title string, turn int) int32 {
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

func (d *draft) called(name string) {
	for i := range d.tools {
		if d.tools[i].name == name {
			d.tools[i].n++
			return
		}
	}
	if len(d.tools) < mostTools {
		d.tools = append(d.tools, toolCount{name, 1})
	}
}

const mostTools = 40 // more different names than this are noise, and the list is searched
