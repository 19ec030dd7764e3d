package claudecode

import (
	"cmp"
	"slices"
	"strconv"

	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/order"
	"tamp/core/msg"
)

// messages joins the lines of the path into the messages that the model saw. The agent writes a line for each block of
// an assistant message, with the results of parallel calls between them or on other branches. All lines with its id
// become one message, and the results of its calls become one user message after it.
func (l *log) messages() []msg.Message {
	byID, extra := l.parallel()
	at := map[string]int{} // message.id -> group
	for _, i := range l.inOrder() {
		n := &l.lines[i]
		if n.role == msg.Assistant {
			if g, ok := at[n.key]; ok && n.key != "" {
				l.groups[g].lines = append(l.groups[g].lines, i)
				continue
			}
			if k := len(l.groups) - 1; n.key == "" && k >= 0 && l.isNameless(l.groups[k]) {
				l.groups[k].lines = append(l.groups[k].lines, i)
				continue
			}
			if n.key != "" {
				at[n.key] = len(l.groups)
			}
			l.groups = append(l.groups, &group{lines: append([]int{i}, byID[n.key]...)})
			if results := extra[n.key]; len(results) > 0 {
				l.groups = append(l.groups, &group{lines: slices.Clone(results)})
			}
			continue
		}
		if k := len(l.groups); k > 0 && n.role == msg.User && l.answers(l.groups[k-1]) && l.answer(i) != answerNone {
			l.groups[k-1].lines = append(l.groups[k-1].lines, i)
			continue
		}
		if k := len(l.groups); k > 0 && n.isReminder && l.lines[l.groups[k-1].lines[0]].role == msg.User {
			l.groups[k-1].lines = append(l.groups[k-1].lines, i) // Claude Code sends it in the message before it
			continue
		}
		l.groups = append(l.groups, &group{lines: []int{i}})
	}
	out := make([]msg.Message, len(l.groups))
	for g, group := range l.groups {
		order.Stable(group.lines, func(a, b int) int {
			if l.lines[a].isReminder != l.lines[b].isReminder { // results come first
				return map[bool]int{true: 1, false: -1}[l.lines[a].isReminder]
			}
			return cmp.Compare(a, b)
		})
		out[g] = l.message(group)
	}
	l.forks()
	return out
}

// isNameless reports a message of the assistant whose lines do not say which message they are of: those next to each
// other are one.
func (l *log) isNameless(g *group) bool {
	n := &l.lines[g.lines[0]]
	return n.role == msg.Assistant && n.key == ""
}

// inOrder returns the lines of the path with attachments behind the results that they are among: Claude Code sends
// results first.
func (l *log) inOrder() (lines []int) {
	var held []int
	open, id := false, "" // the last message calls tools; its key
	for _, i := range l.path {
		n := &l.lines[i]
		switch {
		case n.kind == "attachment" && open:
			held = append(held, i)
			continue
		case n.role == msg.Assistant:
			open = open && n.key == id || slices.ContainsFunc(n.blocks,
				func(b msg.Block) bool { return b.Kind == msg.KindToolUse })
			id = n.key
		case l.answer(i) == answerNone:
			open = false
		}
		if n.role != msg.User || l.answer(i) == answerNone {
			lines, held = append(lines, held...), nil
		}
		lines = append(lines, i)
	}
	return append(lines, held...)
}

// message reads a group as one message.
func (l *log) message(g *group) msg.Message {
	first := &l.lines[g.lines[0]]
	m := msg.Message{Role: first.role, Path: jsonl.Pointer(g.lines[0]), ID: first.id, Meta: true, Origin: g}
	if len(g.lines) == 1 {
		m.Raw, m.Blocks, m.Time = first.raw, first.blocks, first.time
	}
	for _, i := range g.lines {
		n := &l.lines[i]
		if len(g.lines) > 1 {
			m.Lines, m.Times = append(m.Lines, n.raw), append(m.Times, n.time)
			for k := range n.blocks {
				b := n.blocks[k]
				b.Bare = false // the message has other blocks too
				m.Blocks = append(m.Blocks, b)
			}
		}
		if n.usage != nil {
			m.Usage = n.usage
		}
		if m.Model == "" && n.model != synthetic {
			m.Model = n.model
		}
		m.Meta = m.Meta && n.meta
	}
	return m
}

