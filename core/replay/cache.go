package replay

import (
	"tamp/core/anchor"
	"tamp/core/msg"
)

// bill is how the tokens of one request are paid for. Their sum is the request.
type bill struct{ read, write5m, write1h, input int }

// cache is what a provider remembers of the requests before. now is in milliseconds and never goes back.
type cache interface {
	send(q request, now int) bill
}

// breakpoints is the cache that writes only where it is asked to: Anthropic's.
type breakpoints struct {
	least   int // tokens before a breakpoint, so that it counts
	entries map[msg.Mix]entry
}

// entry is one prefix in the cache.
type entry struct{ lives, ends int } // milliseconds, both

func (e entry) isAlive(now int) bool { return now < e.ends }

func (s *breakpoints) send(q request, now int) bill {
	var marks []mark
	for _, m := range q.marks {
		if q.places[m.place].end >= s.least {
			marks = append(marks, m)
		}
	}
	hit := -1
	for _, k := range marks {
		m := k.place
		// 20 positions, the breakpoint's own the first. Source: Anthropic's page on prompt caching.
		for i := m; i > hit && q.places[m].position-q.places[i].position < anchor.Lookback; i-- {
			if s.entries[q.places[i].prefix].isAlive(now) {
				hit = i
				break
			}
		}
	}
	var b bill
	if hit >= 0 {
		b.read = q.places[hit].end
		s.refresh(q.places[hit].prefix, now)
	}
	// An hour is written up to the last breakpoint of an hour, since everything before that has to live as long.
	hour, last := b.read, b.read
	for _, m := range marks {
		p := &q.places[m.place]
		if !s.refresh(p.prefix, now) {
			s.entries[p.prefix] = entry{m.lives, now + m.lives}
		}
		last = max(last, p.end)
		if m.lives > 1000*anchor.Lifetime(&msg.Cache{}) {
			hour = max(hour, p.end)
		}
	}
	b.write1h, b.write5m, b.input = hour-b.read, last-hour, q.total-last
	return b
}

// refresh gives an entry that is alive its whole life again.
func (s *breakpoints) refresh(prefix msg.Mix, now int) bool {
	e := s.entries[prefix]
	if !e.isAlive(now) {
		return false
	}
	s.entries[prefix] = entry{e.lives, now + e.lives}
	return true
}

// The rules of caches that need no asking. Source: OpenAI's page on prompt caching.
const (
	automaticLeast = 1024 // tokens
	automaticStep  = 128
)

// automatic is the cache of a provider that remembers every prefix by itself: OpenAI's.
type automatic struct {
	lives    int // milliseconds
	requests []sent
}

// sent is a request whose prefixes are remembered.
type sent struct {
	places []place
	ends   int
}

func (s *automatic) send(q request, now int) bill {
	longest := 0
	live := s.requests[:0]
	for _, r := range s.requests {
		if now >= r.ends {
			continue
		}
		n := common(r.places, q.places)
		longest = max(longest, n)
		if n < len(r.places) { // the others are beginnings of this one
			live = append(live, r)
		}
	}
	s.requests = append(live, sent{q.places, now + s.lives})
	read := 0
	if longest > 0 {
		if end := q.places[longest-1].end; end >= automaticLeast {
			read = end - end%automaticStep
		}
	}
	return bill{read: read, input: q.total - read}
}

// common is how many places two requests share at their start. Each prefix stands for all that is before it, so it is found by halving.
func common(a, b []place) int {
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
