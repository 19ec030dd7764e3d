package replay

import (
	"sort"

	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/promptcache"
)

// blockKey identifies equal blocks by their owner and their digest: after a change of an earlier block they are still
// the same.
type blockKey struct {
	owner  owner
	digest uint64
}

// copies are the equal blocks of a key, each an item. Of these, live are in the last request.
type copies struct {
	items []int
	live  int
}

// spent is what one block costs in one replay. Weights are millionths of the unit of costs.
type spent struct {
	isSent   bool
	requests int // that have it
	tokens   int // in all of them
	once     int // tokens in the first one
	weight   int // of all of them
	first    int // of the first one
}

func (s *spent) resent() int { return s.tokens - s.once }

func (s *spent) again() int { return max(s.requests-1, 0) }

func (s *spent) cost() int { return (s.weight - s.first + 500_000) / 1_000_000 }

// item is one block of the session in both replays.
type item struct {
	owner owner
	equal *copies
	name  string
	ref   msg.Ref
	spent [2]spent // without and with compaction
}

// slot is one place of the last request. What its requests have is counted lazily: the values of later slots hold
// for it, too.
type slot struct {
	item       int
	start, end int  // tokens from the start of the request
	requests   int  // that end here: they had the slot and all before it
	weight     int  // of each token of the slot and of all before it
	part       int  // weight of a part of the slot, because a price ends within it
	isFirst    bool // the block was not sent before
}

// ledger divides the costs of requests by block. Since a request extends or cuts the one before it, its places are a
// stack: the cost of a request is added to a few slots, and summed up when slots are removed.
type ledger struct {
	replay int  // 0 without compaction, 1 with it
	last   bool // the segment is the last one
	items  []item
	at     map[blockKey]*copies
	stack  []slot
	tools  map[string]string // name of a call by its id
}

// begin starts with a segment.
func (l *ledger) begin(last bool) {
	l.cut(0)
	l.last, l.tools = last, map[string]string{}
}

// cut removes all slots from n on.
func (l *ledger) cut(n int) {
	for i := len(l.stack) - 1; i >= n; i-- {
		e := &l.stack[i]
		if i > 0 {
			l.stack[i-1].requests += e.requests
			l.stack[i-1].weight += e.weight
		}
		l.items[e.item].equal.live--
		s, size := &l.items[e.item].spent[l.replay], e.end-e.start
		s.requests += e.requests
		s.tokens += e.requests * size
		s.weight += e.weight*size + e.part
	}
	l.stack = l.stack[:n]
}

// push adds the next place of a request. ref is that of the block in the session, if the session has it.
func (l *ledger) push(end int, key blockKey, ref msg.Ref, name string) {
	equal := l.at[key]
	if equal == nil {
		equal = &copies{}
		l.at[key] = equal
	}
	if equal.live == len(equal.items) {
		equal.items = append(equal.items, len(l.items))
		l.items = append(l.items, item{owner: key.owner, equal: equal, name: name, ref: msg.Ref{Message: -1, Block: -1}})
	}
	i := equal.items[equal.live]
	equal.live++
	if l.last && l.replay == 0 && ref.Message >= 0 {
		l.items[i].ref = ref
	}
	start := 0
	if n := len(l.stack); n > 0 {
		start = l.stack[n-1].end
	}
	s := &l.items[i].spent[l.replay]
	l.stack = append(l.stack, slot{item: i, start: start, end: end, isFirst: !s.isSent})
	if !s.isSent {
		s.isSent, s.once = true, end-start
	}
}

// pushHead adds the places before the messages.
func (l *ledger) pushHead(c *msg.Conversation, q *request) {
	none := msg.Ref{Message: -1}
	if q.offset > 0 {
		l.push(q.places[0].end, blockKey{owner: owner{ownerHidden, ""}}, none, "")
	}
	for i := range c.Tools {
		key := blockKey{ownerOfTool(&c.Tools[i]), promptcache.DigestTool(&c.Tools[i])}
		l.push(q.places[len(l.stack)].end, key, none, c.Tools[i].Name)
	}
	for i := range c.System {
		key := blockKey{owner{ownerSystem, ""}, promptcache.DigestBlock(&c.System[i])}
		l.push(q.places[len(l.stack)].end, key, none, "")
	}
}

// pushMessages adds the places of the messages from a first one on.
func (l *ledger) pushMessages(c *msg.Conversation, q *request, first int, r *reader) {
	for m := first; m < len(c.Messages); m++ {
		message := &c.Messages[m]
		digests := r.message(message).digests
		l.noteCalls(message)
		for b := range message.Blocks {
			key := blockKey{ownerOf(message, b, l.tools), digests[b]}
			l.push(q.places[len(l.stack)].end, key, msg.Ref{Message: m, Block: b}, "")
		}
	}
}

// noteCalls adds the names of the calls of a message.
func (l *ledger) noteCalls(m *msg.Message) {
	for b := range m.Blocks {
		if block := &m.Blocks[b]; block.Kind == msg.KindToolUse {
			l.tools[block.ID] = block.Name
		}
	}
}

// step is a change of the price within a request: each token before a position costs weight more than those after it.
type step struct{ at, weight int }

// stepsOf divides a request of total tokens by price. The bill is scaled to them.
func stepsOf(b bill, p models.Price, total int) [4]step {
	sent := b.sent()
	read, hour, written, full := p.Read*p.Input, p.Write1h*p.Input, p.Write5m*p.Input, 1000*p.Input
	at := func(tokens, weight int) step { return step{portion(tokens, total, sent), portion(weight, sent, total)} }
	return [4]step{at(b.read, read-hour), at(b.read+b.write1h, hour-written), at(b.read+b.written(), written-full),
		at(sent, full)}
}

// send adds a request, the last one of r.
func (l *ledger) send(c *msg.Conversation, q *request, r *reader, b bill, p models.Price) {
	fresh := len(q.places)
	if r.same < len(q.start) {
		fresh = q.start[r.same]
	}
	if len(l.stack) == 0 {
		l.pushHead(c, q)
		fresh = 0
	} else if fresh < len(l.stack) {
		l.cut(fresh)
		l.tools = map[string]string{} // an id may be used twice
		for m := range r.same {
			l.noteCalls(&c.Messages[m])
		}
	}
	l.pushMessages(c, q, r.same, r)
	n := len(l.stack)
	if n == 0 {
		return
	}
	l.stack[n-1].requests++
	for _, x := range stepsOf(b, p, q.total) {
		k := sort.Search(n, func(i int) bool { return l.stack[i].end > x.at })
		if k > 0 {
			l.stack[k-1].weight += x.weight
		}
		if k < n && x.at > l.stack[k].start {
			l.stack[k].part += x.weight * (x.at - l.stack[k].start)
		}
		for i := fresh; i < n; i++ {
			if e := &l.stack[i]; e.isFirst {
				l.items[e.item].spent[l.replay].first += x.weight * min(max(x.at-e.start, 0), e.end-e.start)
			}
		}
	}
}
