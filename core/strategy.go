package core

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/summarize"
)

// Every strategy chooses the messages to keep verbatim and makes regions of the rest; each region requests a summary.
// Only this file and shape.go contain the differences between the published designs.

// Region is the part of a conversation that one summary replaces. The summary comes from one or more requests.
type Region struct {
	// runs of messages that are replaced; with blocks, the messages that hold them
	Spans    []Span    `json:"spans"`
	Blocks   []msg.Ref `json:"blocks,omitempty"`   // replaced in place; their messages are kept
	Requests []string  `json:"requests,omitempty"` // IDs, in order; their summaries are joined
	Tokens   int       `json:"tokens"`             // of the region now
	// 1 = of messages; 2 = a summary in parts, to be merged; 3 = old summaries, to be condensed without a model
	Level     int `json:"level"`
	MaxTokens int `json:"maxTokens,omitempty"` // of level 3: max tokens of the condensed summary

	budget int // max tokens of its summary; used only by NewPlan
	floor  int // tokens of the user's statements in it; used only by NewPlan
}

// selection is the result of a strategy, before requests are written.
type selection struct {
	cuts    []pass.Decision // tool results of the window that keep their head and their tail
	cutOnly bool            // the cuts reach the target
	regions []Region
	pinned  int    // index of the first message of the kept tail
	note    string // text of a warning; "" = none
	target  int    // tokens of the plan's counter; 0 = the trigger's target
	idle    string // the reason to do nothing; "" = act

	warnings []Warning // besides the note
}

// choose selects the regions by the policy's strategy. texts are those that the session has read; nil without one.
func choose(in *pass.Input, p *policy.Policy, state *triggerState, texts *summarize.Memory) selection {
	switch p.Summary.Strategy {
	case "whole":
		return chooseWhole(in, p).within(in, p, state)
	case "tail":
		return chooseTail(in, p, func(int) bool { return false }).within(in, p, state)
	case "critical":
		marked := p.Pin.Critical.Mark(in)
		return chooseTail(in, p, func(m int) bool { return marked[m] }).within(in, p, state)
	case "chunks":
		return chooseChunks(in, p)
	}
	if p.IsBounded() {
		return chooseBounded(in, p, state, texts)
	}
	return chooseRegions(in, p, state) // "regions": Policy.Validate accepts no other strategy
}

// protectedMessages marks the messages that no strategy removes: instructions and summaries. c has its summaries
// marked.
func protectedMessages(c *msg.Conversation, pairs msg.Pairing) []bool {
	marked := summaryMessages(c)
	for m := range c.Messages {
		marked[m] = marked[m] || isInstruction(&c.Messages[m])
	}
	markWaiting(c, pairs, marked)
	return marked
}

// markWaiting marks the messages with a call whose result may still come, later than the end of its round: without the
// call, the provider would refuse the result.
func markWaiting(c *msg.Conversation, pairs msg.Pairing, marked []bool) {
	for it := c.Walk(); it.Next(); {
		if it.Block.Async {
			_, answered := pairs.Result(it.Ref)
			marked[it.Ref.Message] = marked[it.Ref.Message] || !answered
		}
	}
}

// chooseWhole takes all messages except a round with an unanswered call. With the shape question, it also keeps the
// last user message if it has no answer yet.
func chooseWhole(in *pass.Input, p *policy.Policy) selection {
	c := in.Conversation
	end := startOfUnanswered(in)
	if last := len(c.Messages) - 1; p.Summary.Shape == "question" && last >= 0 && c.Messages[last].Role != msg.Assistant {
		end = min(end, pass.SafeCut(in, runStart(c, last)))
	}
	keep := protectedMessages(c, in.Pairing)
	return selection{regions: oneRegion(in, p, 0, end, func(m int) bool { return keep[m] }), pinned: end}
}

// runStart returns the first message of the run around m that has no assistant message before m.
func runStart(c *msg.Conversation, m int) int {
	for m > 0 && c.Messages[m-1].Role != msg.Assistant {
		m--
	}
	return m
}

// startOfUnanswered returns the index of the open round if one of its calls has no result yet, or if code that the
// provider runs waits for its results, else the number of messages.
func startOfUnanswered(in *pass.Input) int {
	c := in.Conversation
	open := msg.OpenRound(c)
	if open == len(c.Messages) {
		return open
	}
	for it := c.WalkIn(msg.Span{Start: open, End: len(c.Messages)}); it.Next(); {
		if block := it.Block; block.Kind == msg.KindToolUse && !block.Server {
			if _, ok := in.Pairing.Result(it.Ref); !ok || block.Caller != "" {
				return open
			}
		}
	}
	return len(c.Messages)
}

// chooseTail keeps the newest messages and the critical ones among the older.
func chooseTail(in *pass.Input, p *policy.Policy, critical func(int) bool) selection {
	c := in.Conversation
	cut := pass.SafeCut(in, min(max(len(c.Messages)-2*p.Pin.KeepTurns, 0), msg.OpenRound(c)))
	keep := protectedMessages(c, in.Pairing)
	return selection{regions: oneRegion(in, p, 0, cut, func(m int) bool { return keep[m] || critical(m) }), pinned: cut}
}

// within limits the summary to what the target leaves next to the kept messages, if the policy has a target. The
// published designs have none.
func (s selection) within(in *pass.Input, p *policy.Policy, state *triggerState) selection {
	if p.Trigger.TargetPermille == 0 || state.used == 0 {
		return s
	}
	room := int(int64(in.Counts.Total)*int64(state.target)/int64(state.used)) - in.Counts.Total
	for i := range s.regions {
		room += s.regions[i].Tokens
	}
	for i := range s.regions {
		s.regions[i].budget = min(s.regions[i].budget, max(room-labelTokens, minBudget))
	}
	return s
}

// oneRegion makes one region of all messages in [start, end) that keep does not protect; nil if there are none.
func oneRegion(in *pass.Input, p *policy.Policy, start, end int, keep func(int) bool) []Region {
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
func chooseChunks(in *pass.Input, p *policy.Policy) selection {
	c := in.Conversation
	keep := protectedMessages(c, in.Pairing)
	size := p.Summary.ChunkMessages
	first := 0
	for first < len(c.Messages) && keep[first] {
		first++
	}
	last := first // start of the last chunk
	for last+size < len(c.Messages) {
		last += size
	}
	if s := summaryMessages(c); first > 0 && s[first-1] && len(c.Messages)-first < 2*size {
		// The messages that the last compaction kept are its last chunk, plus one if a pair began before it: no new chunk
		// yet.
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
