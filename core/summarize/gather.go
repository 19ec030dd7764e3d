package summarize

import (
	"strings"

	"tamp/core/msg"
)

// gather adds the units of the span.
func (d *draft) gather() {
	x, span := d.x, d.x.spans[d.span]
	lastText := x.lastAssistantText(span)
	calls := map[msg.Ref]callGroup{}
	for m := span.Start; m < span.End; m++ {
		message, turn := &x.c.Messages[m], x.turns[m]
		said := int32(-1)
		for b := range message.Blocks {
			block, ref := &message.Blocks[b], msg.Ref{Message: m, Block: b}
			switch block.Kind {
			case msg.KindText, msg.KindSummary, msg.KindDocument:
				switch {
				case message.Role == msg.User && block.IsInjected():
				case message.Role == msg.User && block.Kind == msg.KindText && !message.Meta:
					d.addPrompt(block.Text, turn)
				default:
					if said < 0 {
						said = d.newGroup(groupSaid, "")
						d.groups[said].turn = int32(turn)
					}
					d.addAssistantText(said, block.Text, turn, ref == lastText)
				}
			case msg.KindToolUse:
				calls[ref] = d.addCall(block, turn, ref == x.lastTodo)
			case msg.KindToolResult:
				origin, ok := calls[msg.Ref{Message: -1}], false
				if r, found := x.pairs.Call(ref); found {
					origin, ok = calls[r]
				}
				if !ok {
					origin = callGroup{group: d.runGroup("tool", x.pairs.ToolName(x.c, ref), turn)}
				}
				d.addResult(origin, block, turn)
			}
		}
	}
	d.addToolLine()
	d.addHeads()
	d.addNames()
}

// lastAssistantText is the last text of the assistant in the span, if it is the last span; otherwise its Message is -1.
func (x *Index) lastAssistantText(span msg.Span) msg.Ref {
	if len(x.spans) > 0 && x.spans[len(x.spans)-1] != span {
		return msg.Ref{Message: -1}
	}
	for m := span.End - 1; m >= span.Start; m-- {
		for b := len(x.c.Messages[m].Blocks) - 1; b >= 0; b-- {
			if block := &x.c.Messages[m].Blocks[b]; block.Kind == msg.KindText &&
				x.c.Messages[m].Role == msg.Assistant && len(block.Text) > 20 {
				return msg.Ref{Message: m, Block: b}
			}
		}
	}
	return msg.Ref{Message: -1}
}

// addPrompt adds the sentences of a user prompt: constraints word for word, the others as the task. The first three
// sentences are worth most.
func (d *draft) addPrompt(text string, turn int) {
	g := d.newGroup(groupSaid, "")
	d.groups[g].turn = int32(turn)
	n := 0
	sentences(text, func(s string) {
		n++
		switch {
		case len(s) <= 600 && isConstraint(s):
			d.add(g, partConstraint, turn, worthConstraint, 0, s)
		default:
			base := worthTask
			if n > 3 {
				base = worthTask / (n + 1)
			}
			d.add(g, partTask, turn, base, 0, shortLine(s, 400))
		}
	})
}

// maxSentenceLength is the length at which a sentence is cut, in code points.
const maxSentenceLength = 280

// addAssistantText adds the sentences of an assistant text. now marks the last text, which reports the work in
// progress.
func (d *draft) addAssistantText(g int32, text string, turn int, inProgress bool) {
	sentences(text, func(s string) {
		s = shortLine(s, maxSentenceLength)
		base := worthSaid
		switch {
		case isDecision(s):
			base = worthDecision
		case isFinding(s):
			base = worthFinding
		case isPlan(s):
			base = worthPlan
		case isFiller(s):
			base = worthFiller
		}
		p := partSaid
		if inProgress {
			p, base = partNow, base+worthNow
		}
		d.add(g, p, turn, base, minLineWorth, s)
	})
}

// callGroup is the group of a call, which its result belongs to; group is -1 if the result is not read.
type callGroup struct {
	group int32
	act   act
}

