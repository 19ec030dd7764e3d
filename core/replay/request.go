package replay

import (
	"slices"

	"tamp/core/anchor"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// place is the end of one block of a request, in the order of the request: tools, system, messages.
type place struct {
	end      int     // tokens from the first tool to here
	position int     // as the cache counts when it looks back
	prefix   msg.Mix // of all that is before it, itself included, but for breakpoints
}

// mark is a place with a breakpoint.
type mark struct {
	place int
	lives int // milliseconds
}

// request is what is sent to the model, as its cache sees it. Requests share their places: they are never changed.
type request struct {
	places []place
	marks  []mark // in order, one a place
	total  int
	start  []int // the first place of each message
}

// seen is what is known of a message however often it is sent again.
type seen struct {
	count   tokens.MessageCount
	digests []uint64
}

// key tells messages apart by where their blocks lie in memory: no pass changes blocks in place, and a message that
// did not change shares them. It keeps them alive, so no place is used twice.
type key struct {
	first  *msg.Block
	blocks int
	role   msg.Role
}

func keyOf(m *msg.Message) key {
	k := key{blocks: len(m.Blocks), role: m.Role}
	if len(m.Blocks) > 0 {
		k.first = &m.Blocks[0]
	}
	return k
}

// reader reads requests, each message once.
type reader struct {
	meter  tokens.Meter
	known  map[key]seen
	counts tokens.Counts     // of the request before
	last   []key             // its messages
	start  []int             // where their places begin
	places []place           // its places
	at     []anchor.Position // before each message
}

func newReader(meter tokens.Meter, c *msg.Conversation) *reader {
	r := &reader{meter: meter, known: map[key]seen{}, at: make([]anchor.Position, 1), counts: meter.Conversation(c.WithMessages(nil))}
	prefix, end := msg.NewMix(), 0
	for i := range c.Tools {
		end += meter.Tool(&c.Tools[i])
		prefix.Number(anchor.DigestTool(&c.Tools[i]))
		r.places = append(r.places, place{end: end, prefix: prefix})
	}
	prefix.Text("system")
	for i := range c.System {
		end += meter.Block(&c.System[i])
		prefix.Number(anchor.DigestBlock(&c.System[i]))
		r.places = append(r.places, place{end: end, prefix: prefix})
	}
	return r
}

// message counts and digests a message where that was not done before.
func (r *reader) message(m *msg.Message) seen {
	k := keyOf(m)
	s, ok := r.known[k]
	if ok {
		return s
	}
	s.count = tokens.MessageCount{Tokens: r.meter.Profile.PerMessage, Blocks: make([]int, len(m.Blocks))}
	s.digests = make([]uint64, len(m.Blocks))
	for b := range m.Blocks {
		s.count.Blocks[b] = r.meter.Block(&m.Blocks[b])
		s.count.Tokens += s.count.Blocks[b]
		s.digests[b] = anchor.DigestBlock(&m.Blocks[b])
	}
	r.known[k] = s
	return s
}

// read lists the places of a request with these tools and this system prompt, and counts it. What it has in common with the
// request before is not looked at again: grown says that this is all of that request. The counts hold until the next read.
func (r *reader) read(c *msg.Conversation, grown bool) (request, *tokens.Counts) {
	same := len(r.last)
	if !grown {
		for same = 0; same < len(r.last) && same < len(c.Messages) && r.last[same] == keyOf(&c.Messages[same]); {
			same++
		}
	}
	if same < len(r.last) {
		n := r.start[same]
		r.places, r.start = r.places[:n:n], r.start[:same:same] // earlier requests have what is behind
	}
	for _, gone := range r.counts.Messages[same:] {
		r.counts.Total -= gone.Tokens
	}
	r.last, r.at, r.counts.Messages = r.last[:same], r.at[:same+1], r.counts.Messages[:same]
	prefix := msg.NewMix()
	if n := len(r.places); n > 0 {
		prefix = r.places[n-1].prefix
	}
	for m := same; m < len(c.Messages); m++ {
		message := &c.Messages[m]
		s := r.message(message)
		r.last, r.start = append(r.last, keyOf(message)), append(r.start, len(r.places))
		end := r.counts.Total + s.count.Tokens
		for _, tokens := range s.count.Blocks {
			end -= tokens // what the model adds around a message stands before its blocks
		}
		prefix.Text(string(message.Role))
		at := r.at[m]
		for b, tokens := range s.count.Blocks {
			end += tokens
			prefix.Number(s.digests[b])
			r.places = append(r.places, place{end: end, position: at.Next(&message.Blocks[b]), prefix: prefix})
		}
		r.at = append(r.at, at)
		r.counts.Messages = append(r.counts.Messages, s.count)
		r.counts.Total += s.count.Tokens
	}
	return request{places: r.places, total: r.counts.Total, start: r.start}, &r.counts
}

// put notes a breakpoint. Breakpoints come in the order of their places; of two at one place the one that lives longer counts.
func (q *request) put(place, lives int) {
	if n := len(q.marks); n > 0 && q.marks[n-1].place == place {
		q.marks[n-1].lives = max(q.marks[n-1].lives, lives)
		return
	}
	q.marks = append(q.marks, mark{place, lives})
}

// set notes the breakpoints that were worked out for c, which is the conversation that was read.
func (q *request) set(c *msg.Conversation, marks []anchor.Breakpoint) {
	for _, m := range marks {
		at := 0
		switch {
		case m.Automatic:
			at = q.lastCarrier(c)
		case m.Tool:
			at = m.Ref.Block
		case m.System:
			at = len(c.Tools) + m.Ref.Block
		default:
			at = q.start[m.Ref.Message] + m.Ref.Block
		}
		if at < 0 {
			continue
		}
		q.insert(at, 1000*m.Seconds)
	}
}

// insert is put in any order.
func (q *request) insert(place, lives int) {
	i, found := slices.BinarySearchFunc(q.marks, place, func(m mark, place int) int { return m.place - place })
	if found {
		q.marks[i].lives = max(q.marks[i].lives, lives)
		return
	}
	q.marks = slices.Insert(q.marks, i, mark{place, lives})
}

// lastCarrier is the place of the last block that can carry a breakpoint, -1 if none can.
func (q *request) lastCarrier(c *msg.Conversation) int {
	at := len(q.places)
	last := func(blocks []msg.Block) bool {
		for b := len(blocks) - 1; b >= 0; b-- {
			if at--; anchor.CanHoldBreakpoint(&blocks[b]) {
				return true
			}
		}
		return false
	}
	for m := len(c.Messages) - 1; m >= 0; m-- {
		if last(c.Messages[m].Blocks) {
			return at
		}
	}
	if last(c.System) || last(c.Tools) {
		return at
	}
	return -1
}

// mark notes where the breakpoints of c stand, which is the conversation that was read, with or without breakpoints. Those on messages
// count only where inMessages is set.
func (q *request) mark(c *msg.Conversation, inMessages bool) {
	at, last, counts := 0, -1, true
	note := func(place int, cache *msg.Cache) {
		if cache != nil {
			q.put(place, 1000*anchor.Lifetime(cache))
		}
	}
	walk := func(blocks []msg.Block) {
		for b := range blocks {
			if counts {
				note(at, blocks[b].Cache)
				for i := range blocks[b].Parts {
					note(at, blocks[b].Parts[i].Cache)
				}
			}
			if c.Cache != nil && anchor.CanHoldBreakpoint(&blocks[b]) {
				last = at
			}
			at++
		}
	}
	walk(c.Tools)
	walk(c.System)
	counts = inMessages
	for m := range c.Messages {
		walk(c.Messages[m].Blocks)
	}
	if last >= 0 && c.Cache != nil {
		q.insert(last, 1000*anchor.Lifetime(c.Cache))
	}
}
