package extract

import (
	"strings"

	"tamp/core/msg"
)

// gather makes the units of one span.
func (d *draft) gather() {
	x, span := d.x, d.x.spans[d.span]
	lastSaid := x.lastSaid(span)
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
					d.prompt(block.Text, turn)
				default:
					if said < 0 {
						said = d.newGroup(groupSaid, "")
						d.groups[said].turn = int32(turn)
					}
					d.said(said, block.Text, turn, ref == lastSaid)
				}
			case msg.KindToolUse:
				calls[ref] = d.call(block, turn, ref == x.lastTodo)
			case msg.KindToolResult:
				of, ok := calls[msg.Ref{Message: -1}], false
				if r, found := x.pairs.Call(ref); found {
					of, ok = calls[r]
				}
				if !ok {
					of = callGroup{group: d.run("tool", x.pairs.ToolName(x.c, ref), turn)}
				}
				d.result(of, block, turn)
			}
		}
	}
	d.toolLine()
	d.heads()
	d.names()
}

// lastSaid is the assistant's last text in the span, where no later span holds any.
func (x *Index) lastSaid(span msg.Span) msg.Ref {
	if len(x.spans) > 0 && x.spans[len(x.spans)-1] != span {
		return msg.Ref{Message: -1}
	}
	for m := span.End - 1; m >= span.Start; m-- {
		for b := len(x.c.Messages[m].Blocks) - 1; b >= 0; b-- {
			if block := &x.c.Messages[m].Blocks[b]; block.Kind == msg.KindText && x.c.Messages[m].Role == msg.Assistant && len(block.Text) > 20 {
				return msg.Ref{Message: m, Block: b}
			}
		}
	}
	return msg.Ref{Message: -1}
}

// prompt takes the user's words: the binding sentences word for word, the first ones as the task.
func (d *draft) prompt(text string, turn int) {
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
			d.add(g, partTask, turn, base, 0, short(s, 400))
		}
	})
}

// longestSentence is where a sentence is cut, in code points.
const longestSentence = 280

// said takes the assistant's words.
func (d *draft) said(g int32, text string, turn int, now bool) {
	sentences(text, func(s string) {
		s = short(s, longestSentence)
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
		if now {
			p, base = partNow, base+worthNow
		}
		d.add(g, p, turn, base, leastLine, s)
	})
}

// callGroup is where the result of a call belongs.
type callGroup struct {
	group int32
	act   act
}

// call takes one tool call.
func (d *draft) call(b *msg.Block, turn int, lastTodo bool) callGroup {
	k := readCall(b.Name, b.Text)
	d.called(b.Name)
	switch {
	case k.act == actTodo:
		if lastTodo {
			d.todo(&k, turn)
		}
		return callGroup{-1, actTodo}
	case k.path != "" && (k.act == actRead || k.act == actEdit || k.act == actWrite || k.act == actDelete || k.act == actMove):
		g := d.file(k.path, k.act, turn)
		if k.where != "" {
			d.groups[g].where = append(d.groups[g].where, k.where)
		}
		if k.act != actRead {
			d.changes(g, k.changes(), turn)
		}
		return callGroup{g, k.act}
	case k.act == actShell:
		return d.command(&k, turn)
	case k.act == actEdit: // a patch over several files
		g := callGroup{-1, actEdit}
		for _, f := range k.fields {
			patchFiles(f.text, func(path string, a act, c change) {
				g.group = d.file(path, a, turn)
				d.changes(g.group, []change{c}, turn)
			})
		}
		if g.group >= 0 {
			return g
		}
	}
	return d.other(&k, turn)
}

// other is any call that is not about one file: its short inputs are its title, its long ones prose.
func (d *draft) other(k *call, turn int) callGroup {
	var title []string
	for _, f := range k.fields {
		if len(f.text) <= 160 && f.text != "" && len(title) < 6 {
			title = append(title, f.name+"="+oneLine(f.text))
		}
	}
	g := d.run(k.name, strings.Join(title, ", "), turn)
	for _, f := range k.fields {
		if len(f.text) > 160 {
			d.prose(g, f.text, turn)
		}
	}
	return callGroup{g, k.act}
}

