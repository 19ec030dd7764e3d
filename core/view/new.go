package view

import (
	"tamp/core/msg"
	"tamp/core/tokens"
)

// New returns the view of c: its conversation is c with the summaries marked. The cache may be nil.
func New(c *msg.Conversation, count tokens.Counter, m *Record, k *Cache) *View {
	r := NewReader(c, count, m, k)
	r.Read(c)
	return &r.View
}

// Reader reads a conversation that grows at its end. Its View is that of the messages so far.
type Reader struct {
	View
	marker SummaryMarker
	pairs  msg.Pairer
	marked bool // a message of the view has other marks than it had; else it is shared
}

// NewReader returns a reader that has read all of c but its messages.
func NewReader(c *msg.Conversation, count tokens.Counter, m *Record, k *Cache) *Reader {
	r := &Reader{marker: NewMarker(m, k)}
	r.Conversation, r.Meter, r.Blocks = c.WithMessages(nil), tokens.NewMeter(count, c), k.Blocks()
	r.Counts = r.Meter.Conversation(r.Conversation)
	r.Blocks.Age()
	return r
}

// Read reads the messages of c after those that it has read before: c is the same conversation with more messages. No
// message may be added to c in place.
func (r *Reader) Read(c *msg.Conversation) {
	n := len(r.Conversation.Messages)
	messages, changed := r.marker.Mark(c.Messages[n:])
	before := r.Conversation.Messages
	if !r.marked { // others may have the space behind them
		before = c.Messages[:n:n]
	}
	if r.marked = r.marked || changed; r.marked {
		c = c.WithMessages(append(before, messages...))
	}
	r.Conversation = c
	r.Meter.Extend(&r.Counts, c)
	r.Track.Add(messages)
	r.pairs.Add(c)
	r.Pairing = r.pairs.Pairing
}

// Marked reports whether a message of the view has other marks than in the conversation that was read.
func (r *Reader) Marked() bool { return r.marked }

// Point is the state of a Reader after some messages. It stays valid while the reader goes on.
type Point struct {
	marker SummaryMarker
	track  tokens.Track
	marked bool
	Read   int // messages
}

// Point returns the state of the reader.
func (r *Reader) Point() Point {
	return Point{r.marker, r.Track, r.marked, len(r.Conversation.Messages)}
}

// Holds reports whether the marks up to a point are those under another State, too.
func (p *Point) Holds(m *Record) bool { return p.marker.HoldsFor(m) }

// Resume goes back to a point, for a conversation that has the same messages up to there, and all of the messages after
// it, under a State for which the point holds.
func (r *Reader) Resume(p *Point, c *msg.Conversation, m *Record) {
	n := p.Read
	if !PairsAlike(r.Conversation.Messages[n:], c.Messages[n:]) {
		r.pairs = msg.Pairer{}
	}
	messages := c.Messages
	if p.marked {
		messages = r.Conversation.Messages
	}
	r.Conversation, r.marker, r.Track, r.marked = c.WithMessages(messages[:n:n]), p.marker, p.track, p.marked
	r.marker.byForm, r.marker.keys = m.ByForm, m.SummaryKeys
	r.Counts.Truncate(messages, n)
}
