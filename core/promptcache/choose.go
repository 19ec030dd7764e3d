package promptcache

import (
	"slices"
	"strconv"

	"tamp/core/internal/order"
	"tamp/core/msg"
)

// row is one line of the ranking on its way to an Anchor.
type row struct {
	place
	anchor   Anchor
	competes bool // a candidate with a value: it competes for a new breakpoint
	given    bool // the caller set it
}

func (r *ranker) rank() Ranking {
	rows := r.rows()
	result := Ranking{Anchors: make([]Anchor, len(rows))}
	for i := range rows {
		w := &rows[i]
		if result.Anchors[i] = w.anchor; w.anchor.Chosen && !w.given {
			at := len(result.Own)
			if w.anchor.Kind == PreviousEnd {
				at = 0
			}
			result.Own = slices.Insert(result.Own, at, keyOf(&r.blocks(w)[w.ref.Block]))
		}
	}
	result.Conversation = r.setBreakpoints(rows)
	return result
}

// rows returns all examined places with their decisions, in the order of the request.
func (r *ranker) rows() []row {
	own, kept := split(r.existing(), r.isOwn)
	var rows []row
	for _, b := range kept {
		rows = append(rows, r.keptRow(b))
	}
	for _, cand := range r.candidates(own) {
		if i := slices.IndexFunc(rows, func(w row) bool { return w.same(cand.place) }); i >= 0 {
			rows[i].anchor.Kind = cand.kind
			continue
		}
		rows = append(rows, r.newRow(cand, kept))
	}
	taken := map[place]bool{} // with a row already; a breakpoint that moves adds none for them
	for i := range rows {
		taken[rows[i].place] = true
	}
	for _, b := range own {
		if !taken[b.place] {
			w := r.keptRow(b)
			w.anchor.Chosen, w.anchor.Reason, w.given = false, "moved to a place of higher value", false
			rows = append(rows, w)
		}
	}
	order.Stable(rows, func(a, b row) int {
		switch {
		case a.before(b.place):
			return -1
		case b.before(a.place):
			return 1
		}
		return 0
	})
	existing := len(kept)
	if r.o.Hidden > 0 {
		existing++
	}
	r.choose(rows, existing)
	r.setCosts(rows)
	return rows
}

func split(all []existingBreakpoint, is func(existingBreakpoint) bool) (those, rest []existingBreakpoint) {
	for _, b := range all {
		if is(b) {
			those = append(those, b)
		} else {
			rest = append(rest, b)
		}
	}
	return those, rest
}

func (r *ranker) keptRow(b existingBreakpoint) row {
	a := Anchor{Path: b.path, Kind: Existing, TokensBefore: b.tokensBefore, Chosen: true, TTL: b.ttl,
		Reason: "already in the request"}
	if b.part == atTheEnd {
		a.Reason = "the automatic breakpoint of the request, which counts"
	}
	var nothing string
	a.HitPermille, a.Value, nothing = r.value(b.place, b.ttl)
	if nothing != "" {
		a.Reason += "; " + nothing
	}
	return row{place: b.place, anchor: a, given: true}
}

// newRow evaluates a candidate. Its lifetime is the requested one, unless an existing breakpoint forbids it: a
// breakpoint of an hour must not follow one of five minutes. The longer lifetime costs nothing extra then, since
// everything before a breakpoint of an hour is written for an hour anyway.
func (r *ranker) newRow(c candidate, kept []existingBreakpoint) row {
	a := Anchor{Path: c.path, Kind: c.kind, TokensBefore: c.tokensBefore, TTL: r.o.TTL}
	var after5m, before1h bool
	for _, b := range kept {
		after5m = after5m || b.ttl == FiveMinutes && b.before(c.place)
		before1h = before1h || b.ttl == OneHour && c.before(b.place)
	}
	note := ""
	switch {
	case after5m && before1h:
		a.Reason = "the request has a breakpoint of 1h after one of 5m, which the provider refuses"
		return row{place: c.place, anchor: a}
	case after5m && a.TTL == OneHour:
		a.TTL, note = FiveMinutes, "; 5m, since a breakpoint of 5m precedes it"
	case before1h && a.TTL == FiveMinutes:
		a.TTL, note = OneHour, "; 1h, since a breakpoint of 1h follows it"
	}
	a.HitPermille, a.Value, a.Reason = r.value(c.place, a.TTL)
	w := row{place: c.place, competes: a.Reason == ""}
	if w.competes {
		a.Reason = c.reason + note
	}
	w.anchor = a
	return w
}

// priority orders the kinds: the end of the request first, then that of the previous one, which is read whole then,
// however many blocks follow; then the others of the usual four, then the rest.
func priority(k Kind, hasSystem bool) int {
	switch {
	case k == RequestEnd:
		return 0
	case k == PreviousEnd:
		return 1
	case k == StableBoundary, k == SystemEnd, k == ToolsEnd && !hasSystem:
		return 2
	}
	return priorities - 1
}

