package apply

import (
	"slices"
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/view"
)

// Invariants of the regions of NewPlan: a region ends before the pinned messages, has no instruction and, unless the
// policy bounds its summaries, no earlier summary, does not overlap another region, and has both halves of a pair or
// neither.

// checkRegions checks the regions of a plan for the conversation whole. c has the messages of it that the plan covers,
// marked; isMarked means that the marks are from the State.
func checkRegions(whole, c *msg.Conversation, k *view.Cache, isMarked bool, p *policy.Policy, pl *plan.Plan) error {
	if len(pl.Regions) == 0 {
		if len(pl.Requests) > 0 {
			return badPlan("/plan/requests", "the requests belong to no region")
		}
		return nil
	}
	g := regionCheck{c: c, isMarked: isMarked, p: p, strategy: plan.StrategyOf(p),
		pairing: k.PairsFor(whole, pl.Length), blocks: map[msg.Ref]bool{}}
	inPlace := !slices.ContainsFunc(pl.Regions, func(r plan.Region) bool { return r.Blocks == nil })
	if !inPlace { // only regions of whole messages can separate pairs or contain protected messages
		g.keep, g.owner = view.ProtectedMessages(c, g.pairing), make([]int, len(c.Messages))
		g.inside = pass.InsidePairs(c, g.pairing)
	}
	g.limit = g.tailStart()
	asked := map[string]bool{}
	for i := range pl.Regions {
		r := &pl.Regions[i]
		at := "/plan/regions/" + strconv.Itoa(i)
		for _, id := range r.Requests {
			if asked[id] {
				return badPlan(at, "a request belongs to two regions")
			}
			asked[id] = true
		}
		if why := g.checkRegion(r, i+1, pl); why != "" {
			return badPlan(at, why)
		}
	}
	for i, r := range pl.Requests {
		if !asked[r.ID] {
			return badPlan("/plan/requests/"+strconv.Itoa(i), "the request belongs to no region")
		}
	}
	if inPlace {
		return nil
	}
	return g.checkPairs()
}

type regionCheck struct {
	c        *msg.Conversation
	isMarked bool // the marks of c are from the State
	p        *policy.Policy
	strategy choice.Strategy
	pairing  msg.Pairing
	keep     []bool
	inside   []bool // inside[m]: a call is before message m, its result is not
	limit    int    // regions must end at or before this message
	owner    []int  // region of each message, from 1; 0 = none
	blocks   map[msg.Ref]bool
}

// tailStart returns the first message of the tail that the policy's strategy keeps.
func (g *regionCheck) tailStart() int {
	in := &view.View{Conversation: g.c, Pairing: g.pairing}
	switch g.p.Summary.Strategy {
	case "whole":
		return view.StartOfUnanswered(in)
	case "tail", "critical":
		return pass.SafeCut(in, min(max(len(g.c.Messages)-2*g.p.Pin.KeepTurns, 0), msg.OpenRound(g.c)))
	}
	return msg.OpenRound(g.c)
}

func (g *regionCheck) checkRegion(r *plan.Region, number int, pl *plan.Plan) string {
	if len(r.Spans) == 0 {
		return "the region has no messages"
	}
	end := 0
	for _, s := range r.Spans {
		if s.Start < end || s.End <= s.Start || s.End > len(g.c.Messages) {
			return "the spans of the region must be in order, not overlap, and lie within the plan"
		}
		end = s.End
		for m := s.Start; m < s.End; m++ {
			if !archived(pl.Archive, m) {
				return "a message of the region is not in the archive"
			}
		}
	}
	if r.Level == 2 {
		return g.checkMerge(r)
	}
	if r.Level == 3 && g.strategy.Condenses {
		return g.checkCondense(r, number)
	}
	if r.Level != 1 {
		return "the level of the region is unknown"
	}
	if end > g.limit {
		return "the region contains pinned messages"
	}
	if r.Blocks != nil {
		return g.checkInPlace(r, pl)
	}
	for _, s := range r.Spans {
		if g.inside[s.Start] {
			return "the region begins between a call and its result"
		}
		for m := s.Start; m < s.End; m++ {
			switch message := &g.c.Messages[m]; {
			case g.owner[m] != 0:
				return "the region overlaps another region"
			case g.keep[m] && view.IsInstruction(message):
				return choice.HasProtected
			case g.isMarked && g.strategy.Refuses != nil:
				if why := g.strategy.Refuses(g.p, message, g.keep[m]); why != "" {
					return why
				}
			}
			g.owner[m] = number
		}
	}
	return ""
}

