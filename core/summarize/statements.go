package summarize

import (
	"cmp"
	"slices"
	"strconv"

	"tamp/core/internal/order"
	"tamp/core/provenance"
	"tamp/core/tokens"
)

// The user's statements are pinned: they survive every summary until the user replaces or revokes them.

// addSummary counts the atoms of an earlier summary by its lines. A line represents several occurrences, since it was
// worth keeping. It reads the user's statements, or counts only the atom with an id.
func (x *Index) addSummary(m, span int, text string, only int32) {
	turn := x.turns[m]
	for s, line := range x.linesOf(text) {
		if line.turn > 0 {
			turn = line.turn
		}
		user := section(s) == sectionTask || section(s).pinned()
		if section(s).pinned() && only == everyAtom {
			x.statements = append(x.statements, x.known.statementsOf(unquote(line.text))...)
		}
		Atoms(line.text, func(k FactKind, name string) {
			id := x.known.id(name)
			if !x.counts(id, only) {
				return
			}
			a := x.addAtom(fact{id, k}, m, span, !user, user, section(s) == sectionErrors)
			a.old = true
			a.seen = min(a.seen+occurrencesOfOldLine, maxCounted)
			if a.lastSeen = int32(turn); !user {
				a.lastSaid = int32(turn)
			}
		})
	}
}

const occurrencesOfOldLine = 2

// resolveStatements finds the statements that a later one replaced or revoked.
func (x *Index) resolveStatements() {
	x.dropped = map[string]bool{}
	holds := x.known.holding(x.statements)
	for i := range x.statements {
		if !holds[i] {
			x.dropped[x.statements[i].Text] = true
		}
	}
	for i := range x.statements { // repeated, not replaced
		if holds[i] {
			delete(x.dropped, x.statements[i].Text)
		}
	}
}

// replaced reports whether one of the statements does not hold any more.
func (x *Index) replaced(statements map[string]bool) bool {
	for text := range statements {
		if x.dropped[text] {
			return true
		}
	}
	return false
}

// takeConstraints takes the user's statements. If they do not fit the budget, the longest are cut to their binding
// clause, and what then does not fit is left out: those of long lists first, then facts, preferences, goals and rules,
// the oldest of each first.
func (d *draft) takeConstraints(counter tokens.Counter, budget int, take func(int32) bool) {
	var pinned []int32
	total := counter.Count(headings[sectionConstraints]) + 3
	for i := range d.units {
		if u := &d.units[i]; u.part == partConstraint {
			pinned = append(pinned, int32(i))
			total += LineTokens(u.text, counter.Count)
		}
	}
	longest := slices.Clone(pinned)
	order.Stable(longest, func(a, b int32) int {
		x, y := &d.units[a], &d.units[b]
		return cmp.Or(listedFirst(x.listed, y.listed), len(y.text)-len(x.text))
	})
	for _, i := range longest {
		if total <= budget {
			break
		}
		u := &d.units[i]
		c := provenance.Constraint{Text: u.text}
		total -= LineTokens(u.text, counter.Count)
		u.text = provenance.BindingClause(c, bindingLimit)
		total += LineTokens(u.text, counter.Count)
	}
	slices.Reverse(pinned) // the newest first
	order.Stable(pinned, func(a, b int32) int {
		return cmp.Or(listedFirst(d.units[b].listed, d.units[a].listed), int(d.kindOf(a))-int(d.kindOf(b)))
	})
	for _, i := range pinned {
		if !take(i) {
			d.omitted++
		}
	}
}

// listedFirst orders two statements, of which one of a long list comes first.
func listedFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

func (d *draft) kindOf(i int32) provenance.Kind {
	return d.x.known.statementsOf(d.units[i].text)[0].Kind
}

const bindingLimit = 120 // code points

// omittedLine is the last line of a summary in which not all statements of the user fit. n is their number.
func omittedLine(n int) string {
	if n == 0 {
		return ""
	}
	return "\n\n" + omittedStart + strconv.Itoa(n)
}

const omittedStart = "Older statements of the user that are only in the originals: "

// unquote removes the quotation marks around a line of the section of constraints.
func unquote(line string) string {
	if len(line) >= 2 && line[0] == '"' && line[len(line)-1] == '"' {
		return line[1 : len(line)-1]
	}
	return line
}
