package promptcache

import (
	"cmp"
	"slices"
	"strconv"

	"tamp/core/internal/order"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Limit is the maximum of breakpoints in a request, the automatic one included.
const Limit = 4

// Options are the inputs of Rank that are not in the conversation. The zero value is the default.
type Options struct {
	Max        int    // breakpoints, existing ones included; 0 and more than Limit mean Limit
	TTL        string // FiveMinutes or OneHour for new ones; "" means five minutes
	IdleSec    int    // seconds between the last model call and this one
	Model      string // "" means the conversation's own
	TurnsAfter int    // turns expected after this one; 0 means as many as there have been
	// breakpoints on messages come from an earlier Rank, and may move to places of higher value
	Move bool
	// Own is Ranking.Own of the Rank before: its breakpoints may move, also those of tools and of the system prompt
	Own    []string
	Count  tokens.Counter // nil means tokens.Estimate
	Counts *tokens.Counts // of this conversation, if the caller has them; nil means they are counted here
	// tokens of a system prompt and tools that the conversation does not show; a breakpoint after them exists and counts
	Hidden int
	Stable func(msg.Ref) bool // reports a block that no pass will change in this turn or a later one; nil means all
	// the previous request as it was sent; the zero value means the messages before the newest answer, unchanged
	Previous Fingerprint
}

// Kind is the kind of place of a breakpoint.
type Kind string

const (
	ToolsEnd       Kind = "tools_end"
	SystemEnd      Kind = "system_end"
	StableBoundary Kind = "stable_boundary" // before the first block that a pass may change
	Milestone      Kind = "milestone"
	PreviousEnd    Kind = "previous_end" // the last breakpoint of the previous request that this one can read
	BeforePrompt   Kind = "before_prompt"
	RequestEnd     Kind = "request_end"
	Existing       Kind = "present" // an existing breakpoint at a place that is not a candidate
)

// Anchor is one examined place for a breakpoint, chosen or not.
type Anchor struct {
	Path         string `json:"path"` // JSON Pointer into the input
	Kind         Kind   `json:"kind"`
	TokensBefore int    `json:"tokensBefore"` // the size of the cached prefix: from the first tool to the end of its block
	HitPermille  int    `json:"hitPermille"`
	Value        int    `json:"value"`  // expected saving in tokens, see the package comment
	Chosen       bool   `json:"chosen"` // the conversation returned has a breakpoint here
	TTL          string `json:"ttl,omitempty"`
	Reason       string `json:"reason"`
	// tokens since the chosen breakpoint before it, and their prices in millionths of a dollar: without a cache, read
	// from it, and written to it. Prices of a model without known ones are those of a mid-range model
	Tokens    int `json:"tokens"`
	InputCost int `json:"inputCost"`
	ReadCost  int `json:"readCost"`
	WriteCost int `json:"writeCost"`
}

// Ranking is the result of Rank.
type Ranking struct {
	Anchors []Anchor `json:"anchors"`        // in the order of the request: tools, system, messages
	Note    string   `json:"note,omitempty"` // why Anchors is empty, for a format without breakpoints
	// keys of the blocks with a breakpoint that the caller did not set; that of previous_end is the first
	Own []string `json:"-"`
	// with cache_control set; the conversation given, if nothing changes
	Conversation *msg.Conversation `json:"-"`
}

// Rank sets breakpoints at the places with the highest values. It never makes a request invalid: at most Limit
// breakpoints with the existing ones, none of an hour after one of five minutes (rule A11_cache_control). Existing
// breakpoints stay, except for those of an earlier Rank (Own, Move). c itself is not changed; unchanged messages are
// shared.
//
// The errors are bad_request, for an unknown TTL and for negative numbers.
func Rank(c *msg.Conversation, o Options) (Ranking, error) {
	if err := o.validate(); err != nil {
		return Ranking{}, err
	}
	if note := noBreakpointsNote(c.Format); note != "" {
		return Ranking{Anchors: []Anchor{}, Note: note, Conversation: c}, nil
	}
	r := newRanker(c, o)
	r.setEntry(o.Previous)
	return r.rank(), nil
}

// noBreakpointsNote returns the reason why a format has no breakpoints; "" if it has.
func noBreakpointsNote(format string) string {
	switch {
	case format == msg.Anthropic:
		return ""
	case msg.IsLog(format):
		return "a session log is not a request: cache_control in it reaches no provider"
	}
	return "the provider caches prefixes by itself: there are no breakpoints to set"
}

func (o Options) validate() error {
	bad := func(field, reason string) error {
		return msg.NewError(msg.BadRequest, "/"+field, "cannot rank breakpoints: "+field+" "+reason)
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
	case o.Hidden < 0:
		return bad("hidden", "must not be negative")
	}
	return nil
}

// setEntry finds the newest breakpoint of the previous request whose prefix is unchanged.
func (r *ranker) setEntry(previous Fingerprint) {
	if !previous.set {
		return
	}
	unchanged := FingerprintOf(r.c).unchangedMessages(previous)
	if r.observed = previous.messages.n; unchanged < r.observed {
		r.observed = maxSum
	}
	entry := msg.Ref{Message: -1}
	for _, position := range previous.breakpoints {
		for it := r.c.WalkIn(msg.Span{End: min(unchanged, len(r.c.Messages))}); it.Next(); {
			m, b := it.Ref.Message, it.Ref.Block
			if position > 0 && r.blockTotals[m][b].position == position && isBreakpointHolder(r.c, m, b) {
				entry = it.Ref
			}
		}
	}
	r.entry = &entry
}

// ranker holds the values that are computed once for a conversation, which may grow at its end: see Incremental.
type ranker struct {
	c              *msg.Conversation
	o              Options
	meter          tokens.Meter
	counts         tokens.Counts
	toolEnd        []int           // tokens up to the end of each tool
	systemEnd      []int           // tokens up to the end of each block of the system prompt
	totals         []prefixTotals  // of the messages before each message, and of all messages
	blockTotals    [][]blockTotals // of the blocks of each message
	withBreakpoint []msg.Ref       // blocks of messages with a breakpoint, on the block or on a part of it
	milestone      milestone
	entry          *msg.Ref // last breakpoint of the previous request, Message -1 for none; nil if it is not known
	observed       int      // messages of the previous request, 0 if it is not known; the maximum if one of them changed
	price          models.Price
	last           int // the last position
	minTokens      int // the model's minimum, in tokens
	reuse          int // permille
}

// prefixTotals are the totals of a request up to a message.
type prefixTotals struct {
	tokens          int
	unstable        int // blocks that a pass will change
	turns           int
	position        Position
	user, assistant int     // the last message of the role, -1 if there is none
	holder          msg.Ref // the last block of a message that can hold a breakpoint
	hasHolder       bool
	boundary        msg.Ref // the holder before the first unstable block; if there is none, the last summary
	hasBoundary     bool
	withBreakpoint  int // blocks with a breakpoint
}

// blockTotals holds the totals of a request up to the end of a block of a message.
type blockTotals struct {
	end      int // tokens
	position int
	unstable int // blocks that a pass will change
}

// milestone is the last large stable result in the first `searched` messages.
type milestone struct {
	at       msg.Ref
	found    bool
	searched int
}

// truncate forgets the messages from an index on.
func (s *milestone) truncate(message int) {
	if message < s.searched && s.found && s.at.Message >= message {
		*s = milestone{}
	}
	s.searched = min(s.searched, message)
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
	profile := models.ProfileFor(r.o.Model, msg.Anthropic)
	r.minTokens = profile.MinCacheTokens
	if r.price = profile.Price; r.price == (models.Price{}) {
		r.price = models.MidRange
	}
	total := o.Hidden
	for i := range c.Tools {
		total += r.meter.Tool(&c.Tools[i])
		r.toolEnd = append(r.toolEnd, total)
	}
	for i := range c.System {
		total += r.meter.Block(&c.System[i])
		r.systemEnd = append(r.systemEnd, total)
	}
	r.totals = append(r.totals, prefixTotals{tokens: total, user: -1, assistant: -1})
	r.extend(0)
	return r
}

// extend reads the messages from index from on; those before it did not change.
func (r *ranker) extend(from int) {
	r.totals, r.blockTotals, r.withBreakpoint = r.totals[:from+1], r.blockTotals[:from],
		r.withBreakpoint[:r.totals[from].withBreakpoint]
	r.milestone.truncate(from)
	for m := from; m < len(r.c.Messages); m++ {
		s, message, count := r.totals[m], &r.c.Messages[m], &r.counts.Messages[m]
		switch message.Role {
		case msg.User:
			s.user = m
		case msg.Assistant:
			s.assistant = m
			s.turns++
		}
		end := s.tokens + count.Tokens
		for _, t := range count.Blocks {
			end -= t // the tokens that the model adds per message count before its blocks
		}
		blocks := make([]blockTotals, len(message.Blocks))
		for b := range message.Blocks {
			at := msg.Ref{Message: m, Block: b}
			if !r.isStable(at) {
				if s.unstable == 0 {
					s.boundary, s.hasBoundary = s.holder, s.hasHolder
				}
				s.unstable++
			}
			if isBreakpointHolder(r.c, m, b) {
				s.holder, s.hasHolder = at, true
				if s.unstable == 0 && message.Blocks[b].IsSummary() {
					s.boundary, s.hasBoundary = at, true
				}
			}
			if hasBreakpoint(&message.Blocks[b]) {
				r.withBreakpoint = append(r.withBreakpoint, at)
			}
			end += count.Blocks[b]
			blocks[b] = blockTotals{end, s.position.Next(&message.Blocks[b]), s.unstable}
		}
		s.tokens += count.Tokens
		s.withBreakpoint = len(r.withBreakpoint)
		r.totals, r.blockTotals = append(r.totals, s), append(r.blockTotals, blocks)
	}
	all := &r.totals[len(r.c.Messages)]
	turns := all.turns
	if r.o.TurnsAfter > 0 {
		turns = r.o.TurnsAfter
	}
	turns = max(turns, 1)
	r.reuse = 1000 * turns / (turns + 1)
	r.last = all.position.n
}

// hasBreakpoint reports a block that has a breakpoint, on itself or on a part.
func hasBreakpoint(b *msg.Block) bool {
	return b.Cache != nil || slices.ContainsFunc(b.Parts, func(part msg.Block) bool { return part.Cache != nil })
}

func (r *ranker) at(ref msg.Ref) *blockTotals { return &r.blockTotals[ref.Message][ref.Block] }

func (r *ranker) isStable(at msg.Ref) bool { return r.o.Stable == nil || r.o.Stable(at) }

// value returns the hit in permille and the value in tokens of a place under a lifetime. Both are 0 only below the
// model's minimum; nothing is the reason then.
func (r *ranker) value(p place, ttl string) (hit, value int, nothing string) {
	if p.tokensBefore < r.minTokens {
		return 0, 0, strconv.Itoa(p.tokensBefore) + " tokens are below the model's minimum of " + strconv.Itoa(r.minTokens)
	}
	hit = r.stability(p) * r.reuse / 1000
	if r.o.IdleSec >= lifetimeOf(ttl).near {
		hit = max(hit/2, 1) // the next pause may be as long; never 0, since an expired entry must be written again
	}
	return hit, max(int(int64(p.tokensBefore)*int64(hit)/1000), 1), ""
}

// stability is the probability, in permille, that the prefix up to a place is the same in a later request.
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
		n = r.totals[p.ref.Message].unstable
	}
	return 950 * 4 / (4 + n)
}

// best returns the indices of the highest values, at most room; a value of 0 is never chosen, and of equal values the
// first is.
func best(values []int, room int) []int {
	byValue := make([]int, 0, len(values))
	for i, v := range values {
		if v > 0 {
			byValue = append(byValue, i)
		}
	}
	order.Stable(byValue, func(a, b int) int { return values[b] - values[a] })
	byValue = byValue[:min(len(byValue), max(room, 0))]
	order.Stable(byValue, cmp.Compare[int])
	return byValue
}
