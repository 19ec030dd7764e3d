package core

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// Every strategy is: choose what to keep word for word, the rest becomes regions, each asks for a summary. Where
// the published designs differ, it is in this file and in shape.go and nowhere else.

// Region is what the summaries of one or more requests take the place of.
type Region struct {
	Spans    []Span    `json:"spans"`              // runs of messages that go whole; with blocks, the messages that hold them
	Blocks   []msg.Ref `json:"blocks,omitempty"`   // what is replaced in place, where the messages themselves stay
	Requests []string  `json:"requests,omitempty"` // IDs, in order; their summaries are joined
	Tokens   int       `json:"tokens"`             // of the region today
	Level    int       `json:"level"`              // 1 = of messages; 2 = a summary in parts, to be merged
}

// selection is what a strategy chose, before requests are written.
type selection struct {
	regions []Region
	pinned  int    // index of the first message of the kept tail
	note    string // what the planner wants to say, "" for nothing
}

// choose picks the regions of a policy's strategy.
func choose(in *pass.Input, p *Policy, q *pressure) selection {
	switch p.Summary.Strategy {
	case "whole":
		return chooseWhole(in, p)
	case "tail":
		return chooseTail(in, p, func(int) bool { return false })
	case "critical":
		marked := p.Pin.Critical.Mark(in)
		return chooseTail(in, p, func(m int) bool { return marked[m] })
	case "chunks":
		return chooseChunks(in, p)
	case "regions":
		return chooseRegions(in, p, q)
	}
	return selection{pinned: len(in.Conversation.Messages)}
}

// fixed marks the messages that no strategy gives up: instructions and summaries.
func fixed(c *msg.Conversation) []bool {
	marked := summaryMessages(c)
	for m := range c.Messages {
		if r := c.Messages[m].Role; r == msg.System || r == msg.Developer {
			marked[m] = true
		}
	}
	return marked
}

// chooseWhole takes everything. What cannot go is a call that still waits for its result, and where the design says so the
// last user message that has no answer yet.
func chooseWhole(in *pass.Input, p *Policy) selection {
	c := in.Conversation
	end := unanswered(in)
	if last := len(c.Messages) - 1; p.Summary.Shape == "question" && last >= 0 && c.Messages[last].Role != msg.Assistant {
		end = min(end, pass.SafeCut(in, runStart(c, last)))
	}
	keep := fixed(c)
	return selection{regions: oneRegion(in, end, func(m int) bool { return keep[m] }), pinned: end}
}

// runStart returns the first of the neighbours of m that have no assistant message between them.
func runStart(c *msg.Conversation, m int) int {
	for m > 0 && c.Messages[m-1].Role != msg.Assistant {
		m--
	}
	return m
}

// unanswered returns the index of the open round where one of its calls has no result yet, else the end.
func unanswered(in *pass.Input) int {
	c := in.Conversation
	open := msg.OpenRound(c)
	if open == len(c.Messages) {
		return open
	}
	for b := range c.Messages[open].Blocks {
		if block := &c.Messages[open].Blocks[b]; block.Kind == msg.KindToolUse && !block.Server {
			if _, ok := in.Pairing.Result(msg.Ref{Message: open, Block: b}); !ok {
				return open
			}
		}
	}
	return len(c.Messages)
}

// chooseTail keeps the newest messages and what is critical among the older ones.
func chooseTail(in *pass.Input, p *Policy, critical func(int) bool) selection {
	c := in.Conversation
	cut := pass.SafeCut(in, min(max(len(c.Messages)-2*p.Pin.KeepTurns, 0), msg.OpenRound(c)))
	keep := fixed(c)
	return selection{regions: oneRegion(in, cut, func(m int) bool { return keep[m] || critical(m) }), pinned: cut}
}

// oneRegion makes one region of all messages before end that may go.
func oneRegion(in *pass.Input, end int, keep func(int) bool) []Region {
	r := Region{Level: 1}
	for _, run := range pass.SpanRegions(in, end, keep) {
		r.Spans = append(r.Spans, run.Span)
		r.Tokens += run.Tokens
	}
	if len(r.Spans) == 0 {
		return nil
	}
	return []Region{r}
}

