package replay

import (
	"slices"
	"strconv"

	"tamp/core/format"
	"tamp/core/internal/hash"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// sessionLog is what a log has: the conversations between the compactions of its agent, and the usage of its calls.
type sessionLog struct {
	log       *msg.Conversation // the whole, as it was parsed
	segments  []segment
	requests  map[string]format.Request // that the log has, by the path of the answer
	calls     int                       // of all segments
	others    []format.Other
	unread    bool // the log has older segments
	uses      int  // calls with usage
	isBill    bool // the costs of the log are known from the usage of its calls
	cached    bool // a call with usage has read or written the cache
	automatic bool // the calls with usage read the cache and never write: no breakpoints, and writes cost nothing
}

// segment is a conversation of the log, up to a compaction of its agent or to its end.
type segment struct {
	c       *msg.Conversation // with the requested model and without usage
	usage   []*msg.Usage      // of its messages
	answers []int             // of its calls
	ids     []string          // of its calls, see CallBill
	fit     fit
}

// readLog reads the segments of a conversation. model replaces that of the log if it is not "".
func readLog(c *msg.Conversation, model string) *sessionLog {
	parts := format.SegmentsOf(c)
	l := &sessionLog{log: c, others: parts.Others, unread: parts.Unread, requests: format.RequestsOf(c)}
	seen := map[string]int{} // paths and IDs of answers: a compaction may keep messages
	for _, s := range append(parts.Earlier, c) {
		for _, sent := range format.SentOf(s, l.requests) {
			l.addSegment(sent, model, seen)
		}
	}
	return l
}

// addSegment appends a conversation of the log.
func (l *sessionLog) addSegment(c *msg.Conversation, model string, seen map[string]int) {
	s := segment{c: c.WithMessages(slices.Clone(c.Messages)), usage: make([]*msg.Usage, len(c.Messages))}
	if s.c.Agent = l.log.Agent; model != "" {
		s.c.Model, s.c.Agent = model, nil
	}
	for m := range s.c.Messages {
		s.usage[m], s.c.Messages[m].Usage = s.c.Messages[m].Usage, nil // of the uncompacted conversation
	}
	ids := identities{c: c, chain: hash.New128()}
	for _, m := range msg.Calls(s.c) {
		if path := s.c.Messages[m].Path; seen[path] == 0 || path == "" {
			id := ids.of(m)
			if seen[path]++; seen[id] > 0 && (c.Format == msg.ClaudeCode || c.Format == msg.GeminiCLI) {
				continue // the log has the call again, with new lines
			}
			if seen[id]++; seen[id] > 1 { // a step of one record
				id += " " + strconv.Itoa(seen[id])
			}
			s.answers, s.ids = append(s.answers, m), append(s.ids, id)
		}
	}
	l.calls += len(s.answers)
	l.segments = append(l.segments, s)
}

// last returns the last segment.
func (l *sessionLog) last() *segment { return &l.segments[len(l.segments)-1] }

// fitUsage fits every segment to the usage of its calls, and decides whether the usage is the bill: not if another
// model was requested.
func (l *sessionLog) fitUsage(o *Options, meter tokens.Meter, infos map[messageKey]messageInfo) {
	written := false
	for i := range l.segments {
		s := &l.segments[i]
		if o.Hidden != nil {
			s.fit.hidden = *o.Hidden
		}
		if o.IgnoreUsage || !slices.ContainsFunc(s.usage, func(u *msg.Usage) bool { return u != nil }) {
			continue
		}
		counter := newReader(meter, s.c, fit{}, infos)
		var points []tokens.Point
		for _, m := range s.answers {
			counter.extend(&counter.counts, s.c, m)
			u := s.usage[m]
			if u == nil || u.Prompt() == 0 {
				continue
			}
			points = append(points, tokens.Point{Count: counter.counts.Total, Prompt: u.Prompt()})
			l.cached = l.cached || u.CacheRead+u.CacheWrite > 0
			written = written || u.CacheWrite > 0
			l.uses++
		}
		if len(points) > 0 {
			factor, hidden := tokens.Fit(points)
			if s.fit.factor = factor; o.Hidden == nil {
				s.fit.hidden = hidden
			}
		}
	}
	l.isBill = l.uses > 0 && o.Model == ""
	l.automatic = l.isBill && l.uses > 1 && l.cached && !written
}

// uncached reports a log whose agent did not use the prompt cache, by the usage of its calls.
func (l *sessionLog) uncached() bool { return l.isBill && l.uses > 1 && !l.cached }
