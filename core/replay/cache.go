package replay

import (
	"tamp/core/internal/hash"
	"tamp/core/msg"
	"tamp/core/promptcache"
)

// cache is the prompt cache of a provider. send accounts for one request; now is in milliseconds and never decreases.
type cache interface {
	send(q request, now int) bill
}

// explicitCache is a cache that writes only at breakpoints: Anthropic's.
type explicitCache struct {
	minTokens int // a breakpoint with fewer tokens before it is ignored
	limit     int // the longest prefix that the next request can read, in tokens; 0 means any
	entries   map[hash.Hash128]entry
}

// entry is one prefix in the cache.
type entry struct{ ttlMillis, ends int } // lifetime and time of expiry, in milliseconds

func (e entry) isAlive(now int) bool { return now < e.ends }

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
			if (s.limit == 0 || q.places[i].end <= s.limit) && s.entries[q.places[i].prefix].isAlive(now) {
				hit = i
				break
			}
		}
	}
	return hit
}

// wouldRead returns the tokens that the request would read, without a limit.
func (s *explicitCache) wouldRead(q request, now int) int {
	s.limit = 0
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
	e := s.entries[prefix]
	if !e.isAlive(now) {
		return false
	}
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

func (s *automaticCache) send(q request, now int) bill {
	longest := 0
	live := s.requests[:0]
	for _, r := range s.requests {
		if now >= r.ends {
			continue
		}
		n := commonPlaces(r.places, q.places)
		longest = max(longest, n)
		if n < len(r.places) { // the prefixes of r are prefixes of this request too
			live = append(live, r)
		}
	}
	s.requests = append(live, sent{q.places, now + s.ttlMillis})
	read := 0
	if longest > 0 {
		if end := q.places[longest-1].end; end >= s.minTokens {
			read = end - end%automaticStep
		}
	}
	b := bill{read: read, input: q.total - read}
	if s.paid && q.total >= s.minTokens {
		b.write5m = q.total - q.total%automaticStep - read
		b.input -= b.write5m
	}
	return b
}

// commonPlaces returns the number of places that two requests have in common at their start. A prefix digest covers
// everything before it, so a binary search finds the number.
func commonPlaces(a, b []place) int {
	low, high := 0, min(len(a), len(b))
	for low < high {
		middle := (low + high + 1) / 2
		if a[middle-1].prefix == b[middle-1].prefix {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}
