package pi

import (
	"slices"

	"tamp/core/format/internal/jsonl"
	"tamp/core/msg"
)

// Segments returns the parts of a log before the compactions of pi, and the answers that are in none: those on branches
// that the user left, and those that were aborted, which the provider bills. c, the conversation that Parse returned,
// is the last segment.
func Segments(c *msg.Conversation) (s jsonl.Segments) {
	last, ok := c.Origin.(*jsonl.Log)
	if !ok {
		return s
	}
	newest := walk(last.Lines)
	used := make([]bool, len(last.Lines)) // the lines of all paths
	for l, t := last, newest; ; {
		for _, i := range t.Path {
			used[i] = true
		}
		if t.compaction < 0 {
			break
		}
		if len(s.Earlier) == jsonl.MaxSegments {
			s.Unread = true
			break
		}
		l = l.Before(t.Path[t.compaction])
		t = walk(l.Lines)
		before, err := read(l, t, &msg.Conversation{Format: msg.Pi})
		if err != nil {
			s.Unread = true
			break
		}
		s.Earlier = append(s.Earlier, before)
	}
	slices.Reverse(s.Earlier)
	s.Others = newest.others(last, used)
	return s
}

// others returns the answers with usage in lines that are not used, or that pi does not send again.
func (t *tree) others(l *jsonl.Log, used []bool) (all []jsonl.Other) {
	tops := make([]int, len(l.Lines))
	above := func(i int) int { // -1: the branch begins with line i
		if up, ok := t.IDs[l.Lines[i].Raw.Member("parentId").Text()]; ok && !used[up] {
			return up
		}
		return -1
	}
	for i := range l.Lines {
		line := l.Lines[i].Raw
		if line.Member("type").Text() != "message" {
			continue
		}
		raw, path := line.Member("message"), jsonl.Pointer(i)+"/message"
		h, err := head(raw, path)
		if err != nil || used[i] && h.Role != "" || h.Usage == nil {
			continue
		}
		all = append(all, jsonl.Other{Chain: jsonl.First(i, tops, above), Message: msg.Message{Role: msg.Assistant, ID: h.ID,
			Usage: h.Usage, Cost: h.Cost, Model: h.Model, Raw: raw, Path: path, Time: line.Member("timestamp")}})
	}
	return all
}
