package claudecode

import (
	"slices"

	"tamp/core/format/internal/jsonl"
	"tamp/core/msg"
)

// maxSegments limits the segments that are read again, since each costs time linear in the lines before it.
const maxSegments = 64

// Segments returns the conversations of the log before each compaction of its agent, oldest first; c, the conversation
// that Parse returned, is the last segment. others are the answers with usage that are in no segment, in file order:
// those of subagents, and of branches that the user left. Of more than 64 segments the newest are returned.
func Segments(c *msg.Conversation) (earlier []*msg.Conversation, others []msg.Message) {
	last, ok := c.Origin.(*log)
	if !ok {
		return nil, nil
	}
	used := map[string]bool{} // ids of messages
	last.noteIDs(used)
	for l := last; len(earlier) < maxSegments; {
		boundary := l.boundary()
		if boundary < 0 {
			break
		}
		before := &log{data: l.data[:l.lines[boundary].start], lines: slices.Clone(l.lines[:boundary])}
		if before.walk() != nil || len(before.path) == 0 {
			break
		}
		segment := &msg.Conversation{Format: msg.ClaudeCode, Model: before.model(), Origin: before}
		segment.Messages = before.messages()
		before.noteIDs(used)
		earlier = append(earlier, segment)
		l = before
	}
	slices.Reverse(earlier)
	return earlier, last.others(used)
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
	if l.flat || len(l.path) == 0 {
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

// others returns the answers with usage whose id is not used, each with its last line.
func (l *log) others(used map[string]bool) []msg.Message {
	var all []msg.Message
	at := map[string]int{}
	for i := range l.lines {
		n := &l.lines[i]
		if n.role != msg.Assistant || n.usage == nil || n.usage.Prompt() == 0 || n.id == "" || used[n.id] || n.excluded ||
			n.model == synthetic {
			continue
		}
		m := msg.Message{Role: msg.Assistant, ID: n.id, Usage: n.usage, Raw: n.raw, Path: jsonl.Pointer(i)}
		if k, ok := at[n.id]; ok {
			all[k] = m
			continue
		}
		at[n.id] = len(all)
		all = append(all, m)
	}
	return all
}
