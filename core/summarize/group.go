package summarize

import (
	"slices"
	"strconv"
	"strings"
)

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
	from    int     // the first unit of the last result
	to      int     // the unit after the last one
	errors  []int32 // the units of the last run's error lines
	deleted int     // the units before this one are of a file that was deleted after them
	head    int32   // its unit; -1 for none
	old     bool    // from an earlier summary
	text    string  // the head as an earlier summary has it; "" = write it from the other fields
}

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
			b.WriteString(arrow)
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

// arrow is before the outcome of a command.
const arrow = " → "

// maxWhere is the number of listed parts of a file that were read; the last ones are listed.
const maxWhere = 6

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

// worthOfTask is the base worth of the head of a task.
func (g *group) worthOfTask() int {
	switch {
	case g.outcome == "completed" || g.outcome == "deleted":
		return worthTodo / 20
	case g.old:
		return worthOldTodo
	}
	return worthTodo
}

// worthOfBackground is the worth of the head of work that still runs in the background, or has ended there; 0 for
// another group.
func (g *group) worthOfBackground() int {
	outcome := g.outcome
	if g.text != "" {
		_, outcome, _ = strings.Cut(g.text, arrow)
	}
	if id, _ := started(outcome); id != "" {
		return worthRunning
	}
	if strings.HasPrefix(outcome, background) {
		return worthReport
	}
	return 0
}

// isFailedHead reports the head of a command that failed, as headText wrote it.
func isFailedHead(text string) bool {
	_, outcome, _ := strings.Cut(text, "` → ")
	return strings.HasPrefix(outcome, "exit ") || strings.HasPrefix(outcome, "failed")
}