const priorities = 4

// choose marks the rows of the highest priority as chosen, of equal ones those with the highest values, and sets the
// reason of the others.
func (r *ranker) choose(rows []row, kept int) {
	hasSystem := r.o.Hidden > 0 || slices.ContainsFunc(rows, func(w row) bool { return w.part == inSystem })
	room := r.o.Max - kept
	var chosen []int
	for p := range priorities {
		values := make([]int, len(rows))
		for i := range rows {
			if rows[i].competes && priority(rows[i].anchor.Kind, hasSystem) == p {
				values[i] = rows[i].anchor.Value
			}
		}
		chosen = append(chosen, best(values, room-len(chosen))...)
	}
	for i := range rows {
		if !rows[i].competes {
			continue
		}
		if slices.Contains(chosen, i) {
			rows[i].anchor.Chosen = true
			continue
		}
		rows[i].anchor.Reason = "no room: at most " + strconv.Itoa(r.o.Max) + " breakpoints, and "
		if room <= 0 {
			rows[i].anchor.Reason += "the request has " + strconv.Itoa(kept) + " already"
			if rows[i].anchor.Kind == RequestEnd {
				rows[i].anchor.Reason += r.stale(rows)
			}
		} else {
			rows[i].anchor.Reason += "the others save more"
		}
	}
}

// stale returns a hint if the newest existing breakpoint is too far from the end to be reached by the next request;
// else "".
func (r *ranker) stale(rows []row) string {
	newest := 0
	for i := range rows {
		if rows[i].anchor.Chosen {
			newest = max(newest, rows[i].position)
		}
	}
	if r.last-newest < Lookback {
		return ""
	}
	return ", the newest " + strconv.Itoa(r.last-newest) + " positions before the end: set move"
}

// setCosts sets the tokens that each place adds to the chosen breakpoint before it, and their prices.
func (r *ranker) setCosts(rows []row) {
	before := 0
	for i := range rows {
		a := &rows[i].anchor
		a.Tokens = max(a.TokensBefore-before, 0)
		write := r.price.Write5m
		if a.TTL == OneHour {
			write = r.price.Write1h
		}
		a.InputCost, a.ReadCost, a.WriteCost = r.cost(a.Tokens, 1000), r.cost(a.Tokens, r.price.Read),
			r.cost(a.Tokens, write)
		if a.Chosen {
			before = max(before, a.TokensBefore)
		}
	}
}

// cost is the price of tokens at a share of the input's price, in millionths of a dollar, rounded to the nearest.
func (r *ranker) cost(tokens, permille int) int {
	input := r.price.At(r.totals[len(r.c.Messages)].tokens).Input
	return int((int64(tokens)*int64(permille)*int64(input) + 500_000) / 1_000_000)
}

// setBreakpoints returns the conversation with exactly the chosen breakpoints. Those inside results and the automatic
// one stay.
func (r *ranker) setBreakpoints(rows []row) *msg.Conversation {
	c := *r.c
	// copied: the message whose blocks were copied last; rows of one message follow each other
	changed, copied := false, -1
	for i := range rows {
		w := &rows[i]
		if w.part == atTheEnd || w.inner > 0 {
			continue
		}
		var want *msg.Cache
		if w.anchor.Chosen {
			want = cacheFor(w.anchor.TTL)
		}
		blocks := r.blocks(w)
		if have := blocks[w.ref.Block].Cache; have == nil && want == nil ||
			have != nil && want != nil && ttlOf(have) == w.anchor.TTL {
			continue
		}
		if !changed {
			changed = true
			c.Tools, c.System = slices.Clone(c.Tools), slices.Clone(c.System)
			c.Messages = slices.Clone(c.Messages)
		}
		switch w.part {
		case inTools:
			c.Tools[w.ref.Block] = c.Tools[w.ref.Block].WithCache(want)
		case inSystem:
			c.System[w.ref.Block] = c.System[w.ref.Block].WithCache(want)
		default:
			m := &c.Messages[w.ref.Message]
			if copied != w.ref.Message {
				copied = w.ref.Message
				*m = m.WithBlocks(slices.Clone(m.Blocks))
			}
			m.Blocks[w.ref.Block] = m.Blocks[w.ref.Block].WithCache(want)
		}
	}
	if !changed {
		return r.c
	}
	return &c
}

// blocks is the list that contains the block of a row.
func (r *ranker) blocks(w *row) []msg.Block {
	switch w.part {
	case inTools:
		return r.c.Tools
	case inSystem:
		return r.c.System
	}
	return r.c.Messages[w.ref.Message].Blocks
}