type answer int

const (
	answerNone  answer = iota // does not begin with a tool result
	answerMixed               // tool results, then something else
	answerOnly                // tool results and nothing else
)

func (l *log) answer(i int) answer {
	n := &l.lines[i]
	if n.role != msg.User || len(n.blocks) == 0 || n.blocks[0].Kind != msg.KindToolResult {
		return answerNone
	}
	for k := range n.blocks {
		if n.blocks[k].Kind != msg.KindToolResult {
			return answerMixed
		}
	}
	return answerOnly
}

// answers reports whether a message has only tool results.
func (l *log) answers(g *group) bool {
	for _, i := range g.lines {
		if l.answer(i) != answerOnly {
			return false
		}
	}
	return true
}

// parallel finds the lines on other branches that belong to messages of the path: further lines of an assistant
// message, and results of its calls if the path has none. Both by message.id, in file order.
func (l *log) parallel() (byID, extra map[string][]int) {
	byID, extra = map[string][]int{}, map[string][]int{}
	on := make([]bool, len(l.lines))
	ids := map[string]bool{}
	answered := map[string]bool{}
	for _, i := range l.path {
		on[i] = true
		n := &l.lines[i]
		if n.role == msg.Assistant && n.key != "" {
			ids[n.key] = true
		}
		for k := range n.blocks {
			if b := &n.blocks[k]; b.Kind == msg.KindToolResult {
				answered[b.ID] = true
			}
		}
	}
	calls := map[string]bool{} // message.id, a line break, the id of a call in it
	for i := range l.lines {
		n := &l.lines[i]
		if !l.isPart(i) || n.role != msg.Assistant || !ids[n.key] {
			continue
		}
		if !on[i] {
			byID[n.key] = append(byID[n.key], i)
			on[i] = true
		}
		for k := range n.blocks {
			if b := &n.blocks[k]; b.Kind == msg.KindToolUse {
				calls[n.key+"\n"+b.ID] = true
			}
		}
	}
	for i := range l.lines {
		up := l.parent[i]
		if on[i] || up < 0 || !l.isPart(i) || l.answer(i) != answerOnly || l.lines[up].key == "" || !on[up] {
			continue
		}
		fits, id := true, l.lines[up].key
		for _, b := range l.lines[i].blocks {
			fits = fits && calls[id+"\n"+b.ID] && !answered[b.ID]
		}
		if !fits {
			continue
		}
		for _, b := range l.lines[i].blocks {
			answered[b.ID] = true
		}
		extra[id] = append(extra[id], i)
		on[i] = true
	}
	return byID, extra
}

// forks warns about messages that are descendants of the path but not on it: the user went back and continued from
// there.
func (l *log) forks() {
	const unknown, off, below = 0, 1, 2
	state := make([]byte, len(l.lines))
	for i, on := range l.spine {
		if on {
			state[i] = below
		}
	}
	used := make([]bool, len(l.lines))
	for _, g := range l.groups {
		for _, i := range g.lines {
			used[i], state[i] = true, below
		}
	}
	count, at := 0, -1
	for i := range l.lines {
		if !l.isPart(i) || used[i] {
			continue
		}
		top := i
		for top >= 0 && state[top] == unknown {
			state[top] = off
			top = l.parent[top]
		}
		end := byte(off)
		if top >= 0 {
			end = state[top]
		}
		for k := i; k >= 0 && k != top; k = l.parent[k] {
			state[k] = end
		}
		if end == below {
			count++
			if at < 0 {
				at = i
			}
		}
	}
	if count > 0 {
		l.warn("forked", jsonl.Pointer(at), strconv.Itoa(count)+
			" messages stand on other branches of the log: they are kept, but not part of the conversation")
	}
}
