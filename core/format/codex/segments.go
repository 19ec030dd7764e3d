package codex

import (
	"tamp/core/format/internal/jsonl"
	"tamp/core/msg"
)

// Segments returns the conversations of the log before each compaction of Codex, oldest first; c, the conversation that
// Parse returned, is the last segment. Of more than 64 segments the newest are returned.
func Segments(c *msg.Conversation) (earlier []*msg.Conversation) {
	l, ok := c.Origin.(*jsonl.Log)
	if !ok {
		return nil
	}
	r := &reader{Log: *l.Before(len(l.Lines)), c: &msg.Conversation{}, calls: map[int]call{}}
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
			parts = parts[max(len(parts)-jsonl.MaxSegments, 0):]
		}
		r.line(i, raw)
	}
	for i := range parts {
		part := &parts[i]
		part.room = msg.MaxBlocks
		if part.messages() == nil {
			part.c.Origin = &part.Log
			earlier = append(earlier, part.c)
		}
	}
	return earlier
}
