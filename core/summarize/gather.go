package summarize

import (
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// gather adds the units of the span.
func gather(d *draft) {
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
				case block.IsSummary():
					addSummary(d, block.Text, turn, ref == x.lastTodo)
				case message.Role == msg.User && block.Kind == msg.KindText:
					addInserted(d, message, b, turn)
				default:
					if said < 0 {
						said = d.newSaidGroup(turn)
					}
					addAssistantText(d, said, block.Text, turn, ref == lastText)
				}
			case msg.KindToolUse:
				from := len(d.units)
				k := addCall(d, block, turn, ref == x.lastTodo)
				k.from, k.to = from, len(d.units)
				calls[ref] = k
			case msg.KindToolResult:
				if provenance.MayQuote(message, b) { // a rejected call with the user's reason
					rejected := *block
					rejected.Text = block.Text[:provenance.Spans(message, b)[0].End]
					block = &rejected
				}
				if kept, ok := marker.CutPlaceholder(block.Text, "", x.pairing().ToolName(x.c, ref)); ok || block.Text == evicted {
					if kept == "" {
						continue // cleared: nothing is known of it
					}
					cleared := *block
					cleared.Text = kept
					block = &cleared
				}
				if !block.IsError && provenance.AsksUser(x.pairing().ToolName(x.c, ref)) {
					if call, found := x.pairing().Call(ref); found {
						d.dropCall(calls[call]) // the answer is listed with its question
					}
					continue
				}
				origin, ok := calls[msg.Ref{Message: -1}], false
				if r, found := x.pairing().Call(ref); found {
					origin, ok = calls[r]
				}
				origin.run = ok
				if origin.act == actNewTask {
					if id, subject, created := createdTask(block.Text); created {
						d.setTask(id, shortLine(subject, maxTask), taskPending, turn)
						continue
					}
					ok = false
				}
				if !ok {
					origin = callGroup{group: d.runGroup("tool", x.pairing().ToolName(x.c, ref), turn)}
				}
				addResult(d, origin, block, turn)
			}
		}
	}
	addToolLine(d)
	addHeads(d)
	addNames(d)
}

// evicted is the text that another client leaves in place of an old result.
const evicted = "[Compacted history content evicted to durable cold storage]"

// addInserted adds the inserted text in a block of the role user as the result of a tool. The user's own words are not
// part of it: they have a section of their own (package words).
func addInserted(d *draft, m *msg.Message, b, turn int) {
	for _, span := range provenance.Spans(m, b) {
		part := m.Blocks[b].Text[span.Start:span.End]
		if span.Author == provenance.User || msg.IsReminder(part) {
			continue
		}
		if n, ok := readNotification(part); ok {
			addNotification(d, n, turn)
			continue
		}
		g := d.runGroup(insertedText, shortLine(strings.TrimSpace(part), maxInsertedTitle), turn)
		addResult(d, callGroup{group: g}, &msg.Block{Kind: msg.KindToolResult, Text: part}, turn)
	}
}

const (
	maxInsertedTitle = 80 // code points; the first words name the client's text
	insertedText     = "inserted text"
)

// dropCall drops the units of a call.
func (d *draft) dropCall(call callGroup) {
	if call.to == 0 {
		return
	}
	for i := call.from; i < call.to; i++ {
		d.units[i].part = partDropped
	}
	g := &d.groups[call.group]
	g.kind = groupSaid // it gets no head
	delete(d.runs, g.tool+" "+g.title)
}

// addCall adds one tool call and returns the group for its result. lastTodo marks the last todo list: earlier ones are
// obsolete.
func addCall(d *draft, b *msg.Block, turn int, lastTodo bool) callGroup {
	k := readCall(b.Name, b.Text)
	d.countCall(b.Name)
	for _, f := range k.fields {
		if g, ok := d.running[f.text]; ok { // it asks for the state of work in the background, or stops it
			return callGroup{group: g}
		}
	}
	switch {
	case k.act == actTodo:
		if lastTodo {
			addTodo(d, &k, turn)
		}
		return callGroup{group: -1, act: actTodo}
	case k.act == actTask && addTask(d, &k, turn): // an update, which is added now
		return callGroup{group: -1, act: k.act}
	case k.act == actNewTask && first(k.fields, "subject") != "": // is added with its result, which has its number
		return callGroup{group: -1, act: k.act}
	case k.path != "" && (k.act == actRead || k.act == actEdit || k.act == actWrite || k.act == actDelete ||
		k.act == actMove):
		g := d.fileGroup(k.path, k.act, turn)
		if k.where != "" {
			d.groups[g].where = append(d.groups[g].where, k.where)
		}
		if k.act != actRead {
			addChanges(d, g, k.changes(), turn)
		}
		return callGroup{group: g, act: k.act}
	case k.act == actShell:
		return addCommand(d, &k, turn)
	case k.act == actEdit: // a patch over several files
		last := int32(-1)
		for _, f := range k.fields {
			if g := addPatch(d, f.text, turn); g >= 0 {
				last = g
			}
		}
		if last >= 0 {
			return callGroup{group: last, act: actEdit}
		}
	}
	return addOtherCall(d, &k, turn)
}

