package summarize

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/words"
)

// slowSummary condenses earlier summaries the slow way: it keeps texts instead of numbers of atoms, looks at every unit
// for each choice instead of a heap, and adds up the weights of all covered facts again. Only the facts of the words
// (Atoms and their worth) and the constants are those of the fast one.
type slowSummary struct {
	x        *Index
	counter  tokens.Counter
	groups   []*slowGroup
	units    []*slowUnit
	owner    map[string]*slowGroup // of names: the group that mentioned it last
	mentions []string              // names in the order of their first mention
	listed   map[string]bool       // names in a line
	covered  map[string]bool       // names in a chosen unit
	seen     map[string]bool       // texts of units
	firsts   int                   // lines with the worth of a first value
}

type slowGroup struct {
	kind   groupKind
	number int
	title  string // a path, or a whole line of an earlier summary
	key    string
	turn   int
	old    bool
	done   map[act]int
	head   *slowUnit
}

type slowUnit struct {
	text       string
	group      *slowGroup
	part       part
	number     int // in the order of the earlier summaries
	turn       int
	base       int
	names      []string // with repetitions
	gap, opens bool
	taken      bool
	tries      int
}

func (s *slowSummary) newGroup(k groupKind, turn int, old bool) *slowGroup {
	g := &slowGroup{kind: k, number: len(s.groups), turn: turn, old: old, done: map[act]int{}}
	s.groups = append(s.groups, g)
	return g
}

func (s *slowSummary) said(turn int) *slowGroup {
	if n := len(s.groups); n > 0 && s.groups[n-1].kind == groupSaid && s.groups[n-1].turn == turn && s.groups[n-1].old {
		return s.groups[n-1]
	}
	return s.newGroup(groupSaid, turn, true)
}

func (s *slowSummary) find(k groupKind, key string, turn int) *slowGroup {
	for _, g := range s.groups {
		if g.kind == k && g.key == key {
			g.turn = turn
			return g
		}
	}
	g := s.newGroup(k, turn, true)
	g.key = key
	return g
}

// names returns the known names of a text.
func (s *slowSummary) names(text string) []string {
	var out []string
	Atoms(text, func(_ FactKind, name string) {
		if _, ok := s.x.findAtom(name); ok {
			out = append(out, name)
		}
	})
	return out
}

// worth is that of a name at the beginning.
func (s *slowSummary) worth(name string) int {
	at, _ := s.x.findAtom(name)
	a := &s.x.atoms[at]
	if !a.old {
		return 0 // summaries are all that is condensed
	}
	worth := int(a.worth)
	if a.kind == Path || a.kind == Identifier {
		worth = max(worth, worthOldName)
	}
	if a.kept {
		worth = worth * worthElsewhere / 100
	}
	return worth
}

// mention makes a group the owner of the names of a text.
func (s *slowSummary) mention(g *slowGroup, text string, onlyWithout bool) {
	for _, name := range s.names(text) {
		if !slices.Contains(s.mentions, name) {
			s.mentions = append(s.mentions, name)
		}
		if !onlyWithout || s.owner[name] == nil {
			s.owner[name] = g
		}
	}
}

func (s *slowSummary) add(g *slowGroup, p part, turn, base int, text string) *slowUnit {
	if text == "" || p != partHead && s.seen[text] {
		return nil
	}
	s.mention(g, text, false)
	u := &slowUnit{text: text, group: g, part: p, number: len(s.units) + 1, turn: turn, base: base}
	for _, name := range s.names(text) {
		if s.worth(name) > 0 {
			u.names = append(u.names, name)
			s.listed[name] = s.listed[name] || p != partHead
		}
	}
	s.seen[text] = s.seen[text] || p != partHead
	s.units = append(s.units, u)
	return u
}

// read adds the lines of one earlier summary, without its label.
func (s *slowSummary) read(text string, turn int) {
	heading, at := "", turn
	var last *slowGroup
	for _, line := range strings.Split(text, "\n") {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			heading = title
			continue
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		body, item := strings.CutPrefix(line, "- ")
		if heading == "In progress at that point" {
			at = 9 // the last turn of the label
		}
		if after, ok := strings.CutPrefix(body, "turn "); ok {
			number, rest, _ := strings.Cut(after, ": ")
			at, _ = strconv.Atoi(number)
			body = rest
		}
		body = strings.TrimSpace(body)
		switch heading {
		case "Files", "Commands and tools, with results":
			if item || last == nil {
				last = s.readHead(heading, body, at)
			} else if names, ok := strings.CutPrefix(body, "names: "); ok {
				s.mention(last, names, false)
			} else {
				s.add(last, partLine, at, worthOldLine, body)
			}
		case "Errors seen":
			s.add(s.said(at), partError, at, worthOldError, body)
		case "Other names":
			for _, name := range s.names(body) {
				if s.owner[name] == nil {
					s.mention(s.said(at), name, true)
				} else {
					s.mention(nil, name, true)
				}
			}
		default:
			base := worthOldSaid
			if isFirstValue(body, at) && s.firsts < maxFirstValues {
				s.firsts++
				base = worthOldFirst
			} else if isDecision(body) {
				base = worthOldDecision
			}
			g := s.said(at)
			for i, fragment := range strings.Split(body, " · ") {
				if u := s.add(g, partSaid, at, base, fragment); u != nil {
					u.opens, u.gap = i == 0, i > 0
				}
			}
		}
	}
}

