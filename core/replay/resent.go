package replay

import (
	"cmp"
	"sort"

	"tamp/core/internal/order"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
)

// Resends are what the requests of a session send again: every request has the whole conversation, so a block is paid
// by each request after the first one that has it. Costs are in millionths of a dollar.
type Resends struct {
	Calls     int     `json:"calls"`
	Stopped   bool    `json:"stopped,omitempty"` // Options.Progress ended the replays: later calls are missing
	Resent    int     `json:"resent"`            // tokens × the requests that resend them, without compaction
	Cost      int     `json:"cost"`              // of resending them, without compaction
	Left      int     `json:"left"`              // tokens × the requests that resend them, under the policy
	Compacted int     `json:"compacted"`         // the cost of resending them, under the policy
	Owners    []Owned `json:"owners"`            // by Removed, the largest first
}

// Owned is what the blocks of one owner cost after their first request.
type Owned struct {
	// "hidden" (not in the log), "system", "tools" (the agent's own), "server" (a tool server), "notes" (text that the
	// agent inserts), "prompts", "answers", "thinking", "results", "summaries" or "other"
	Owner     string       `json:"owner"`
	Name      string       `json:"name,omitempty"` // the tool of answers and results, or the tool server
	Blocks    int          `json:"blocks"`
	Tokens    int          `json:"tokens"`    // of the blocks, each counted once
	Resent    int          `json:"resent"`    // tokens × the requests that resend them, without compaction
	Left      int          `json:"left"`      // the same under the policy
	Cost      int          `json:"cost"`      // of resending them, without compaction
	Compacted int          `json:"compacted"` // the same cost under the policy
	Removed   int          `json:"removed"`   // the difference of both costs; negative if compaction adds to it
	Largest   []OwnedBlock `json:"largest"`   // up to 24 blocks, by Removed, then by Cost
}

// OwnedBlock is one block of an owner.
type OwnedBlock struct {
	// index of the message and of the block in the session; -1 for what is in no message of its last segment
	Message   int    `json:"message"`
	Block     int    `json:"block"`
	Name      string `json:"name,omitempty"` // of a tool definition
	Tokens    int    `json:"tokens"`
	Requests  int    `json:"requests"` // that resend it, without compaction
	Left      int    `json:"left"`     // the same under the policy
	Cost      int    `json:"cost"`
	Compacted int    `json:"compacted"`
	Removed   int    `json:"removed"`
}

// maxLargest is the length of Owned.Largest: more rectangles are too small to see.
const maxLargest = 24

// Resent replays the session c without compaction and with policy p, and divides the cost of what the requests send
// again by owner. Not included are the first request that has a block, the answers, and the summarizer. The errors are
// those of Replay.
func Resent(c *msg.Conversation, p policy.Policy, o Options) (*Resends, error) {
	both := &ledger{at: map[blockKey]*copies{}}
	progress, calls, stopped := o.Progress, 0, false
	for _, none := range []bool{true, false} {
		o.None = none
		if progress != nil { // both replays are one piece of work
			o.Progress = func(done, of int) bool {
				if !none {
					done += of
				}
				return progress(done, 2*of)
			}
		}
		w, err := newReplayer(c, p, o)
		if err != nil {
			return nil, err
		}
		if !none {
			both.replay = 1
		}
		w.account.ledger = both
		if err := w.run(); err != nil {
			return nil, err
		}
		both.cut(0)
		calls = len(w.report.Calls)
		if stopped = w.report.Stopped; stopped {
			break
		}
	}
	if progress != nil && !stopped {
		progress(2*calls, 2*calls)
	}
	all := both.resends(calls)
	all.Stopped = stopped
	return all, nil
}

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
	return [4]step{at(b.read, read-hour), at(b.read+b.write1h, hour-written), at(b.read+b.write(), written-full),
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

// resends sums the items up by owner.
func (l *ledger) resends(calls int) *Resends {
	all := &Resends{Calls: calls, Owners: []Owned{}}
	at := map[owner]int{}
	for i := range l.items {
		x := &l.items[i]
		k, ok := at[x.owner]
		if !ok {
			k = len(all.Owners)
			at[x.owner] = k
			all.Owners = append(all.Owners, Owned{Owner: x.owner.kind, Name: x.owner.name, Largest: []OwnedBlock{}})
		}
		o := &all.Owners[k]
		o.add(x)
		without, with := &x.spent[0], &x.spent[1]
		all.Resent += without.resent()
		all.Left += with.resent()
		all.Cost += without.cost()
		all.Compacted += with.cost()
	}
	for i := range all.Owners {
		all.Owners[i].cutLargest()
	}
	order.Stable(all.Owners, func(a, b Owned) int {
		return cmp.Or(b.Removed-a.Removed, b.Cost-a.Cost)
	})
	return all
}

// add adds a block. Only blocks of the session and summaries are listed: a placeholder has the place of its original.
func (o *Owned) add(x *item) {
	without, with := &x.spent[0], &x.spent[1]
	cost, compacted := without.cost(), with.cost()
	o.Resent += without.resent()
	o.Left += with.resent()
	o.Cost += cost
	o.Compacted += compacted
	o.Removed += cost - compacted
	own := without
	if !without.isSent {
		own = with
	}
	if !without.isSent && o.Owner != ownerSummaries {
		return
	}
	o.Blocks++
	o.Tokens += own.once
	o.Largest = append(o.Largest, OwnedBlock{Message: x.ref.Message, Block: x.ref.Block, Name: x.name, Tokens: own.once,
		Requests: without.again(), Left: with.again(), Cost: cost, Compacted: compacted, Removed: cost - compacted})
}

// cutLargest keeps the blocks with the highest costs, sorted by what compaction removes.
func (o *Owned) cutLargest() {
	cost := func(b *OwnedBlock) int { return max(b.Cost, b.Compacted) }
	order.Stable(o.Largest, func(a, b OwnedBlock) int { return cost(&b) - cost(&a) })
	o.Largest = o.Largest[:min(len(o.Largest), maxLargest):min(len(o.Largest), maxLargest)]
	order.Stable(o.Largest, func(a, b OwnedBlock) int { return cmp.Or(b.Removed-a.Removed, b.Cost-a.Cost) })
}
