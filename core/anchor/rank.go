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

// ranker holds what is worked out once for one conversation.
type ranker struct {
	c         *msg.Conversation
	o         Options
	meter     tokens.Meter
	counts    tokens.Counts
	start     []int // tokens before each message's first block, its own frame included
	positions [][]int
	last      int   // the last position
	unstable  []int // blocks that will change, before each message
	least     int   // the model's minimum
	reuse     int   // permille
}

func newRanker(c *msg.Conversation, o Options) *ranker {
	r := &ranker{c: c, o: o, meter: tokens.NewMeter(o.Count, c), positions: positions(c)}
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
	turns, total, unstable := 0, r.counts.Tools+r.counts.System, 0
	r.start, r.unstable = make([]int, len(c.Messages)), make([]int, len(c.Messages))
	for m := range c.Messages {
		if c.Messages[m].Role == msg.Assistant {
			turns++
		}
		frame := r.counts.Messages[m].Tokens
		for _, t := range r.counts.Messages[m].Blocks {
			frame -= t
		}
		r.start[m], r.unstable[m] = total+frame, unstable
		total += r.counts.Messages[m].Tokens
		for b := range c.Messages[m].Blocks {
			r.last = r.positions[m][b]
			if !r.isStable(msg.Ref{Message: m, Block: b}) {
				unstable++
			}
		}
	}
	if o.TurnsAfter > 0 {
		turns = o.TurnsAfter
	}
	turns = max(turns, 1)
	r.reuse = 1000 * turns / (turns + 1)
	return r
}

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
	if p.ref.Message >= 0 {
		n = r.unstable[p.ref.Message]
		for b := 0; b <= p.ref.Block; b++ {
			if !r.isStable(msg.Ref{Message: p.ref.Message, Block: b}) {
				n++
			}
		}
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
