package replay

import (
	"slices"

	"tamp/core/internal/hash"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/promptcache"
)

// cache is the prompt cache of a provider. now is in milliseconds and never decreases.
type cache interface {
	send(q request, now int) bill     // accounts for one request
	wouldRead(q request, now int) int // the tokens that a request would read
	assume(o observed)                // for the calls of send and wouldRead that follow
}

// observed is the state of the cache that a call met, by its usage.
type observed struct {
	limit int  // the longest prefix that can be read, in tokens; 0 means any
	floor int  // the tokens that are read at least: another session may have written them
	kept  bool // entries lived longer than their lifetime
}

func (o *observed) assume(p observed) { *o = p }

// hasBreakpoints reports a format whose provider caches at breakpoints. A session log of Claude Code is not a request,
// but its messages were sent in requests to Anthropic.
func hasBreakpoints(format string) bool { return msg.API(format) == msg.Anthropic }

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

// explicitCache is a cache that writes only at breakpoints: Anthropic's.
type explicitCache struct {
	observed
	minTokens int // a breakpoint with fewer tokens before it is ignored
	entries   map[hash.Hash128]entry
}

// entry is one prefix in the cache.
type entry struct{ ttlMillis, ends int } // lifetime and time of expiry, in milliseconds

func (s *explicitCache) isAlive(prefix hash.Hash128, now int) bool {
	e, written := s.entries[prefix]
	return now < e.ends || written && s.kept
}

// effective returns the breakpoints with the minimum of tokens before them.
func (s *explicitCache) effective(q request) []breakpoint {
	var breakpoints []breakpoint
	for _, m := range q.breakpoints {
		if q.places[m.place].end >= s.minTokens {
			breakpoints = append(breakpoints, m)
		}
	}
	return breakpoints
}

// hit returns the place of the longest entry that the request reads, -1 if there is none.
func (s *explicitCache) hit(q request, breakpoints []breakpoint, now int) int {
	hit := -1
	for _, k := range breakpoints {
		m := k.place
		// 20 positions, the breakpoint's own the first. Source: Anthropic's page on prompt caching.
		for i := m; i > hit && q.places[m].position-q.places[i].position < promptcache.Lookback; i-- {
			if (s.limit == 0 || q.places[i].end <= s.limit) && s.isAlive(q.places[i].prefix, now) {
				hit = i
				break
			}
		}
	}
	return hit
}

func (s *explicitCache) wouldRead(q request, now int) int {
	if hit := s.hit(q, s.effective(q), now); hit >= 0 {
		return q.places[hit].end
	}
	return 0
}

func (s *explicitCache) send(q request, now int) bill {
	breakpoints := s.effective(q)
	hit := s.hit(q, breakpoints, now)
	var b bill
	if hit >= 0 {
		b.read = q.places[hit].end
		s.refresh(q.places[hit].prefix, now)
	}
	b.read = max(b.read, min(s.floor, q.total))
	// Everything up to the last breakpoint of an hour is written for an hour, since an entry contains its whole prefix.
	hour, last := b.read, b.read
	for _, m := range breakpoints {
		p := &q.places[m.place]
		if !s.refresh(p.prefix, now) {
			s.entries[p.prefix] = entry{m.ttlMillis, now + m.ttlMillis}
		}
		last = max(last, p.end)
		if m.ttlMillis > 1000*promptcache.Lifetime(&msg.Cache{}) {
			hour = max(hour, p.end)
		}
	}
	b.write1h, b.write5m, b.input = hour-b.read, last-hour, q.total-last
	return b
}

// refresh restarts the lifetime of an entry. It reports false if the entry is not alive.
func (s *explicitCache) refresh(prefix hash.Hash128, now int) bool {
	if !s.isAlive(prefix, now) {
		return false
	}
	e := s.entries[prefix]
	s.entries[prefix] = entry{e.ttlMillis, now + e.ttlMillis}
	return true
}

// The rules of automatic caches. Source: OpenAI's page on prompt caching.
const (
	automaticMinimum = 1024 // tokens; Gemini's models have a larger one
	automaticStep    = 128  // tokens
)

// automaticCache is a cache that stores every prefix without breakpoints: OpenAI's.
type automaticCache struct {
	observed
	ttlMillis int  // milliseconds
	minTokens int  // a shorter prefix is not read
	paid      bool // writes are paid: OpenAI from GPT-5.6 on
	requests  []sent
}

// sent is a request whose prefixes are stored.
type sent struct {
	places []place
	ends   int // milliseconds
}

func (s *automaticCache) wouldRead(q request, now int) int {
	longest := 0
	for _, r := range s.requests {
		if now < r.ends || s.kept {
			longest = max(longest, commonPlaces(r.places, q.places))
		}
	}
	read := 0
	if longest > 0 {
		if end := q.places[longest-1].end; end >= s.minTokens {
			read = end - end%automaticStep
		}
	}
	if s.limit > 0 {
		read = min(read, s.limit)
	}
	return max(read, min(s.floor, q.total))
}

func (s *automaticCache) send(q request, now int) bill {
	read := s.wouldRead(q, now)
	// Expired requests are removed, and those whose prefixes are prefixes of this request too.
	s.requests = slices.DeleteFunc(s.requests, func(r sent) bool {
		return now >= r.ends || commonPlaces(r.places, q.places) == len(r.places)
	})
	s.requests = append(s.requests, sent{q.places, now + s.ttlMillis})
	b := bill{read: read, input: q.total - read}
	if s.paid && q.total >= s.minTokens {
		b.write5m = max(q.total-q.total%automaticStep-read, 0)
		b.input -= b.write5m
	}
	return b
}

// automaticCacheOf returns the rules of OpenAI's automatic cache for a model: the seconds that a prefix lives after its
// last use, and whether writes are paid. From GPT-5.6 on it is 30 minutes, and a write costs 1.25 times the input.
// Sources, read in November 2026: the announcement of GPT-5.6 and Azure's page on prompt caching.
func automaticCacheOf(model string) (seconds int, paid bool) {
	if models.PaysCacheWrites(model) {
		return 1800, true
	}
	return 300, false
}