// prose takes long text that was handed to a tool, or that it gave back.
func (d *draft) prose(g int32, text string, turn int) {
	sentences(text, func(s string) {
		s = short(s, longestSentence)
		base := 0
		if isDecision(s) {
			base = worthPlan
		}
		d.add(g, partLine, turn, base, leastLine, s)
	})
}

// command takes a shell command: the files it touches, its first line as title, its further lines where they hold something.
func (d *draft) command(k *call, turn int) callGroup {
	shellFiles(k.command, func(a act, path string) {
		if a != actRead {
			d.file(path, a, turn)
		}
	})
	if strings.Contains(k.command, "*** Begin Patch") {
		last := int32(-1)
		patchFiles(k.command, func(path string, a act, c change) {
			last = d.file(path, a, turn)
			d.changes(last, []change{c}, turn)
		})
		if last >= 0 {
			return callGroup{last, actEdit}
		}
	}
	command := strings.TrimSpace(k.command)
	title, more, _ := strings.Cut(command, "\n")
	g := d.run("", short(title, 240), turn)
	for line := range strings.Lines(more) {
		d.add(g, partLine, turn, 0, leastLine, short(line, 200))
	}
	if len(title) > 240 {
		d.own(g, title)
	}
	return callGroup{g, actShell}
}

// todo takes the items of a list, with their state where they have one.
func (d *draft) todo(k *call, turn int) {
	g := d.newGroup(groupSaid, "")
	item, n := "", 0
	flush := func(state string) {
		if item != "" {
			text := short(item, 200)
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

// changes takes what an edit replaced: the first lines as `old` → `new`, and the further new lines.
func (d *draft) changes(g int32, list []change, turn int) {
	for _, c := range list {
		old, added := changedLines(c)
		if len(old) > 0 && len(added) > 0 {
			d.add(g, partChange, turn, worthChange, leastLine, "`"+short(old[0], 140)+"` → `"+short(added[0], 180)+"`")
			old, added = old[1:], added[1:]
		}
		for _, line := range added {
			if hasWords(line) {
				d.line(g, partChange, turn, worthChange/5, "+ ", line)
			}
		}
		d.own(g, c.new)
	}
}

// changedLines drops the lines that both sides have at the start and at the end, and empty ones.
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

func codeLines(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

func (d *draft) line(g int32, p part, turn, base int, mark, line string) {
	if isDeclaration(line) {
		d.add(g, partDeclaration, turn, base+worthDeclared, leastLine, mark+declared(line))
		return
	}
	d.add(g, p, turn, base, leastLine, mark+short(line, 180))
}

// result takes what a tool gave back.
func (d *draft) result(of callGroup, b *msg.Block, turn int) {
	if of.group < 0 {
		return
	}
	g := of.group
	failed := IsError(b)
	isRun := d.groups[g].kind == groupRun
	if isRun {
		d.groups[g].outcome = outcome(b)
		for _, i := range d.groups[g].errors { // the same was run again: what it says now is the news
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
			if n := len(d.units); d.add(g, partError, turn, base, leastLine, short(text, 240)) {
				d.groups[g].errors = append(d.groups[g].errors, int32(n))
			}
			continue
		}
		if isRun && isTestLine(text) {
			if text = short(strings.Trim(text, "= "), 160); len(text) > 5 && !strings.HasSuffix(d.groups[g].outcome, text) {
				d.add(g, partLine, turn, worthTest, 0, text)
			}
			continue
		}
		number, code := numbered(line)
		mark := ""
		if number != "" {
			mark = number + ": "
		}
		switch {
		case of.act == actEdit || of.act == actWrite: // an echo of the change
			d.own(g, line)
		case !hasWords(code):
		case isDeclaration(code):
			d.add(g, partDeclaration, turn, worthDeclared, leastLine, mark+declared(code))
		default:
			d.add(g, partLine, turn, worthLine, leastLine, mark+short(code, 180))
		}
	}
	if failed && errors == 0 {
		d.add(g, partError, turn, worthError/2, 0, short(firstWords(b.Text), 240))
	}
}

// firstWords is the first line that says something: not a rule, not the exit code, which is told already.
func firstWords(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		low := strings.ToLower(line)
		if hasWords(line) && line[0] != '=' && line[0] != '-' && !strings.HasPrefix(low, "exit code") {
			return line
		}
	}
	return ""
}

// hasWords reports a line that says something by itself, unlike a bracket, a rule or a number.
func hasWords(s string) bool {
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
