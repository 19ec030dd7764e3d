package core

import (
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

	budget int // of its summary, in tokens; only while the plan is made
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
	}
	return chooseRegions(in, p, q) // "regions": Policy.Validate knows no other
}

// fixed marks the messages of a marked conversation that no strategy gives up: instructions and summaries.
func fixed(c *msg.Conversation) []bool {
	marked := summaryMessages(c)
	for m := range c.Messages {
		marked[m] = marked[m] || isInstruction(&c.Messages[m])
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
	return selection{regions: oneRegion(in, p, 0, end, func(m int) bool { return keep[m] }), pinned: end}
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
	return selection{regions: oneRegion(in, p, 0, cut, func(m int) bool { return keep[m] || critical(m) }), pinned: cut}
}

// oneRegion makes one region of all messages from start to end that may go.
func oneRegion(in *pass.Input, p *Policy, start, end int, keep func(int) bool) []Region {
	r := Region{Level: 1, budget: p.Summary.MaxTokens}
	for _, run := range pass.SpanRegions(in, start, end, keep) {
		r.Spans = append(r.Spans, run.Span)
		r.Tokens += run.Tokens
	}
	if len(r.Spans) == 0 {
		return nil
	}
	if r.budget == 0 {
		r.budget = shareOf(p, r.Tokens)
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
	cuts := pass.NewCuts(in)
	last = cuts.Back(min(last, msg.OpenRound(c)))
	s := selection{pinned: last}
	for start := first; start < last; {
		end := start + size
		if end < last {
			end = cuts.Back(end)
		}
		if end <= start || end > last {
			end = last
		}
		s.regions = append(s.regions, oneRegion(in, p, start, end, func(m int) bool { return keep[m] })...)
		start = end
	}
	return s
}
