package summarize

import (
	"strings"
	"unicode/utf8"

	"tamp/core/msg"
)

// This file adds the results of calls.

// addResult adds the result of a call: its outcome, its error lines, test summaries, declarations and lines with atoms.
func (d *draft) addResult(origin callGroup, b *msg.Block, turn int) {
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
	failed := reported != "" || IsError(b)
	if isRun {
		if d.groups[g].outcome = outcome(b, reported); d.groups[g].outcome == d.groups[g].title {
			d.groups[g].outcome = ""
		}
		for _, i := range d.groups[g].errors { // the same command ran again: its errors now replace the old ones
			if d.units[i].base = worthOldError; !failed {
				d.units[i].part = partDropped
			}
		}
		d.groups[g].errors, d.groups[g].failed = nil, failed
	}
	told := func(line string) bool { // the head has the line
		return isRun && strings.HasSuffix(d.groups[g].outcome, ": "+shortLine(line, 240))
	}
	b = withoutFrame(b)
	if !failed && origin.act != actEdit && origin.act != actWrite {
		if d.addValues(g, b.Text, turn) || d.addWhole(g, b.Text, turn) {
			return
		}
	}
	if b.IsError || reported != "" {
		d.undo(origin)
	}
	var record members
	errors, first := 0, len(d.units)
	if reported != "" {
		if errors = maxErrors; !told(reported) {
			d.addError(g, turn, worthFirstError, 0, reported)
		}
	}
	for line := range unquotedLines(b.Text) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) < 4 {
			continue
		}
		text := strings.TrimSpace(line)
		isError := (failed || isRun) && isErrorLine(text)
		if isRun && !isError && len(record.joined)+len(text) <= 2*maxLineLength && record.add(text) {
			continue
		}
		d.addPieces(g, turn, record.take())
		if isError && errors < maxErrors {
			base := worthError
			switch {
			case !failed:
				base = worthOldError
			case errors == 0:
				base = worthFirstError
			}
			if errors++; !told(text) {
				d.addError(g, turn, base, minLineWorth, text)
			}
			continue
		}
		if isRun && isTestLine(text) {
			if text = shortLine(strings.Trim(text, "= "), 160); len(text) > 5 &&
				!strings.HasSuffix(d.groups[g].outcome, text) {
				d.add(g, partLine, turn, worthTest, 0, text)
			}
			continue
		}
		number, code := splitLineNumber(line)
		mark := ""
		if number != "" {
			mark = number + ": "
		}
		switch {
		case origin.act == actEdit || origin.act == actWrite: // the result repeats the change
			d.noteOwner(g, line)
		case !hasText(code), isRun && (isStyle(text) || statusStarts.has(text)), isPagingNote(text):
		case isRun && isManual(text):
			d.noteOwner(g, line)
		case isDeclaration(code):
			d.add(g, partDeclaration, turn, worthDeclared, minLineWorth, mark+declarationHead(code))
		default:
			pieces(code, maxLineLength, func(part string) {
				if d.add(g, partLine, turn, worthLine, minLineWorth, mark+part) && isError {
					d.groups[g].errors = append(d.groups[g].errors, int32(len(d.units)-1))
				}
				mark = ""
			})
		}
	}
	d.addPieces(g, turn, record.take())
	if first := firstTextLine(b.Text); failed && errors == 0 && !told(first) {
		d.addError(g, turn, worthFirstError, 0, first)
	}
	if origin.act == actRead && !isRun {
		for i := first; i < len(d.units); i++ {
			d.read[g] = append(d.read[g], int32(i))
		}
	}
}

// addPieces adds a line of joined pairs or members. It may have as many code points as two other lines.
func (d *draft) addPieces(g int32, turn int, line string) {
	pieces(line, 2*maxLineLength, func(part string) { d.add(g, partLine, turn, worthLine, minLineWorth, part) })
}

// undo takes a failed change of a file back: the file is not counted as changed, and the changed lines go.
func (d *draft) undo(call callGroup) {
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
func (d *draft) addError(g int32, turn, base int, minWorth int32, line string) {
	if n := len(d.units); d.addErrorLine(g, turn, base, minWorth, shortLine(line, 240)) {
		d.groups[g].errors = append(d.groups[g].errors, int32(n))
	}
}

// addErrorLine adds an error line. Of the lines that differ only in quoted text and numbers, the last maxAlike stay:
// "cannot access '/tmp/a'" for each file of a list is one error.
func (d *draft) addErrorLine(g int32, turn, base int, minWorth int32, line string) bool {
	n := int32(len(d.units))
	if !d.add(g, partError, turn, base, minWorth, line) {
		return false
	}
	key := withoutValues(line)
	alike := append(d.alike[key], n)
	if len(alike) > maxAlike {
		d.units[alike[0]].part = partDropped
		alike = alike[1:]
	}
	d.alike[key] = alike
	return true
}

const maxAlike = 2

// withoutValues is a line without its quoted texts and its digits.
func withoutValues(line string) string {
	var out []byte
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '\'' || c == '"' || c == '`') && strings.IndexByte(line[i+1:], c) >= 0 &&
			(i == 0 || !isLetter(line[i-1])): // not an apostrophe
			quote = c
		case !isDigit(c):
			out = append(out, c)
		}
	}
	return string(out)
}

// addWhole adds a short result as one unit, unless a part of it stays elsewhere. It reports whether it did.
func (d *draft) addWhole(g int32, text string, turn int) bool {
	if utf8.RuneCountInString(text) >= maxWhole {
		return false
	}
	stays := false
	Atoms(text, func(_ FactKind, name string) {
		id, ok := d.x.find(name)
		stays = stays || ok && d.x.atoms[id].kept
	})
	if stays {
		return false
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 || d.groups[g].outcome == strings.TrimSpace(text) {
		return true
	}
	if n := int32(len(d.units)); d.add(g, partLine, turn, worthLine, minLineWorth, strings.Join(lines, "\n  ")) {
		d.read[g] = append(d.read[g], n)
	}
	return true
}

const maxWhole = 400 // code points of a result that stays whole
