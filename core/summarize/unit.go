package summarize

import "strings"

// The summary is chosen from units: a sentence, a line of a file, a changed line, a name. Units about the same file,
// command or message form a group and are written below its head.

// part is the kind of a unit, which sets its section and its order within the group.
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
	partDropped // a bare name that a unit taken later contains, or an error that is gone
)

type unit struct {
	text   string
	group  int32
	part   part
	tries  uint8
	gap    bool  // the sentence before it is no unit
	opens  bool  // the first of its line
	listed bool  // of partConstraint: one of many in a text
	lo, hi int32 // its atoms, in draft.pool
	number int32 // line number in a file; 0 for none
	base   int32 // worth in addition to its atoms
	turn   int32
}

type groupKind uint8

const (
	groupSaid groupKind = iota
	groupFile
	groupRun   // a command, or a call of any other tool
	groupTask  // a task of the agent, with its last state
	groupTools // how often which tool was called
	groupNames // names without a group of their own
)

type group struct {
	kind    groupKind
	title   string
	tool    string
	done    [acts]uint16 // number of calls by action
	turn    int32        // of the last call
	where   []string     // the parts that were read
	outcome string
	failed  bool    // the last run failed
	errors  []int32 // the units of the last run's error lines
	head    int32   // its unit; -1 for none
	old     bool    // from an earlier summary
	text    string  // the head as an earlier summary has it; "" = write it from the other fields
}

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
	touched []int32 // the atoms that the span mentions
	omitted int     // statements of the user that did not fit
	firsts  int     // lines of earlier summaries with the worth of a first value
}

// The base worth of units, in the unit of an atom's worth: permille of one later use. Set by hand: the facts that a
// reader would miss are worth more.
const (
	worthConstraint = 1500
	worthTask       = 900
	worthNow        = 700
	worthTodo       = 700
	worthDecision   = 250
	worthFinding    = 80
	worthPlan       = 40
	worthSaid       = 8
	worthError      = 120
	worthFirstError = 400 // with its command
	worthOldError   = 10
	worthFailed     = 300 // a command that failed and did not succeed later
	worthEdited     = 150
	worthRead       = 80
	worthTest       = 60
	worthChange     = 20
	worthDeclared   = 3 // the file can be read again
	worthLine       = 0
	minLineWorth    = 8 // the minimal worth of a line, with its atoms
	minNameWorth    = 7 // the minimal worth of an atom that is listed as a bare name
)

// The base worth of units of earlier summaries. It is low, so that a line is kept for its names: sentences without any
// fill a summary of summaries otherwise. Paths and identifiers count as much as a finding at any age: the lines do not
// say how often they were used, and the State only names those that were written in several messages.
const (
	worthOldTask     = 600 // the first line of a prompt
	worthOldTaskMore = 50  // its second line
	worthOldTaskRest = 15
	worthOldFirst    = 3000 // a value of the first turns: at 1000 often written names displace it
	worthOldDecision = 250
	worthOldSaid     = 30
	worthOldTodo     = 200 // a task that is not completed
	worthOldRun      = 20  // also of a deleted file
	worthOldLine     = 8
	worthOldName     = 200  // a path or an identifier
	worthOftenName   = 1200 // any name that was often written: at 900 fewer of them are left, at 1600 fewer of the others

	worthElsewhere = 50 // percent of the worth of a name of an earlier summary that is also outside of the span
)

// isFirstValue reports whether a sentence states a value in the first turns: the rest of the session is built on it.
func isFirstValue(sentence string, turn int) bool {
	return turn <= firstTurns && strings.ContainsAny(sentence, "0123456789")
}

const (
	firstTurns     = 3
	maxFirstValues = 8 // of earlier summaries: a session of one prompt has only one turn
)

func newDraft(x *Index, span int) *draft {
	x.drafts++
	return &draft{x: x, span: int32(span), number: x.drafts, units: make([]unit, 1), files: map[string]int32{},
		runs: map[string]int32{}, seen: map[string]struct{}{}}
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

// draftAtom is the state of an atom in one draft.
type draftAtom struct {
	draft int32 // number of the draft, from 1; the state of an earlier draft is stale
	owner int32 // the group that mentioned it last; -1 for none
	worth int32 // remaining worth; 0 after a chosen unit contains it
	name  int32 // the chosen unit of its bare name; 0 for none

	inLine bool // a unit other than a head contains it
}

// add adds a unit, unless its text is empty, repeated, or worth less than minWorth. It reports whether the unit was
// added.
func (d *draft) add(g int32, p part, turn int, base int, minWorth int32, text string) bool {
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
		if id, ok := d.x.find(s); ok {
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

// lineNumber reads the number at the start of a line, before a colon; 0 if there is none.
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

// noteOwner sets the owner of the atoms of a text that is not a unit.
func (d *draft) noteOwner(g int32, text string) {
	Atoms(text, func(_ FactKind, s string) {
		if id, ok := d.x.find(s); ok {
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