// chooseChunks cuts the conversation into chunks and keeps the last one.
func chooseChunks(in *pass.Input, p *Policy) selection {
	c := in.Conversation
	keep := fixed(c)
	size := p.Summary.ChunkMessages
	first := 0
	for first < len(c.Messages) && keep[first] {
		first++
	}
	last := first // where the last chunk begins
	for last+size < len(c.Messages) {
		last += size
	}
	if s := summaryMessages(c); first > 0 && s[first-1] && len(c.Messages)-first < 2*size {
		// What a compaction kept is its last chunk, with a message more where a pair began before it: no new chunk yet.
		last = first
	}
	last = pass.SafeCut(in, min(last, msg.OpenRound(c)))
	s := selection{pinned: last}
	for start := first; start < last; {
		end := start + size
		if end < last {
			end = pass.SafeCut(in, end)
		}
		if end <= start || end > last {
			end = last
		}
		inside := func(m int) bool { return m < start || keep[m] }
		s.regions = append(s.regions, oneRegion(in, end, inside)...)
		start = end
	}
	return s
}

// chooseRegions gives up the largest regions first until the target is met.
func chooseRegions(in *pass.Input, p *Policy, q *pressure) selection {
	c := in.Conversation
	keep := fixed(c)
	needed := q.used - q.target
	if q.trigger.Kind == "manual" { // whatever may go, goes; so asking twice is asking once
		needed = q.used
	}
	s := selection{pinned: p.Pin.Window.Start(in)}
	// Where the recent window leaves too little to give up, it shrinks a turn at a time: the tokens beyond its recent turns
	// make way for the target, since a target that is missed is a compaction at every turn; the turns only for the hard limit.
	turnsOnly := pass.Window{RecentTurns: p.Pin.RecentTurns}.Start(in)
	var all []pass.Region
	for {
		if p.Summary.Granularity == "span" {
			all = pass.SpanRegions(in, s.pinned, func(m int) bool { return keep[m] || c.Messages[m].IsPrompt() })
		} else {
			all = pass.BlockRegions(in, s.pinned, func(r msg.Ref) bool { return c.At(r).IsSummary() || placeholderLike(c.At(r)) })
		}
		rest := q.used
		for i := range all {
			rest -= saving(p, &all[i])
		}
		limit := q.hard
		if p.Summary.Granularity == "span" && s.pinned < turnsOnly && q.trigger.Kind != "manual" {
			limit = q.target
		}
		shrunk, ok := pass.Shrink(in, s.pinned)
		if limit == 0 || rest <= limit || !ok {
			break
		}
		s.pinned = shrunk
		s.note = "with the whole recent window the target would be missed, so it is shorter"
	}
	pass.Rank(in, all)
	chosen := pass.Choose(all, needed, func(r *pass.Region) int { return saving(p, r) })
	slices.SortFunc(chosen, func(a, b pass.Region) int {
		if a.Tokens != b.Tokens {
			return b.Tokens - a.Tokens
		}
		return a.Span.Start - b.Span.Start
	})
	for _, r := range chosen {
		s.regions = append(s.regions, Region{Spans: []Span{r.Span}, Blocks: r.Blocks, Tokens: r.Tokens, Level: 1})
	}
	return s
}

// placeholderLike reports a result too short for any summary to be shorter.
func placeholderLike(b *msg.Block) bool { return len(b.Text) < 200 && !b.HasMedia() }

// labelTokens is about what a label takes.
const labelTokens = 16

// budget is how long the summary of so many tokens may be.
func budget(p *Policy, tokens int) int {
	most := p.Summary.MaxTokens
	if most == 0 {
		most = tokens*p.Summary.SharePermille/1000 + p.Summary.ShareExtra
	}
	if p.Summary.Strategy == "regions" && most >= tokens { // a small region: its summary is to be smaller still
		return tokens / 2
	}
	return most
}

// saving is what a region frees at the least, when its summary fills its budget.
func saving(p *Policy, r *pass.Region) int {
	return max(r.Tokens-budget(p, r.Tokens)-labelTokens, 0)
}
