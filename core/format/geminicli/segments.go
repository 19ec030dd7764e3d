package geminicli

import (
	"tamp/core/format/internal/jsonl"
	"tamp/core/msg"
)

// Segments returns the parts of a log before the compressions of Gemini CLI, and the calls that the user took back. c,
// the conversation that Parse returned, is the last segment. A list that keeps all answers begins no segment: Gemini
// CLI writes one when it resumes a session, and after each call.
func Segments(c *msg.Conversation) (s jsonl.Segments) {
	l, ok := c.Origin.(*jsonl.Log)
	if !ok {
		return s
	}
	var ends []int // the lines of lists that lose answers
	r := &reader{Log: l.Before(len(l.Lines)), at: map[string]int{}}
	r.taken = func(i int) {
		raw := r.Lines[i].Raw
		kept := map[string]bool{}
		for _, e := range raw.Member("$set").Member("messages").List() {
			kept[e.Member("id").Text()] = true
		}
		back, isBack := r.at[raw.Member("$rewindTo").Text()]
		if !isBack && raw.Member("$rewindTo") == nil {
			back = 0
		}
		for k := back; k < len(r.Entries); k++ {
			e := r.Entries[k]
			if h, _ := head(e.Raw, e.Path); h.Usage == nil || kept[h.ID] {
				continue
			} else if raw.Member("$rewindTo") != nil {
				s.Others = append(s.Others, jsonl.Other{Chain: r.Entries[back].Line,
					Message: msg.Message{Role: msg.Assistant, ID: h.ID,
						Usage: h.Usage, Model: h.Model, Time: h.Time, Path: e.Path}})
				continue
			}
			ends = append(ends, i)
			break
		}
	}
	for i := range r.Lines {
		r.line(i)
	}
	s.Unread = len(ends) > jsonl.MaxSegments
	for _, end := range ends[max(len(ends)-jsonl.MaxSegments, 0):] {
		part := l.Before(end)
		r := &reader{Log: part, at: map[string]int{}}
		for i := range part.Lines {
			r.line(i)
		}
		before := &msg.Conversation{Format: msg.GeminiCLI}
		if r.conversation(before, part) != nil {
			s.Unread = true
			continue
		}
		s.Earlier = append(s.Earlier, before)
	}
	return s
}
