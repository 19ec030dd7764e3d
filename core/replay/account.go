package replay

import (
	"tamp/core/internal/hash"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/promptcache"
	"tamp/core/tokens"
)

// account has the requests of one line, with their breakpoints, and the caches that they meet: one for each model.
type account struct {
	w           *replayer
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

func (w *replayer) newAccount(breakpoints, ttl string) *account {
	return &account{w: w, breakpoints: breakpoints, ttl: ttl, caches: map[string]cache{}}
}

// begin starts with a segment. The caches stay.
func (a *account) begin(s *segment) {
	a.reader, a.incremental, a.replaced, a.last = newReader(a.w.meter, s.c, s.fit, a.w.infos), nil, true, request{}
	if a.ledger != nil {
		a.ledger.begin(s == &a.w.segments[len(a.w.segments)-1])
	}
}

// cacheOf returns the cache of a model.
func (a *account) cacheOf(model, format string) cache {
	c, ok := a.caches[model]
	if !ok {
		if a.w.automatic {
			format = msg.OpenAIChat // any format without breakpoints
		}
		c = newCache(model, format, a.ttl)
		a.caches[model] = c
	}
	return c
}

// hasBreakpoints reports a format whose provider caches at breakpoints. A session log of Claude Code is not a request,
// but its messages were sent in requests to Anthropic.
func hasBreakpoints(format string) bool { return msg.API(format) == msg.Anthropic }

// read returns the request of a conversation with its breakpoints. compacted means that the fold has it.
func (a *account) read(c *msg.Conversation, r *round, compacted bool) (request, error) {
	q, counts := a.reader.read(c, !a.replaced)
	var entry *msg.Ref
	if a.replaced && len(a.last.places) > 0 {
		entry = a.last.lastEntry(&q)
	}
	a.replaced = false
	if hasBreakpoints(c.Format) && !a.w.uncached() && !a.w.automatic {
		if err := a.setBreakpoints(&q, c, counts, entry, compacted); err != nil {
			return q, err
		}
		if a.ttl == "" {
			a.setLifetimes(&q, r.usage)
		}
	}
	a.last = q
	return q, nil
}

// setBreakpoints sets the breakpoints of a request, the one of the hidden system prompt too. entry is that of
// promptcache.Incremental.
func (a *account) setBreakpoints(q *request, c *msg.Conversation, counts *tokens.Counts, entry *msg.Ref,
	compacted bool) error {
	asked, hidden := *c, a.w.fit.hidden
	asked.Format = msg.Anthropic // the format of the request
	var breakpoints []promptcache.Breakpoint
	var err error
	switch {
	case a.breakpoints == FromRequest:
		q.readBreakpoints(c, true)
	case a.breakpoints == Automatic:
		asked.Cache = &msg.Cache{Type: "ephemeral", TTL: a.ttl}
		q.readBreakpoints(&asked, false)
	case compacted:
		breakpoints, err = a.w.fold.Session().Breakpoints(a.w.env, a.ttl, hidden, entry)
	default:
		if a.incremental == nil {
			a.incremental, err = promptcache.NewIncremental(&asked, promptcache.Options{TTL: a.ttl, Hidden: hidden,
				Count: a.w.env.Count})
			if err != nil {
				return err
			}
		}
		breakpoints = a.incremental.Rank(&asked, counts, len(c.Messages), a.w.env.IdleSec, entry)
	}
	q.setBreakpoints(c, breakpoints)
	if hidden > 0 {
		q.insertBreakpoint(0, 1000*promptcache.Lifetime(&msg.Cache{TTL: a.ttl}))
	}
	return err
}

// newCache returns an empty cache of a model. ttl is the lifetime of automatic caches; "" means the provider's.
func newCache(model, format, ttl string) cache {
	if hasBreakpoints(format) {
		return &explicitCache{minTokens: promptcache.Minimum(model), entries: map[hash.Hash128]entry{}}
	}
	seconds, paid := automaticCacheOf(model)
	if ttl != "" {
		seconds = promptcache.Lifetime(&msg.Cache{TTL: ttl})
	}
	minimum := models.ProfileFor(model, format).MinCacheTokens
	return &automaticCache{ttlMillis: 1000 * seconds, minTokens: max(automaticMinimum, minimum), paid: paid}
}
