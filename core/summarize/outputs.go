package summarize

import (
	"strings"

	"tamp/core/msg"
	"tamp/core/provenance"
)

// This file adds the results of calls.

// addResult adds the result of a call: its outcome, its error lines, test summaries, declarations and lines with atoms.
func addResult(d *draft, origin callGroup, b *msg.Block, turn int) {
	if origin.group < 0 {
		return
	}
	b = unwrapped(withoutReminders(withoutColors(b)))
	g := origin.group
	isRun, reported := d.groups[g].kind == groupRun, ""
	if b.IsError {
		reported = rejection(b.Text)
	}
	if isRun && reported == "" { // a file that was read can have a member error
		reported = jsonError(b.Text)
	}
	failed, tests := reported != "" || IsError(b), isRun
	if isRun && !asksForRunning(b.Text) {
		var how string
		how, tests = outcome(b, reported)
		setOutcome(d, origin, how, failed)
		if id, _ := started(b.Text); origin.run && id != "" {
			d.running[id] = g
		}
	}
	from := len(d.units)
	defer func() { d.groups[g].from, d.groups[g].to = from, len(d.units) }()
	if b.IsError || reported != "" {
		undo(d, origin)
	}
	worth := worthLine
	if !d.x.files && origin.run && isRun && !failed && len(b.Text) <= maxFinding &&
		oneLine(b.Text) != d.groups[g].outcome {
		worth = worthFinding // unless the head has it
	}
	errors := 0
	addError := func(base int, minWorth int32, line string) {
		if errors++; !isRun || !strings.HasSuffix(d.groups[g].outcome, ": "+shortLine(line, 240)) { // the head has the line
			addError(d, g, turn, base, minWorth, line)
		}
	}
	if reported != "" {
		addError(worthFirstError, 0, reported)
		errors = maxErrors
	}
	for line, rest := provenance.NextLine(b.Text); line != ""; line, rest = provenance.NextLine(rest) {
		for n := len(line); n > 0 && (line[n-1] == '\n' || line[n-1] == '\r'); n-- {
			line = line[:n-1]
		}
		text := strings.TrimSpace(line)
		isError := (failed || isRun) && isErrorLine(text)
		switch {
		case len(line) < 4:
		case isError && errors < maxErrors:
			base := worthError
			switch {
			case !failed:
				base = worthOldError
			case errors == 0:
				base = worthFirstError
			}
			addError(base, minLineWorth, text)
		case tests && isTestLine(text):
			if text = shortLine(strings.Trim(text, "= "), 160); len(text) > 5 &&
				!strings.HasSuffix(d.groups[g].outcome, text) {
				d.addUnit(g, partLine, turn, worthTest, 0, text)
			}
		case origin.act == actEdit || origin.act == actWrite: // the result repeats the change
			d.noteOwner(g, line)
		default:
			addResultLine(d, g, turn, worth, line, isError)
		}
	}
	if first := firstTextLine(b.Text); failed && errors == 0 {
		addError(worthFirstError, 0, first)
	}
}

// addNotification adds the result of work in the background to the group of its call.
func addNotification(d *draft, n notification, turn int) {
	g, ok := d.running[n.id]
	if !ok { // it began before the span
		g = d.runGroup("task", n.id, turn)
	}
	failed := n.status == "failed"
	addResult(d, callGroup{group: g}, &msg.Block{Kind: msg.KindToolResult, Text: n.result, IsError: failed}, turn)
	setOutcome(d, callGroup{group: g}, background+shortLine(n.status+": "+n.result, maxReport), failed)
	d.groups[g].turn = int32(turn)
}

// setOutcome sets how the last run of a command ended. It replaces the errors of earlier runs, and the lines of a call.
func setOutcome(d *draft, call callGroup, outcome string, failed bool) {
	g := &d.groups[call.group]
	if g.outcome = outcome; outcome == g.title {
		g.outcome = ""
	}
	if g.text != "" { // work of an earlier summary
		title, _, _ := strings.Cut(g.text, arrow)
		g.text = title + arrow + outcome
	}
	for i := g.from; i < g.to && call.run; i++ {
		if u := &d.units[i]; u.part == partLine || u.part == partDeclaration {
			u.part = partDropped
			delete(d.seen, u.text)
		}
	}
	for _, i := range g.errors {
		if d.units[i].base = worthOldError; !failed {
			d.units[i].part = partDropped
		}
	}
	g.errors, g.failed = nil, failed
}

// maxFinding is the length of the results, in bytes, that are the findings of a conversation without files: what an
// agent looks up of a customer or an order is used later, and nothing else has it.
const maxFinding = 600

// addResultLine adds a line of a result: a declaration of a file, or its parts that have facts. isError marks an error
// line behind the first maxErrors.
func addResultLine(d *draft, g int32, turn, worth int, line string, isError bool) {
	number, code := splitLineNumber(line)
	mark := ""
	if number != "" {
		mark = number + ": "
	}
	switch {
	case !hasText(code), isCapitals(code):
	case isDeclaration(code):
		d.addUnit(g, partDeclaration, turn, worthDeclared, minLineWorth, mark+declarationHead(code))
	default:
		pieces(code, maxLineLength, func(part string) {
			if d.addUnit(g, partLine, turn, worth, minLineWorth, mark+part) && isError {
				d.groups[g].errors = append(d.groups[g].errors, int32(len(d.units)-1))
			}
			mark = ""
		})
	}
}

// undo takes a failed change of a file back: the file is not counted as changed, and the changed lines go.
func undo(d *draft, call callGroup) {
	g := &d.groups[call.group]
	if g.kind != groupFile || call.act != actEdit && call.act != actWrite || g.done[call.act] == 0 {
		return
	}
	g.done[call.act]--
	for i := call.from; i < call.to; i++ {
		if u := &d.units[i]; u.group == call.group {
			u.part = partDropped
		}
	}
}

// rejection is the error of a call that the user did not allow, with the reason if the user gave one; "" for others.
// Claude Code writes it.
func rejection(text string) string {
	if !strings.HasPrefix(text, rejected) {
		return ""
	}
	_, reason, _ := strings.Cut(text, "the user said:")
	if reason = strings.TrimSpace(reason); reason == "" {
		return rejected + "."
	}
	return rejected + ": " + oneLine(reason)
}

const rejected = "The user doesn't want to proceed with this tool use"

const maxErrors = 6 // error lines of one result

// addError adds an error line of a group's last run.
func addError(d *draft, g int32, turn, base int, minWorth int32, line string) {
	if n := len(d.units); d.addUnit(g, partError, turn, base, minWorth, shortLine(line, 240)) {
		d.groups[g].errors = append(d.groups[g].errors, int32(n))
	}
}

// callGroup is the group of a call, which its result belongs to; group is -1 if the result is not read.
type callGroup struct {
	group    int32
	act      act
	from, to int  // the units of the call
	run      bool // the result is one of a call
}
