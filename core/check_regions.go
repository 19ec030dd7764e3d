package core

import (
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// What every region of NewPlan obeys: it lies before what is pinned, touches no instruction and no earlier summary, shares
// nothing with another region, and holds both halves of every pair or neither.

// checkRegions checks the regions of a plan for the marked conversation c. known: its marks are those of the State.
func checkRegions(c *msg.Conversation, known bool, p *Policy, plan *Plan) error {
	if len(plan.Regions) == 0 {
		if len(plan.Requests) > 0 {
			return badPlan("/plan/requests", "they belong to no region")
		}
		return nil
	}
	g := regionCheck{c: c, known: known, p: p, pairing: msg.Pair(c), keep: protectedMessages(c),
		owner: make([]int, len(c.Messages)), blocks: map[msg.Ref]bool{}}
	g.inside = pass.InsidePairs(c, g.pairing)
	g.limit = g.pinnedStart(plan)
	asked := map[string]bool{}
	for i := range plan.Regions {
		r := &plan.Regions[i]
		at := "/plan/regions/" + strconv.Itoa(i)
		for _, id := range r.Requests {
			if asked[id] {
				return badPlan(at, "a request belongs to two regions")
			}
			asked[id] = true
		}
		if why := g.checkRegion(r, i+1, plan); why != "" {
			return badPlan(at, why)
		}
	}
	for i, r := range plan.Requests {
		if !asked[r.ID] {
			return badPlan("/plan/requests/"+strconv.Itoa(i), "it belongs to no region")
		}
	}
	return g.checkPairs(plan)
}

type regionCheck struct {
	c       *msg.Conversation
	known   bool // the marks of c are those of the State
	p       *Policy
	pairing msg.Pairing
	keep    []bool
	inside  []bool // a call is before this message, its result is not
	limit   int    // no region reaches it
	owner   []int  // which region a message goes with, from 1
	blocks  map[msg.Ref]bool
}

// pinnedStart is where the kept tail of the policy's strategy begins.
func (g *regionCheck) pinnedStart(plan *Plan) int {
	in := &pass.Input{Conversation: g.c, Pairing: g.pairing}
	switch g.p.Summary.Strategy {
	case "whole":
		return startOfUnanswered(in)
	case "tail", "critical":
		return pass.SafeCut(in, min(max(len(g.c.Messages)-2*g.p.Pin.KeepTurns, 0), msg.OpenRound(g.c)))
	}
	return msg.OpenRound(g.c)
}

func (g *regionCheck) checkRegion(r *Region, number int, plan *Plan) string {
	if len(r.Spans) == 0 {
		return "it has no messages"
	}
	end := 0
	for _, s := range r.Spans {
		if s.Start < end || s.End <= s.Start || s.End > len(g.c.Messages) {
			return "its spans must be in order, not overlap, and lie within the plan"
		}
		end = s.End
		for m := s.Start; m < s.End; m++ {
			if !archived(plan.Archive, m) {
				return "a message of it is not in the archive"
			}
		}
	}
	if r.Level == 2 {
		return g.checkMerge(r)
	}
	if r.Level != 1 {
		return "its level is unknown"
	}
	if end > g.limit {
		return "it reaches into what is pinned"
	}
	if r.Blocks != nil {
		return g.checkInPlace(r)
	}
	for _, s := range r.Spans {
		if g.inside[s.Start] {
			return "it begins between a call and its result"
		}
		for m := s.Start; m < s.End; m++ {
			switch {
			case g.owner[m] != 0:
				return "it overlaps another region"
			case g.keep[m] && (g.known || isInstruction(&g.c.Messages[m])):
				return "it holds an instruction or an earlier summary"
			case g.known && g.p.Summary.Strategy == "regions" && g.c.Messages[m].IsPrompt():
				return "it holds a prompt of the user"
			}
			g.owner[m] = number
		}
	}
	return ""
}

// checkMerge checks a region of level 2: one summary that is replaced by a shorter one.
func (g *regionCheck) checkMerge(r *Region) string {
	if len(r.Blocks) != 1 || len(r.Spans) != 1 || r.Spans[0].Len() != 1 || r.Blocks[0].Message != r.Spans[0].Start ||
		r.Blocks[0].Block < 0 || r.Blocks[0].Block >= len(g.c.Messages[r.Blocks[0].Message].Blocks) {
		return "a region of level 2 is one summary"
	}
	if g.known && !g.c.At(r.Blocks[0]).IsSummary() || g.blocks[r.Blocks[0]] {
		return "a region of level 2 is one summary"
	}
	g.blocks[r.Blocks[0]] = true
	return ""
}

func (g *regionCheck) checkInPlace(r *Region) string {
	if len(r.Blocks) == 0 {
		return "it has no blocks"
	}
	for i, ref := range r.Blocks {
		switch {
		case ref.Message < r.Spans[0].Start || ref.Message >= r.Spans[len(r.Spans)-1].End || ref.Block < 0 ||
			ref.Block >= len(g.c.Messages[ref.Message].Blocks):
			return "a block of it does not exist"
		case i > 0 && !isAfter(ref, r.Blocks[i-1]):
			return "its blocks must be in document order"
		case g.blocks[ref]:
			return "it overlaps another region"
		case !pass.Compactable(g.c.At(ref)) || g.known && g.c.At(ref).IsSummary():
			return "a block of it is no tool result and no injected text, or a summary already"
		}
		g.blocks[ref] = true
	}
	return ""
}

// checkPairs refuses regions of whole messages that hold one half of a pair.
func (g *regionCheck) checkPairs(plan *Plan) error {
	for m := range g.c.Messages {
		for b := range g.c.Messages[m].Blocks {
			result := msg.Ref{Message: m, Block: b}
			if call, ok := g.pairing.Call(result); ok && g.owner[call.Message] != g.owner[m] {
				number := max(g.owner[call.Message], g.owner[m])
				return badPlan("/plan/regions/"+strconv.Itoa(number-1), "it parts a call from its result")
			}
		}
	}
	return nil
}