// checkMerge checks a region of level 2. It must be one summary; a shorter one will replace it.
func (g *regionCheck) checkMerge(r *plan.Region) string {
	if len(r.Blocks) != 1 || len(r.Spans) != 1 || r.Spans[0].Len() != 1 || r.Blocks[0].Message != r.Spans[0].Start ||
		r.Blocks[0].Block < 0 || r.Blocks[0].Block >= len(g.c.Messages[r.Blocks[0].Message].Blocks) {
		return "a region of level 2 must be one summary"
	}
	if g.isMarked && !g.c.At(r.Blocks[0]).IsSummary() || g.blocks[r.Blocks[0]] {
		return "a region of level 2 must be one summary"
	}
	g.blocks[r.Blocks[0]] = true
	return ""
}

// checkCondense checks a region of level 3: one run of messages before the open round, with an earlier summary.
func (g *regionCheck) checkCondense(r *plan.Region, number int) string {
	if len(r.Spans) != 1 || r.Blocks != nil || len(r.Requests) > 0 {
		return "a region of level 3 must be one run of messages, without requests"
	}
	span := r.Spans[0]
	if span.End > g.limit {
		return "the region contains pinned messages"
	}
	if g.inside[span.Start] || g.inside[span.End] {
		return "the region begins or ends between a call and its result"
	}
	summaries := 0
	for m := span.Start; m < span.End; m++ {
		switch {
		case g.owner[m] != 0:
			return "the region overlaps another region"
		case view.IsInstruction(&g.c.Messages[m]):
			return "the region contains an instruction"
		case g.keep[m]:
			summaries++
		}
		g.owner[m] = number
	}
	if g.isMarked && summaries == 0 {
		return "the region contains no earlier summary"
	}
	return ""
}

func (g *regionCheck) checkInPlace(r *plan.Region, pl *plan.Plan) string {
	if len(r.Blocks) == 0 {
		return "the region has no blocks"
	}
	for i, ref := range r.Blocks {
		switch {
		case ref.Message < r.Spans[0].Start || ref.Message >= r.Spans[len(r.Spans)-1].End || ref.Block < 0 ||
			ref.Block >= len(g.c.Messages[ref.Message].Blocks):
			return "a block of the region does not exist"
		case i > 0 && !view.IsAfter(ref, r.Blocks[i-1]):
			return "the blocks of the region must be in document order"
		case g.blocks[ref]:
			return "the region overlaps another region"
		case pl.Trigger.Kind == plan.ChosenSummaries && g.c.At(ref).Kind == msg.KindText &&
			!view.IsInstruction(&g.c.Messages[ref.Message]) && !g.c.At(ref).IsSummary():
		case !pass.Compactable(&g.c.Messages[ref.Message], ref.Block) || g.isMarked && g.c.At(ref).IsSummary():
			return "a block of the region is neither a tool result nor injected text, or is a summary already"
		}
		g.blocks[ref] = true
	}
	return ""
}

// checkPairs refuses regions of whole messages that have only one half of a pair.
func (g *regionCheck) checkPairs() error {
	for it := g.c.Walk(); it.Next(); {
		result := it.Ref
		if call, ok := g.pairing.Origin(result); ok && g.owner[call.Message] != g.owner[result.Message] {
			number := max(g.owner[call.Message], g.owner[result.Message])
			return badPlan("/plan/regions/"+strconv.Itoa(number-1), "the region separates a call from its result")
		}
	}
	return nil
}