// addCall adds one tool call and returns the group for its result. lastTodo marks the last todo list: earlier ones are
// obsolete.
func (d *draft) addCall(b *msg.Block, turn int, lastTodo bool) callGroup {
	k := readCall(b.Name, b.Text)
	d.countCall(b.Name)
	switch {
	case k.act == actTodo:
		if lastTodo {
			d.addTodo(&k, turn)
		}
		return callGroup{-1, actTodo}
	case k.path != "" && (k.act == actRead || k.act == actEdit || k.act == actWrite || k.act == actDelete ||
		k.act == actMove):
		g := d.fileGroup(k.path, k.act, turn)
		if k.where != "" {
			d.groups[g].where = append(d.groups[g].where, k.where)
		}
		if k.act != actRead {
			d.addChanges(g, k.changes(), turn)
		}
		return callGroup{g, k.act}
	case k.act == actShell:
		return d.addCommand(&k, turn)
	case k.act == actEdit: // a patch over several files
		g := callGroup{-1, actEdit}
		for _, f := range k.fields {
			patchFiles(f.text, func(path string, a act, c change) {
				g.group = d.fileGroup(path, a, turn)
				d.addChanges(g.group, []change{c}, turn)
			})
		}
		if g.group >= 0 {
			return g
		}
	}
	return d.addOtherCall(&k, turn)
}

// addOtherCall adds a call that is not about one file: its short inputs form the title, its long ones are read as
// prose.
func (d *draft) addOtherCall(k *call, turn int) callGroup {
	var title []string
	for _, f := range k.fields {
		if len(f.text) <= 160 && f.text != "" && len(title) < 6 {
			title = append(title, f.name+"="+oneLine(f.text))
		}
	}
	g := d.runGroup(k.name, strings.Join(title, ", "), turn)
	for _, f := range k.fields {
		if len(f.text) > 160 {
			d.addProse(g, f.text, turn)
		}
	}
	return callGroup{g, k.act}
}

// addProse adds the sentences of a long input of a tool.
func (d *draft) addProse(g int32, text string, turn int) {
	sentences(text, func(s string) {
		s = shortLine(s, maxSentenceLength)
		base := 0
		if isDecision(s) {
			base = worthPlan
		}
		d.add(g, partLine, turn, base, minLineWorth, s)
	})
}

// addCommand adds a shell command: the files that it changes, its first line as title, and its other lines if they
// contain atoms.
func (d *draft) addCommand(k *call, turn int) callGroup {
	shellFiles(k.command, func(a act, path string) {
		if a != actRead {
			d.fileGroup(path, a, turn)
		}
	})
	if strings.Contains(k.command, "*** Begin Patch") {
		last := int32(-1)
		patchFiles(k.command, func(path string, a act, c change) {
			last = d.fileGroup(path, a, turn)
			d.addChanges(last, []change{c}, turn)
		})
		if last >= 0 {
			return callGroup{last, actEdit}
		}
	}
	command := strings.TrimSpace(k.command)
	title, more, _ := strings.Cut(command, "\n")
	g := d.runGroup("", shortLine(title, 240), turn)
	for line := range strings.Lines(more) {
		d.add(g, partLine, turn, 0, minLineWorth, shortLine(line, 200))
	}
	if len(title) > 240 {
		d.noteOwner(g, title)
	}
	return callGroup{g, actShell}
}

// addTodo adds the items of a todo list, each with its state if it has one.
func (d *draft) addTodo(k *call, turn int) {
	g := d.newGroup(groupSaid, "")
	item, n := "", 0
	flush := func(state string) {
		if item != "" {
			text := shortLine(item, 200)
			base := worthTodo
			if state != "" {
				text += " (" + state + ")"
			}
			if state == "completed" || state == "done" {
				base /= 20
			}
			d.add(g, partTodo, turn, base, 0, text)
			n++
		}
		item = ""
	}
	for _, f := range k.fields {
		switch f.name {
		case "content", "title", "step", "task", "text", "description", "todos", "subject":
			flush("")
			item = f.text
		case "status", "state":
			flush(f.text)
		}
	}
	flush("")
}