func (s *slowSummary) readHead(heading, line string, turn int) *slowGroup {
	i := strings.LastIndex(line, " (")
	if heading != "Files" || i < 0 || !strings.HasSuffix(line, ")") {
		if strings.HasPrefix(line, "called: ") {
			return s.newGroup(groupNames, 0, false)
		}
		title, _, _ := strings.Cut(line, " → ")
		g := s.find(groupRun, title, turn)
		g.title = line
		return g
	}
	g := s.find(groupFile, line[:i], turn)
	g.title = line[:i]
	for _, action := range strings.Split(line[i+2:len(line)-1], ", ") {
		word, times, _ := strings.Cut(action, " ×")
		for a, w := range actWords {
			if w == word {
				count, err := strconv.Atoi(times)
				if err != nil {
					count = 1
				}
				g.done[act(a)] += count
			}
		}
	}
	return g
}

// finish adds the heads and the bare names.
func (s *slowSummary) finish() {
	for _, g := range slices.Clone(s.groups) {
		if g.kind != groupFile && g.kind != groupRun {
			continue
		}
		base, text := worthRead, g.title
		if g.kind == groupFile {
			var actions []string
			for a, word := range actWords {
				switch n := g.done[act(a)]; {
				case n > 1:
					actions = append(actions, fmt.Sprintf("%s ×%d", word, n))
				case n == 1:
					actions = append(actions, word)
				}
			}
			if len(actions) == 0 {
				actions = []string{"not changed: the edit failed"}
			}
			text += " (" + strings.Join(actions, ", ") + ")"
			for _, a := range []act{actEdit, actWrite, actDelete, actMove} {
				if g.done[a] > 0 {
					base += worthEdited
				}
			}
			if g.done[actDelete] > 0 {
				base = worthOldRun
			}
		} else if !strings.Contains(text, "` → exit ") && !strings.Contains(text, "` → failed") {
			base = worthOldRun
		}
		g.head = s.add(g, partHead, g.turn, base, text)
	}
	var loose *slowGroup
	count := map[*slowGroup]int{}
	for _, name := range s.mentions {
		at, _ := s.x.findAtom(name)
		a, g := &s.x.atoms[at], s.owner[name]
		if s.worth(name) < minNameWorth || a.kind == Number || g == nil || s.listed[name] && !(a.old && g.kind == groupFile) {
			continue
		}
		if g.kind == groupSaid {
			if loose == nil {
				loose = s.newGroup(groupNames, 0, false)
			}
			g = loose
		}
		if count[g]++; count[g] <= maxNames {
			s.units = append(s.units, &slowUnit{text: name, group: g, part: partName, number: len(s.units) + 1,
				turn: int(a.lastSeen), names: []string{name}})
		}
	}
}

func (s *slowSummary) value(u *slowUnit) int {
	sum := u.base
	for _, name := range u.names {
		if !s.covered[name] {
			sum += s.worth(name)
		}
	}
	return sum
}

func (s *slowSummary) gain(u *slowUnit) int {
	worth, cost := 3*s.value(u), max(approxTokens(u.text), minCost)+markupTokens(u.part)
	if u.part == partName {
		worth, cost = s.value(u), cost-1
	}
	if h := u.group.head; h != nil && h != u && !h.taken {
		worth, cost = worth+s.value(h), cost+approxTokens(h.text)+markupTokens(partHead)
	}
	return worth * 1000 / cost
}

func (s *slowSummary) sectionOf(u *slowUnit) section {
	switch {
	case u.part == partSaid:
		return sectionSaid
	case u.part == partError:
		return sectionErrors
	case u.group.kind == groupFile:
		return sectionFiles
	case u.group.kind == groupRun:
		return sectionRuns
	}
	return sectionNames
}

