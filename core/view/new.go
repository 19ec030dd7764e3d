package view

import (
	"tamp/core/msg"
	"tamp/core/tokens"
)

// New returns the view of c: its conversation is c with the summaries marked. The cache may be nil.
func New(c *msg.Conversation, count tokens.Counter, m *Record, k *Cache) *View {
	c = MarkSummaries(c, m, k)
	meter := tokens.NewMeter(count, c)
	in := &View{Conversation: c, Pairing: msg.Pair(c), Meter: meter, Counts: meter.Conversation(c)}
	in.Track.Add(c.Messages)
	return in
}
