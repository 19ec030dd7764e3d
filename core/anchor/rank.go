package anchor

import (
	"slices"
	"strconv"

	"tamp/core/msg"
	"tamp/core/tokens"
)

// Limit is how many breakpoints a request may have, the automatic one included.
const Limit = 4

// Options say what Rank cannot see in the conversation. The zero value is the default.
type Options struct {
	Max        int                // breakpoints, together with those that the request has; 0 means Limit, and more is Limit
	TTL        string             // FiveMinutes or OneHour for new ones; "" means five minutes
	IdleSec    int                // seconds between the last model call and this one
	Model      string             // "" means the conversation's own
	TurnsAfter int                // how many more turns are expected; 0 means as many as there have been
	Move       bool               // those on messages come from an earlier Rank, and go where they are worth more
	Count      tokens.Counter     // nil means tokens.Estimate
	Counts     *tokens.Counts     // of this conversation, where the caller has them; nil means they are counted here
	Stable     func(msg.Ref) bool // reports a block that no pass will change in this turn or a later one; nil means all
}

// Kind says what a breakpoint stands on.
type Kind string

const (
	ToolsEnd     Kind = "tools_end"
	SystemEnd    Kind = "system_end"
	Milestone    Kind = "milestone"
	BeforePrompt Kind = "before_prompt"
	Present      Kind = "present" // the request has it, at a place that is no candidate
)

// Anchor is one place that was looked at, chosen or not.
type Anchor struct {
	Path         string `json:"path"` // JSON Pointer into the input
	Kind         Kind   `json:"kind"`
	TokensBefore int    `json:"tokensBefore"` // what it caches: from the first tool to the end of its block
	HitPermille  int    `json:"hitPermille"`
	Value        int    `json:"value"`  // tokens that it is expected to save, see the package comment
	Chosen       bool   `json:"chosen"` // the conversation returned has a breakpoint here
	TTL          string `json:"ttl,omitempty"`
	Reason       string `json:"reason"`
}

// Ranking is what Rank found.
type Ranking struct {
	Anchors      []Anchor          `json:"anchors"`        // in the order of the request: tools, system, messages
	Note         string            `json:"note,omitempty"` // why there is none, where the format has no anchors
	Conversation *msg.Conversation `json:"-"`              // with cache_control set; the one given where nothing changes
}

// Rank finds where cache breakpoints are worth most and sets them. It never makes a request invalid: at most Limit of them
// together with those already there, none of an hour after one of five minutes (rule A11_cache_control). Those already
// there stay, unless Move is set. c itself is not changed; unchanged messages are shared.
//
// The errors are bad_request, for a TTL that there is not and for negative numbers.
func Rank(c *msg.Conversation, o Options) (Ranking, error) {
	if err := o.validate(); err != nil {
		return Ranking{}, err
	}
	if note := unanchored(c.Format); note != "" {
		return Ranking{Anchors: []Anchor{}, Note: note, Conversation: c}, nil
	}
	r := newRanker(c, o)
	return r.rank(), nil
}

// unanchored says why a format has no anchors; "" where it has.
func unanchored(format string) string {
	switch format {
	case msg.Anthropic:
		return ""
	case msg.ClaudeCode:
		return "a session log is not a request: cache_control in it reaches no provider"
	}
	return "the provider caches prefixes by itself: there are no breakpoints to set"
}

func (o Options) validate() error {
	bad := func(field, reason string) error {
		return msg.NewError(msg.BadRequest, "/"+field, "cannot rank anchors: "+field+" "+reason)
	}
	switch {
	case o.TTL != "" && o.TTL != FiveMinutes && o.TTL != OneHour:
		return bad("ttl", "must be "+FiveMinutes+" or "+OneHour)
	case o.Max < 0:
		return bad("max", "must not be negative")
	case o.IdleSec < 0:
		return bad("idleSec", "must not be negative")
	case o.TurnsAfter < 0:
		return bad("turnsAfter", "must not be negative")
	}
	return nil
}

// ranker holds what is worked out once for one conversation, which may grow at its end: see Growing.
type ranker struct {
	c         *msg.Conversation
	o         Options
	meter     tokens.Meter
	counts    tokens.Counts
	toolEnd   []int     // tokens up to the end of each tool
	systemEnd []int     // tokens up to the end of each block of the system prompt
	sums      []sums    // of what is before each message, and of all
	known     [][]block // of each message
	marked    []msg.Ref // blocks of messages with a breakpoint, on them or inside
	milestone milestone
	last      int // the last position
	least     int // the model's minimum
	reuse     int // permille
}

// sums are what is known of the request up to a message.
type sums struct {
	tokens          int
	unstable        int // blocks that will change
	turns           int
	position        Position
	user, assistant int     // the last message of the role, -1 where there is none
	carrier         msg.Ref // the last block of a message that can carry a breakpoint
	hasCarrier      bool
	marked          int // blocks with a breakpoint
}

// block is what is known of a block of a message.
type block struct {
	end      int // tokens up to its end
	position int
	unstable int // blocks up to it that will change
}