// chooser returns a function that takes units for more tokens, and returns all chosen ones in the order in which they
// were taken, the tokens of all that were taken, and the number of those that could be.
func (s *slowSummary) chooser() func(more int) (chosen []*slowUnit, spent, others int) {
	left, spent := 0, 0
	type candidate struct {
		gain int
		unit *slowUnit
	}
	var queue []candidate
	for _, u := range s.units {
		if g := s.gain(u); g > 0 && u.part != partDropped {
			queue = append(queue, candidate{g, u})
		}
	}
	var chosen []*slowUnit
	opened := map[section]bool{}
	cost := func(u *slowUnit) int {
		n := s.counter.Count(u.text) + markupTokens(u.part)
		if at := s.sectionOf(u); !opened[at] {
			n += s.counter.Count(headings[at]) + 3
		}
		return n
	}
	take := func(u *slowUnit, n int) {
		left, spent = left-n, spent+n
		u.taken = true
		opened[s.sectionOf(u)] = true
		for _, name := range u.names {
			s.covered[name] = true
			if u.part == partName {
				continue
			}
			chosen = slices.DeleteFunc(chosen, func(other *slowUnit) bool {
				bare := other.part == partName && other.text == name
				if bare {
					left += s.counter.Count(name) + markupTokens(partName)
				}
				return bare
			})
		}
		chosen = append(chosen, u)
	}
	best := func() int {
		at := 0
		for i := range queue {
			if q, b := queue[i], queue[at]; q.gain > b.gain || q.gain == b.gain && q.unit.number < b.unit.number {
				at = i
			}
		}
		return at
	}
	return func(more int) ([]*slowUnit, int, int) {
		left = more
		var refused []candidate
		for len(queue) > 0 && left > minRoom && len(refused) < maxRefused {
			at := best()
			top := queue[at]
			queue = slices.Delete(queue, at, at+1)
			u := top.unit
			now := s.gain(u)
			if u.taken || now == 0 {
				continue
			}
			if now < top.gain && u.tries < maxTries && len(queue) > 0 && now < queue[best()].gain {
				u.tries++
				queue = append(queue, candidate{now, u})
				continue
			}
			n, headCost := cost(u), 0
			head := u.group.head
			if head == u || head != nil && head.taken {
				head = nil
			}
			if head != nil {
				headCost = cost(head)
			}
			if n+headCost > left {
				refused = append(refused, candidate{now, u})
				continue
			}
			if head != nil {
				take(head, headCost)
			}
			take(u, n)
		}
		queue = append(queue, refused...)
		return slices.Clone(chosen), spent, len(queue)
	}
}

// write writes the chosen units.
func (s *slowSummary) write(chosen []*slowUnit) string {
	var out []string
	for at := range section(len(headings)) {
		var units []*slowUnit
		for _, u := range chosen {
			if s.sectionOf(u) == at {
				units = append(units, u)
			}
		}
		if len(units) == 0 {
			continue
		}
		line := func(u *slowUnit) int { return int(lineNumber(u.text)) }
		slices.SortStableFunc(units, func(a, b *slowUnit) int {
			if at == sectionErrors {
				return cmp.Compare(a.number, b.number)
			}
			c := cmp.Or(cmp.Compare(a.group.turn, b.group.turn), cmp.Compare(a.group.number, b.group.number))
			if c == 0 && a.part == partLine && b.part == partLine && (line(a) > 0) != (line(b) > 0) {
				return cmp.Compare(line(b), 0) - cmp.Compare(line(a), 0)
			}
			if c == 0 && a.part == partLine && b.part == partLine {
				c = cmp.Compare(line(a), line(b))
			}
			return cmp.Or(c, cmp.Compare(a.part, b.part), cmp.Compare(a.number, b.number))
		})
		text := "## " + headings[at]
		for i, u := range units {
			first := i == 0 || units[i-1].group != u.group
			newPart := first || units[i-1].part != u.part
			adjacent := i > 0 && units[i-1].number+1 == u.number && !u.gap
			switch {
			case at == sectionErrors, at != sectionFiles && at != sectionRuns && at != sectionNames && first:
				text += fmt.Sprintf("\n- turn %d: %s", u.turn, u.text)
			case at == sectionSaid && adjacent && u.opens:
				text += "\n  " + u.text
			case at == sectionSaid && adjacent:
				text += " " + u.text
			case at == sectionSaid:
				text += " · " + u.text
			case u.part == partHead:
				text += "\n- " + u.text
			case u.part == partName && newPart:
				text += "\n  names: " + u.text
			case u.part == partName:
				text += ", " + u.text
			default:
				text += "\n  " + u.text
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n\n")
}

// slowCondense is Summarize for a span of the first n messages, which are summaries.
func slowCondense(c *msg.Conversation, n, maxTokens int, counter tokens.Counter) string {
	s := &slowSummary{x: New(c, []msg.Span{{End: n}}, nil), counter: counter, owner: map[string]*slowGroup{},
		listed: map[string]bool{}, covered: map[string]bool{}, seen: map[string]bool{}}
	for m := range n {
		_, text, _ := strings.Cut(c.Messages[m].Blocks[0].Text, "]\n")
		_, text = words.Cut(text)
		s.read(text, c.Turns()[m])
	}
	s.finish()
	head, budget := "", maxTokens
	if maxTokens >= roomForOpening {
		head = opening + "\n"
		budget -= counter.Count(head)
	}
	fill := s.chooser()
	chosen, spent, others := fill(budget + budget*maxOverfill/1000)
	for try := 0; len(chosen) > 0 && others > 0 && try < maxFills; try++ {
		size, before := counter.Count(head+s.write(chosen)), len(chosen)
		if size >= maxTokens-maxTokens/minFilled {
			break
		}
		if chosen, spent, others = fill((maxTokens - size) * spent / max(size, 1)); len(chosen) == before {
			break
		}
	}
	for len(chosen) > 0 {
		text := head + s.write(chosen)
		over := counter.Count(text) - maxTokens
		if over <= 0 {
			return text
		}
		for ; len(chosen) > 0 && over > 0; chosen = chosen[:len(chosen)-1] {
			over -= counter.Count(chosen[len(chosen)-1].text) + 1
		}
	}
	return ""
}
