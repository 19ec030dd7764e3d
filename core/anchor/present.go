package anchor

import (
	"strconv"

	"tamp/core/msg"
)

// place is where a breakpoint can stand, in the order of the request: tools, system, messages.
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

// before is the order of the request.
func (p place) before(q place) bool {
	switch {
	case p.part != q.part:
		return p.part < q.part
	case p.ref.Message != q.ref.Message:
		return p.ref.Message < q.ref.Message
	case p.ref.Block != q.ref.Block:
		return p.ref.Block < q.ref.Block
	}
	// A part of a result stands before the end of the result, which is the block's own breakpoint.
	return p.inner > 0 && (q.inner == 0 || p.inner < q.inner)
}

func (p place) same(q place) bool { return !p.before(q) && !q.before(p) }

// breakpoint is one that the request has already.
type breakpoint struct {
	place
	ttl string
}

// present finds every breakpoint of the request, in its order. The automatic one, which the provider puts on
// the last block that can carry it, comes last.
func (r *ranker) present() []breakpoint {
	var all []breakpoint
	add := func(p place, cache *msg.Cache) { all = append(all, breakpoint{p, ttlOf(cache)}) }
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
	for _, ref := range r.marked {
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

func (r *ranker) toolPlace(i int) place {
	return place{part: inTools, ref: msg.Ref{Message: -1, Block: i}, path: r.c.Tools[i].Path, tokensBefore: r.toolEnd[i]}
}

func (r *ranker) systemPlace(i int) place {
	return place{part: inSystem, ref: msg.Ref{Message: -1, Block: i}, path: r.c.System[i].Path, tokensBefore: r.systemEnd[i]}
}

func (r *ranker) messagePlace(at msg.Ref) place {
	path := r.c.At(at).Path
	if path == "" { // a block that Tamp made
		path = "/messages/" + strconv.Itoa(at.Message) + "/content/" + strconv.Itoa(at.Block)
	}
	return place{part: inMessages, ref: at, path: path, tokensBefore: r.at(at).end, position: r.at(at).position}
}