// addChanges adds the replacements of an edit: the first changed lines as `old` → `new`, and the other new lines.
func (d *draft) addChanges(g int32, list []change, turn int) {
	for _, c := range list {
		old, added := changedLines(c)
		if len(old) > 0 && len(added) > 0 {
			d.add(g, partChange, turn, worthChange, minLineWorth, "`"+shortLine(old[0],
				140)+"` → `"+shortLine(added[0], 180)+"`")
			added = added[1:]
		}
		for _, line := range added {
			if hasText(line) {
				d.addLine(g, partChange, turn, worthChange/5, "+ ", line)
			}
		}
		d.noteOwner(g, c.new)
	}
}

// changedLines returns the lines of both sides without the common prefix, the common suffix and empty lines.
func changedLines(c change) (old, added []string) {
	old, added = codeLines(c.old), codeLines(c.new)
	for len(old) > 0 && len(added) > 0 && old[0] == added[0] {
		old, added = old[1:], added[1:]
	}
	for len(old) > 0 && len(added) > 0 && old[len(old)-1] == added[len(added)-1] {
		old, added = old[:len(old)-1], added[:len(added)-1]
	}
	return old, added
}

// codeLines returns the lines that are not empty.
func codeLines(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

// addLine adds a line of code, as a declaration if it is one. mark is put before it.
func (d *draft) addLine(g int32, p part, turn, base int, mark, line string) {
	if isDeclaration(line) {
		d.add(g, partDeclaration, turn, base+worthDeclared, minLineWorth, mark+declarationHead(line))
		return
	}
	d.add(g, p, turn, base, minLineWorth, mark+shortLine(line, 180))
}

// addResult adds the result of a call: its outcome, its error lines, test summaries, declarations and lines with atoms.
func (d *draft) addResult(origin callGroup, b *msg.Block, turn int) {
	if origin.group < 0 {
		return
	}
	g := origin.group
	failed := IsError(b)
	isRun := d.groups[g].kind == groupRun
	if isRun {
		d.groups[g].outcome = outcome(b)
		for _, i := range d.groups[g].errors { // the same command ran again: its errors now replace the old ones
			d.units[i].base = worthOldError
		}
		d.groups[g].errors = nil
	}
	errors := 0
	for line := range strings.Lines(b.Text) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) < 4 {
			continue
		}
		text := strings.TrimSpace(line)
		if (failed || isRun) && errors < 6 && isErrorLine(text) {
			base := worthError
			if !failed {
				base = worthOldError
			}
			errors++
			if n := len(d.units); d.add(g, partError, turn, base, minLineWorth, shortLine(text, 240)) {
				d.groups[g].errors = append(d.groups[g].errors, int32(n))
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
		case !hasText(code):
		case isDeclaration(code):
			d.add(g, partDeclaration, turn, worthDeclared, minLineWorth, mark+declarationHead(code))
		default:
			d.add(g, partLine, turn, worthLine, minLineWorth, mark+shortLine(code, 180))
		}
	}
	if failed && errors == 0 {
		d.add(g, partError, turn, worthError/2, 0, shortLine(firstTextLine(b.Text), 240))
	}
}

// firstTextLine is the first line with text: not a ruler and not the exit code, which the outcome contains.
func firstTextLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		low := strings.ToLower(line)
		if hasText(line) && line[0] != '=' && line[0] != '-' && !strings.HasPrefix(low, "exit code") {
			return line
		}
	}
	return ""
}

// hasText reports a line with at least five letters: not a bracket, a ruler or a number.
func hasText(s string) bool {
	letters := 0
	for i := 0; i < len(s); i++ {
		if isLetter(s[i]) || s[i] >= 0xC3 && s[i] != 0xE2 {
			if letters++; letters >= 5 {
				return true
			}
		}
	}
	return false
}
