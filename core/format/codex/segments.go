package codex

import (
	"tamp/core/format/internal/jsonl"
	"tamp/core/msg"
)

// Segments returns the parts of a log before the compactions of Codex. c, the conversation that Parse returned, is the
// last segment.
func Segments(c *msg.Conversation) (s jsonl.Segments) {
	l, ok := c.Origin.(*jsonl.Log)
	if !ok {
		return s
	}
	r := &reader{Log: *l.Before(len(l.Lines)), bare: isBare(l), c: &msg.Conversation{}, calls: map[int]call{}}
	var parts []reader
	for i := range r.Lines {
		raw := r.Lines[i].Raw
		if raw == nil {
			continue
		}
		if raw.Member("type").Text() == "compacted" && raw.Member("payload").Kind() == '{' {
			part := *r
			part.Log = *l.Before(i)
			part.Entries = r.Entries // those after the line are others
			r.calls = map[int]call{}
			part.c = &msg.Conversation{Format: msg.Codex, Model: r.c.Model, System: r.c.System, Stateless: true}
			parts = append(parts, part)
			if len(parts) > jsonl.MaxSegments {
				parts, s.Unread = parts[1:], true
			}
		}
		r.line(i, raw)
	}
	r.endRecord()
	s.Others = r.others
	for i := range parts {
		part := &parts[i]
		part.room = msg.MaxBlocks
		if part.messages() != nil {
			s.Unread = true
			continue
		}
		part.c.Origin = &part.Log
		s.Earlier = append(s.Earlier, part.c)
	}
	return s
}