// addOtherCall adds a call that is not about one file: its short inputs form the title, its long ones are read as
// prose.
func addOtherCall(d *draft, k *call, turn int) callGroup {
	var title []string
	for _, f := range k.fields {
		if len(f.text) <= 160 && f.text != "" && len(title) < 6 {
			title = append(title, f.name+"="+oneLine(f.text))
		}
	}
	g := d.runGroup(k.name, strings.Join(title, ", "), turn)
	for _, f := range k.fields {
		if len(f.text) > 160 {
			addProse(d, g, f.text, turn)
		}
	}
	return callGroup{group: g, act: k.act}
}

// addProse adds the sentences of a long input of a tool.
func addProse(d *draft, g int32, text string, turn int) {
	provenance.Sentences(text, func(s string) {
		base := 0
		if isDecision(s) {
			base = worthPlan
		}
		pieces(s, maxSentenceLength, func(part string) { d.addUnit(g, partLine, turn, base, minLineWorth, part) })
	})
}

// addCommand adds a shell command: the files that it changes, its first line as title, and its other lines if they
// contain atoms.
func addCommand(d *draft, k *call, turn int) callGroup {
	if folder := first(k.fields, "workdir", "cwd"); folder != "" {
		d.folder = folder
	}
	shellFiles(k.command, func(a act, path string) {
		d.fileGroup(path, a, turn)
	})
	if strings.Contains(k.command, "*** Begin Patch") {
		if last := addPatch(d, k.command, turn); last >= 0 {
			return callGroup{group: last, act: actEdit}
		}
	}
	command := strings.TrimSpace(k.command)
	title, more := commandTitle(command)
	g := d.runGroup("", title, turn)
	for line, rest := provenance.NextLine(more); line != ""; line, rest = provenance.NextLine(rest) {
		pieces(line, maxLineLength, func(part string) { d.addUnit(g, partLine, turn, 0, minLineWorth, part) })
	}
	if len(command) > 240 {
		d.noteOwner(g, command)
	}
	return callGroup{group: g, act: actShell}
}

// addPatch adds the files of a patch and their changes. It returns the group of the last file; -1 if there is none.
func addPatch(d *draft, text string, turn int) int32 {
	last, file := int32(-1), ""
	patchFiles(text, func(path string, a act, c change) {
		if last < 0 || path != file {
			last, file = d.fileGroup(path, a, turn), path
		}
		addChanges(d, last, []change{c}, turn)
	})
	return last
}

// addChanges adds the replacements of an edit: the first changed lines as `old` → `new`, and the other new lines.
func addChanges(d *draft, g int32, list []change, turn int) {
	for _, c := range list {
		old, added := changedLines(c)
		if len(old) > 0 && len(added) > 0 {
			d.addUnit(g, partChange, turn, worthChange, minLineWorth, "`"+shortLine(old[0], 140)+"` → `"+
				shortLine(added[0], 180)+"`")
			added = added[1:]
		}
		for _, line := range added {
			if hasText(line) {
				addLine(d, g, partChange, turn, worthChange/5, "+ ", line)
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
	for line, rest := provenance.NextLine(s); line != ""; line, rest = provenance.NextLine(rest) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

// addLine adds a line of code, as a declaration if it is one. mark is put before it.
func addLine(d *draft, g int32, p part, turn, base int, mark, line string) {
	if isDeclaration(line) {
		d.addUnit(g, partDeclaration, turn, base+worthDeclared, minLineWorth, mark+declarationHead(line))
		return
	}
	pieces(line, maxLineLength, func(part string) { d.addUnit(g, p, turn, base, minLineWorth, mark+part) })
}

// commandTitle is a command on one line, the first 240 code points, and the lines that are not in it.
func commandTitle(command string) (title, more string) {
	first, rest, _ := strings.Cut(command, "\n")
	if len(first) < 100 {
		return shortLine(command, 240), rest
	}
	return shortLine(first, 240), rest
}
