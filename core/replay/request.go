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
	lives    int     // of the breakpoint that stands here, in milliseconds; 0 where none does
}

// request is what is sent to the model, as its cache sees it.
type request struct {
	places []place
	total  int
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
	counts tokens.Counts // of the request before
	last   []key         // its messages
	start  []int         // where their places begin
	places []place       // its places, without what changes from request to request: positions and breakpoints
}

func newReader(meter tokens.Meter, c *msg.Conversation) *reader {
	r := &reader{meter: meter, known: map[key]seen{}, counts: meter.Conversation(c.WithMessages(nil))}
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
// request before is not looked at again. The places are the caller's; the counts hold until the next read.
func (r *reader) read(c *msg.Conversation) (request, *tokens.Counts) {
	same := 0
	for same < len(r.last) && same < len(c.Messages) && r.last[same] == keyOf(&c.Messages[same]) {
		same++
	}
	if same < len(r.last) {
		r.places = r.places[:r.start[same]]
	}
	for _, gone := range r.counts.Messages[same:] {
		r.counts.Total -= gone.Tokens
	}
	r.last, r.start, r.counts.Messages = r.last[:same], r.start[:same], r.counts.Messages[:same]
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
		for b, tokens := range s.count.Blocks {
			end += tokens
			prefix.Number(s.digests[b])
			r.places = append(r.places, place{end: end, prefix: prefix})
		}
		r.counts.Messages = append(r.counts.Messages, s.count)
		r.counts.Total += s.count.Tokens
	}
	q := request{places: slices.Clone(r.places), total: r.counts.Total}
	at := len(q.places)
	positions := anchor.Positions(c)
	for m := len(positions) - 1; m >= 0; m-- {
		for b := len(positions[m]) - 1; b >= 0; b-- {
			at--
			q.places[at].position = positions[m][b]
		}
	}
	return q, &r.counts
}

// mark notes where the breakpoints of c stand, which is the conversation that was read, with or without breakpoints. Those on messages
// count only where inMessages is set.
func (q *request) mark(c *msg.Conversation, inMessages bool) {
	at, last, counts := 0, -1, true
	note := func(place int, cache *msg.Cache) {
		if cache != nil {
			q.places[place].lives = max(q.places[place].lives, 1000*anchor.Lifetime(cache))
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
			if c.Cache != nil && anchor.CanCarry(&blocks[b]) {
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
	if last >= 0 {
		note(last, c.Cache)
	}
}