// milestone is the last large result that stays among the messages searched, and how many those are.
type milestone struct {
	at       msg.Ref
	found    bool
	searched int
}

func newRanker(c *msg.Conversation, o Options) *ranker {
	r := &ranker{c: c, o: o, meter: tokens.NewMeter(o.Count, c)}
	if o.Counts != nil {
		r.counts = *o.Counts
	} else {
		r.counts = r.meter.Conversation(c)
	}
	if r.o.Max == 0 || r.o.Max > Limit {
		r.o.Max = Limit
	}
	if r.o.TTL == "" {
		r.o.TTL = FiveMinutes
	}
	if r.o.Model == "" {
		r.o.Model = c.Model
	}
	r.least = Minimum(r.o.Model)
	total := 0
	for i := range c.Tools {
		total += r.meter.Tool(&c.Tools[i])
		r.toolEnd = append(r.toolEnd, total)
	}
	for i := range c.System {
		total += r.meter.Block(&c.System[i])
		r.systemEnd = append(r.systemEnd, total)
	}
	r.sums = append(r.sums, sums{tokens: total, user: -1, assistant: -1})
	r.extend(0)
	return r
}

// extend works out the messages from one on; those before it are as they were.
func (r *ranker) extend(from int) {
	r.sums, r.known, r.marked = r.sums[:from+1], r.known[:from], r.marked[:r.sums[from].marked]
	if from < r.milestone.searched {
		r.milestone = milestone{}
	}
	for m := from; m < len(r.c.Messages); m++ {
		s, message, count := r.sums[m], &r.c.Messages[m], &r.counts.Messages[m]
		switch message.Role {
		case msg.User:
			s.user = m
		case msg.Assistant:
			s.assistant = m
			s.turns++
		}
		end := s.tokens + count.Tokens
		for _, t := range count.Blocks {
			end -= t // what the model adds around a message comes before its blocks
		}
		blocks := make([]block, len(message.Blocks))
		for b := range message.Blocks {
			at := msg.Ref{Message: m, Block: b}
			if !r.isStable(at) {
				s.unstable++
			}
			if isCarrier(r.c, m, b) {
				s.carrier, s.hasCarrier = at, true
			}
			if isMarked(&message.Blocks[b]) {
				r.marked = append(r.marked, at)
			}
			end += count.Blocks[b]
			blocks[b] = block{end, s.position.Next(&message.Blocks[b]), s.unstable}
		}
		s.tokens += count.Tokens
		s.marked = len(r.marked)
		r.sums, r.known = append(r.sums, s), append(r.known, blocks)
	}
	all := &r.sums[len(r.c.Messages)]
	turns := all.turns
	if r.o.TurnsAfter > 0 {
		turns = r.o.TurnsAfter
	}
	turns = max(turns, 1)
	r.reuse = 1000 * turns / (turns + 1)
	r.last = all.position.n
}

// isMarked reports a block that has a breakpoint, on it or inside.
func isMarked(b *msg.Block) bool {
	return b.Cache != nil || slices.ContainsFunc(b.Parts, func(part msg.Block) bool { return part.Cache != nil })
}

func (r *ranker) at(ref msg.Ref) *block { return &r.known[ref.Message][ref.Block] }

func (r *ranker) isStable(at msg.Ref) bool { return r.o.Stable == nil || r.o.Stable(at) }

// value works out the numbers of a place under a lifetime, and why it is worth nothing where it is not.
func (r *ranker) value(p place, ttl string) (hit, value int, nothing string) {
	life := lifetimeOf(ttl)
	switch {
	case p.tokensBefore < r.least:
		return 0, 0, strconv.Itoa(p.tokensBefore) + " tokens are below the model's minimum of " + strconv.Itoa(r.least)
	case r.o.IdleSec >= life.near:
		return 0, 0, "idle for " + strconv.Itoa(r.o.IdleSec) + " s, an entry of " + ttl + " does not live long enough"
	}
	hit = r.stability(p) * r.reuse / 1000
	value = int(int64(p.tokensBefore) * int64(hit) / 1000)
	if value == 0 {
		nothing = "worth less than one token"
	}
	return hit, value, nothing
}

func (r *ranker) stability(p place) int {
	switch p.part {
	case inTools:
		return 990
	case inSystem:
		return 980
	case atTheEnd:
		p.ref = msg.Ref{Message: len(r.c.Messages) - 1, Block: -1}
		if p.ref.Message >= 0 {
			p.ref.Block = len(r.c.Messages[p.ref.Message].Blocks) - 1
		}
	}
	n := 0
	switch {
	case p.ref.Message >= 0 && p.ref.Block >= 0:
		n = r.at(p.ref).unstable
	case p.ref.Message >= 0:
		n = r.sums[p.ref.Message].unstable
	}
	return 950 * 4 / (4 + n)
}

// best chooses the indices of the room most valuable; values of 0 are never chosen, and of equal ones the first is.
func best(values []int, room int) []int {
	order := make([]int, 0, len(values))
	for i, v := range values {
		if v > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return values[b] - values[a] })
	order = order[:min(len(order), max(room, 0))]
	slices.Sort(order)
	return order
}
