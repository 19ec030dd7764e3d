package promptcache

import (
	"slices"
	"strconv"

	"tamp/core/msg"
)

// place is the location of a possible breakpoint.
type place struct {
	part         part
	ref          msg.Ref // of a message block; Block alone for tools and system
	inner        int     // of a part inside a tool result, its index + 1
	path         string
	tokensBefore int
	position     int // see positions; 0 for tools and system
}

type part uint8

const (
	inTools part = iota
	inSystem
	inMessages
	atTheEnd // the automatic breakpoint
)

// before reports that p comes before q in the request: tools, system, messages.
func (p place) before(q place) bool {
	switch {
	case p.part != q.part:
		return p.part < q.part
	case p.ref.Message != q.ref.Message:
		return p.ref.Message < q.ref.Message
	case p.ref.Block != q.ref.Block:
		return p.ref.Block < q.ref.Block
	}
	// A part of a result comes before the end of the result, where the block's own breakpoint is.
	return p.inner > 0 && (q.inner == 0 || p.inner < q.inner)
}

func (p place) same(q place) bool { return !p.before(q) && !q.before(p) }

// existingBreakpoint is an existing breakpoint of the request.
type existingBreakpoint struct {
	place
	ttl string
}

// existing returns the existing breakpoints of the request, in its order. The automatic breakpoint, which the provider
// puts on the last block that can hold it, comes last.
func (r *ranker) existing() []existingBreakpoint {
	var all []existingBreakpoint
	add := func(p place, cache *msg.Cache) { all = append(all, existingBreakpoint{p, ttlOf(cache)}) }
	for i := range r.c.Tools {
		if cache := r.c.Tools[i].Cache; cache != nil {
			add(r.toolPlace(i), cache)
		}
	}
	for i := range r.c.System {
		if cache := r.c.System[i].Cache; cache != nil {
			add(r.systemPlace(i), cache)
		}
	}
	for _, ref := range r.withBreakpoint {
		block, at := r.c.At(ref), r.messagePlace(ref)
		for i := range block.Parts {
			if cache := block.Parts[i].Cache; cache != nil {
				inside := at
				inside.inner, inside.path = i+1, block.Parts[i].Path
				add(inside, cache)
			}
		}
		if block.Cache != nil {
			add(at, block.Cache)
		}
	}
	if r.c.Cache != nil {
		add(place{part: atTheEnd, path: "/cache_control", tokensBefore: r.counts.Total, position: r.last}, r.c.Cache)
	}
	return all
}

// isOwn reports a breakpoint that an earlier Rank has set.
func (r *ranker) isOwn(b existingBreakpoint) bool {
	if b.part == atTheEnd || b.inner > 0 {
		return false
	}
	return r.o.Move && b.part == inMessages ||
		len(r.o.Own) > 0 && slices.Contains(r.o.Own, keyOf(&r.blocks(&row{place: b.place})[b.ref.Block]))
}

// keyOf returns the key of a block, which stays when its place changes or when its result is cleared.
func keyOf(b *msg.Block) string {
	h := newDigester().text(string(b.Kind)).text(b.ID).text(b.Name)
	switch {
	case b.ID+b.Name != "":
	case b.Text != "":
		h = h.text(b.Text)
	default: // an image
		h = h.object(b.Raw)
	}
	return strconv.FormatUint(h.sum()>>24, 36)
}

func (r *ranker) toolPlace(i int) place {
	return place{part: inTools, ref: msg.Ref{Message: -1, Block: i}, path: r.c.Tools[i].Path,
		tokensBefore: r.toolEnd[i]}
}

func (r *ranker) systemPlace(i int) place {
	return place{part: inSystem, ref: msg.Ref{Message: -1, Block: i}, path: r.c.System[i].Path,
		tokensBefore: r.systemEnd[i]}
}

func (r *ranker) messagePlace(at msg.Ref) place {
	path := r.c.At(at).Path
	if path == "" { // a block that Tamp created
		path = "/messages/" + strconv.Itoa(at.Message) + "/content/" + strconv.Itoa(at.Block)
	}
	return place{part: inMessages, ref: at, path: path, tokensBefore: r.at(at).end, position: r.at(at).position}
}
