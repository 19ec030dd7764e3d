package replay

import (
	"tamp/core"
	"tamp/core/msg"
	"tamp/core/promptcache"
	"tamp/core/tokens"
)

// account has the requests of one line, with their breakpoints, and the caches that they meet: one for each model.
type account struct {
	env         *core.Env
	meter       tokens.Meter
	infos       map[messageKey]messageInfo // of all messages, read once
	log         *sessionLog
	fit         fit    // of the segment
	breakpoints string // Anchors, Automatic or FromRequest
	ttl         string // of new breakpoints; "" means that of the usage, else five minutes
	caches      map[string]cache
	reader      *reader
	incremental *promptcache.Incremental // places the breakpoints without compaction
	replaced    bool                     // the conversation was replaced since the previous call, not only extended
	last        request                  // the previous request of the segment
	ledger      *ledger                  // divides the costs by block; nil if that is not requested

	hour, systemHour bool // the log writes messages, or the hidden system prompt, for an hour
}

// begin starts with a segment. The caches stay.
func (a *account) begin(s *segment) {
	a.fit, a.reader = s.fit, newReader(a.meter, s.c, s.fit, a.infos)
	a.incremental, a.replaced, a.last = nil, true, request{}
	if a.ledger != nil {
		a.ledger.begin(s == a.log.last())
	}
}

// cacheOf returns the cache of a model.
func (a *account) cacheOf(model, format string) cache {
	c, ok := a.caches[model]
	if !ok {
		if a.log.automatic {
			format = msg.OpenAIChat // any format without breakpoints
		}
		c = newCache(model, format, a.ttl)
		a.caches[model] = c
	}
	return c
}

// lifetime returns the seconds that an entry of a model's cache lives.
func (a *account) lifetime(model string) int {
	if automatic, ok := a.caches[model].(*automaticCache); ok {
		return automatic.ttlMillis / 1000
	}
	return promptcache.Lifetime(&msg.Cache{TTL: a.ttl})
}

// readRequest returns the request of a conversation with its breakpoints. usage is that of its call in the log, or nil;
// compacted is the session that has the conversation; nil without compaction.
func (a *account) readRequest(c *msg.Conversation, usage *msg.Usage, compacted *core.Session) (request, error) {
	q, counts := a.reader.readRequest(c, !a.replaced)
	var entry *msg.Ref
	if a.replaced && len(a.last.places) > 0 {
		entry = a.last.lastEntry(&q)
	}
	a.replaced = false
	if hasBreakpoints(c.Format) && !a.log.uncached() && !a.log.automatic {
		if err := a.setBreakpoints(&q, c, counts, entry, compacted); err != nil {
			return q, err
		}
		if a.ttl == "" {
			a.setLifetimes(&q, usage)
		}
	}
	a.last = q
	return q, nil
}

// setBreakpoints sets the breakpoints of a request, the one of the hidden system prompt too. entry is that of
// promptcache.Incremental.
func (a *account) setBreakpoints(q *request, c *msg.Conversation, counts *tokens.Counts, entry *msg.Ref,
	compacted *core.Session) error {
	asked, hidden := *c, a.fit.hidden
	asked.Format = msg.Anthropic // the format of the request
	var breakpoints []promptcache.Breakpoint
	var err error
	switch {
	case a.breakpoints == FromRequest:
		q.readBreakpoints(c, true)
	case a.breakpoints == Automatic:
		asked.Cache = &msg.Cache{Type: "ephemeral", TTL: a.ttl}
		q.readBreakpoints(&asked, false)
	case compacted != nil:
		breakpoints, err = compacted.Breakpoints(*a.env, a.ttl, hidden, entry)
	default:
		if a.incremental == nil {
			a.incremental, err = promptcache.NewIncremental(&asked, promptcache.Options{TTL: a.ttl, Hidden: hidden,
				Count: a.env.Count})
			if err != nil {
				return err
			}
		}
		breakpoints = a.incremental.Rank(&asked, counts, len(c.Messages), a.env.IdleSec, entry)
	}
	q.setBreakpoints(c, breakpoints)
	if hidden > 0 {
		q.insertBreakpoint(0, 1000*promptcache.Lifetime(&msg.Cache{TTL: a.ttl}))
	}
	return err
}

// setLifetimes sets the lifetimes of the breakpoints by the usage of the log. The breakpoint of the hidden system
// prompt lives an hour if any token was written for an hour, the other breakpoints if most tokens were. A call that
// writes nothing has the lifetimes of the call before it.
func (a *account) setLifetimes(q *request, u *msg.Usage) {
	if u != nil && u.CacheWrite > 0 {
		a.systemHour, a.hour = u.CacheWrite1h > 0, 2*u.CacheWrite1h > u.CacheWrite
	}
	for i := range q.breakpoints {
		m := &q.breakpoints[i]
		if a.hour || a.systemHour && m.place == 0 && a.fit.hidden > 0 {
			m.ttlMillis = 1000 * promptcache.Lifetime(&msg.Cache{TTL: promptcache.OneHour})
		}
	}
}
