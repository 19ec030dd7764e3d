package replay

import (
	"slices"

	"tamp/core/internal/hash"
	"tamp/core/msg"
	"tamp/core/promptcache"
	"tamp/core/tokens"
)

// place is the end of one block of a request, in the order of the request: tools, system, messages.
type place struct {
	end      int          // tokens from the first tool to here
	position int          // as the cache counts when it looks back
	prefix   hash.Hash128 // digest of the request up to the end of the block, without breakpoints
}

// breakpoint is a place with a breakpoint.
type breakpoint struct {
	place     int
	ttlMillis int // milliseconds
}

// request is a request to the model as its cache compares it. Requests share their places, which never change.
type request struct {
	places      []place
	breakpoints []breakpoint // in order, one a place
	total       int
	start       []int // index of the first place of each message
	offset      int   // index of the first place that the conversation shows
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

// messageInfo holds the counts and digests of a message, computed once.
type messageInfo struct {
	count   tokens.MessageCount
	digests []uint64
	notes   int // tokens of text that the agent inserted
}

// messageKey identifies a message by the address of its blocks: no pass changes blocks in place, and an unchanged
// message shares them. The pointer keeps the blocks alive, so an address is never reused.
type messageKey struct {
	first  *msg.Block
	blocks int
	role   msg.Role
}

func keyOf(m *msg.Message) messageKey {
	k := messageKey{blocks: len(m.Blocks), role: m.Role}
	if len(m.Blocks) > 0 {
		k.first = &m.Blocks[0]
	}
	return k
}

// reader converts conversations to requests. It reads each message once.
type reader struct {
	meter     tokens.Meter
	fit       fit
	infos     map[messageKey]messageInfo
	counts    tokens.Counts          // of the previous request
	last      []messageKey           // its messages
	start     []int                  // index of their first places
	places    []place                // its places
	positions []promptcache.Position // position before each message
	notes     []int                  // tokens of notes before each message
	same      int                    // messages that the last request has in common with the one before it
}

// newReader returns a reader whose requests have tokens of the API. Hidden tokens are a place before all others. infos
// may be shared by readers with the same meter.
func newReader(meter tokens.Meter, c *msg.Conversation, f fit, infos map[messageKey]messageInfo) *reader {
	r := &reader{meter: meter, fit: f, infos: infos, positions: make([]promptcache.Position, 1), notes: make([]int, 1),
		counts: meter.Conversation(c.WithMessages(nil))}
	prefix, end := hash.New128(), 0
	if f.hidden > 0 {
		prefix.Text("hidden")
		r.places = append(r.places, place{end: f.hidden, prefix: prefix})
	}
	for i := range c.Tools {
		end += meter.Tool(&c.Tools[i])
		prefix.Number(promptcache.DigestTool(&c.Tools[i]))
		r.places = append(r.places, place{end: f.tokens(end), prefix: prefix})
	}
	prefix.Text("system")
	for i := range c.System {
		end += meter.Block(&c.System[i])
		prefix.Number(promptcache.DigestBlock(&c.System[i]))
		r.places = append(r.places, place{end: f.tokens(end), prefix: prefix})
	}
	return r
}

// offset returns the number of places before those that the conversation shows.
func (r *reader) offset() int {
	if r.fit.hidden > 0 {
		return 1
	}
	return 0
}

// message returns the counts and digests of a message.
func (r *reader) message(m *msg.Message) messageInfo {
	k := keyOf(m)
	s, ok := r.infos[k]
	if ok {
		return s
	}
	s.count = tokens.MessageCount{Tokens: r.meter.Profile.PerMessage, Blocks: make([]int, len(m.Blocks))}
	s.digests = make([]uint64, len(m.Blocks))
	for b := range m.Blocks {
		s.count.Blocks[b] = r.meter.Block(&m.Blocks[b])
		s.count.Tokens += s.count.Blocks[b]
		s.digests[b] = promptcache.DigestBlock(&m.Blocks[b])
		if isNote(m, b) {
			s.notes += s.count.Blocks[b]
		}
	}
	r.infos[k] = s
	return s
}

// extend adds the messages of c up to one to the counts of those before them.
func (r *reader) extend(counts *tokens.Counts, c *msg.Conversation, to int) {
	from := len(counts.Messages)
	for m := from; m < to; m++ {
		count := r.message(&c.Messages[m]).count
		count.Blocks = slices.Clone(count.Blocks)
		counts.Messages = append(counts.Messages, count)
		counts.Total += count.Tokens
	}
	counts.Adjust(c.Messages[:to], from)
}

// cleared returns the first message before one that the messages from it on clear (msg.Message.IsForTurn), else from.
func (r *reader) cleared(c *msg.Conversation, from int) int {
	for k := from; k < len(c.Messages); k++ {
		if c.Messages[k].Restarts() {
			return 0
		}
	}
	m := from
	for m < len(c.Messages) && c.Messages[m].Role != msg.User {
		m++
	}
	for k := min(m, len(c.Messages)) - 1; m < len(c.Messages) && k >= 0 && c.Messages[k].Role != msg.User; k-- {
		if k < from && r.counts.Messages[k].Tokens > 0 && c.Messages[k].IsForTurn() {
			from = k
		}
	}
	return from
}

// readRequest returns the request of a conversation with the tools and the system prompt of newReader, and its counts.
// The messages that it has in common with the previous request are not read again; grown means that the previous
// request is a prefix of this one. The counts are valid until the next call.
func (r *reader) readRequest(c *msg.Conversation, grown bool) (request, *tokens.Counts) {
	same := len(r.last)
	if !grown {
		for same = 0; same < len(r.last) && same < len(c.Messages) && r.last[same] == keyOf(&c.Messages[same]); {
			same++
		}
	}
	if same = r.cleared(c, same); same < len(r.last) {
		n := r.start[same]
		r.places, r.start = r.places[:n:n], r.start[:same:same] // earlier requests share the places after n
	}
	for _, removed := range r.counts.Messages[same:] {
		r.counts.Total -= removed.Tokens
	}
	r.last, r.positions, r.counts.Messages = r.last[:same], r.positions[:same+1], r.counts.Messages[:same]
	r.notes, r.same = r.notes[:same+1], same
	prefix := hash.New128()
	if n := len(r.places); n > 0 {
		prefix = r.places[n-1].prefix
	}
	before := r.counts.Total
	r.extend(&r.counts, c, len(c.Messages))
	for m := same; m < len(c.Messages); m++ {
		message, count := &c.Messages[m], &r.counts.Messages[m]
		s := r.message(message)
		r.last, r.start = append(r.last, keyOf(message)), append(r.start, len(r.places))
		end := before + count.Before(0) // the tokens that the model adds per message count before its blocks
		before += count.Tokens
		prefix.Text(string(message.Role))
		at := r.positions[m]
		for b, size := range count.Blocks {
			end += size
			prefix.Number(s.digests[b])
			r.places = append(r.places, place{end: r.fit.tokens(end), position: at.Next(&message.Blocks[b]), prefix: prefix})
		}
		r.positions, r.notes = append(r.positions, at), append(r.notes, r.notes[m]+s.notes)
	}
	return request{places: r.places, total: r.fit.tokens(r.counts.Total), start: r.start, offset: r.offset()}, &r.counts
}

// setBreakpoints adds the given breakpoints of c, the conversation that was read.
func (q *request) setBreakpoints(c *msg.Conversation, breakpoints []promptcache.Breakpoint) {
	for _, m := range breakpoints {
		at := 0
		switch {
		case m.Automatic:
			at = q.lastBreakpointHolder(c)
		case m.Tool:
			at = q.offset + m.Ref.Block
		case m.System:
			at = q.offset + len(c.Tools) + m.Ref.Block
		default:
			at = q.start[m.Ref.Message] + m.Ref.Block
		}
		if at < 0 {
			continue
		}
		q.insertBreakpoint(at, 1000*m.Seconds)
	}
}

// insertBreakpoint adds a breakpoint in the order of places; of two at one place the longer lifetime counts.
func (q *request) insertBreakpoint(place, ttlMillis int) {
	i, found := slices.BinarySearchFunc(q.breakpoints, place, func(m breakpoint, place int) int {
		return m.place - place
	})
	if found {
		q.breakpoints[i].ttlMillis = max(q.breakpoints[i].ttlMillis, ttlMillis)
		return
	}
	q.breakpoints = slices.Insert(q.breakpoints, i, breakpoint{place, ttlMillis})
}

// lastEntry returns the last breakpoint of q on a message whose prefix is also one of later, with Message -1 if there
// is none.
func (q *request) lastEntry(later *request) *msg.Ref {
	entry, common := msg.Ref{Message: -1}, commonPlaces(q.places, later.places)
	for _, m := range q.breakpoints {
		at, _ := slices.BinarySearch(later.start, m.place+1)
		if m.place < common && at > 0 {
			entry = msg.Ref{Message: at - 1, Block: m.place - later.start[at-1]}
		}
	}
	return &entry
}

// lastBreakpointHolder returns the place of the last block that can hold a breakpoint, -1 if there is none.
func (q *request) lastBreakpointHolder(c *msg.Conversation) int {
	at := len(q.places)
	last := func(blocks []msg.Block) bool {
		for b := len(blocks) - 1; b >= 0; b-- {
			if at--; promptcache.CanHoldBreakpoint(&blocks[b]) {
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

// readBreakpoints adds the breakpoints that c has. c is the conversation that was read; only its breakpoints can
// differ. Those on messages count only if inMessages is true.
func (q *request) readBreakpoints(c *msg.Conversation, inMessages bool) {
	at, last, counts := q.offset, -1, true
	note := func(place int, cache *msg.Cache) {
		if cache != nil {
			q.insertBreakpoint(place, 1000*promptcache.Lifetime(cache))
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
			if c.Cache != nil && promptcache.CanHoldBreakpoint(&blocks[b]) {
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
		q.insertBreakpoint(last, 1000*promptcache.Lifetime(c.Cache))
	}
}
