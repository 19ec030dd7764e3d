package claudecode

import (
	"slices"

	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Segments returns the parts of a log before the compactions of its agent, and the answers of subagents and of branches
// that the user left. c, the conversation that Parse returned, is the last segment.
func Segments(c *msg.Conversation) (s jsonl.Segments) {
	last, ok := c.Origin.(*log)
	if !ok {
		return s
	}
	used := map[string]bool{} // ids of messages
	last.noteIDs(used)
	for l := last; ; {
		boundary := l.boundary()
		if boundary < 0 {
			break
		}
		before := &log{data: l.data[:l.lines[boundary].start], lines: slices.Clone(l.lines[:boundary])}
		if len(s.Earlier) == jsonl.MaxSegments || before.walk() != nil {
			s.Unread = true
			break
		}
		if len(before.path) == 0 {
			break
		}
		segment := &msg.Conversation{Format: msg.ClaudeCode, Model: before.model(), Origin: before}
		segment.Messages = before.messages()
		before.noteIDs(used)
		s.Earlier = append(s.Earlier, segment)
		l = before
	}
	slices.Reverse(s.Earlier)
	s.Others = last.others(used)
	return s
}

// Line returns a line of the log that Parse read, false after the last one.
func Line(c *msg.Conversation, i int) (rawjson.Value, bool) {
	if l, ok := c.Origin.(*log); ok && i < len(l.lines) {
		return l.lines[i].raw, true
	}
	return nil, false
}

// Request returns the id of the request of a line, "" if it has none.
func Request(c *msg.Conversation, i int) string {
	if l, ok := c.Origin.(*log); ok && i < len(l.lines) {
		return l.lines[i].request
	}
	return ""
}

// model returns the newest model of the path, "" if there is none.
func (l *log) model() string {
	for i := len(l.lines) - 1; i >= 0; i-- {
		if model := l.lines[i].model; l.spine[i] && model != synthetic && model != "" {
			return model
		}
	}
	return ""
}

// boundary returns the compact_boundary that the path begins with, -1 if it begins otherwise.
func (l *log) boundary() int {
	if len(l.path) == 0 {
		return -1
	}
	root := l.path[0]
	for l.parent[root] >= 0 {
		root = l.parent[root]
	}
	if n := &l.lines[root]; n.subtype != "compact_boundary" || n.kind != "system" {
		return -1
	}
	return root
}

// noteIDs adds the ids of the messages that Parse returned.
func (l *log) noteIDs(used map[string]bool) {
	for _, g := range l.groups {
		used[l.lines[g.lines[0]].id] = true
	}
}

// others returns the answers with usage whose id is not used.
func (l *log) others(used map[string]bool) []jsonl.Other {
	var all []jsonl.Other
	at := map[string]int{}
	tops := make([]int, len(l.lines))
	above := func(i int) int { // -1: a subagent or a branch begins with line i
		up := l.parent[i]
		if up < 0 || l.spine[up] || l.lines[up].sidechain != l.lines[i].sidechain {
			return -1
		}
		if id := l.lines[up].id; id != "" && used[id] {
			return -1
		}
		return up
	}
	for i := range l.lines {
		n := &l.lines[i]
		if n.role != msg.Assistant || n.usage == nil || n.usage.Prompt() == 0 || n.id == "" || used[n.id] || n.excluded ||
			n.model == synthetic {
			continue
		}
		o := jsonl.Other{Message: msg.Message{Role: msg.Assistant, ID: n.id, Usage: n.usage, Model: n.model, Raw: n.raw,
			Path: jsonl.Pointer(i)}, Chain: jsonl.First(i, tops, above), Side: n.sidechain}
		if k, ok := at[n.id]; ok {
			all[k] = o
			continue
		}
		at[n.id] = len(all)
		all = append(all, o)
	}
	return all
}
