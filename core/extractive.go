package core

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/provenance"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// The extractive summarizer, which needs no model: it selects facts and sentences of a region by the probability of
// their use.

// Summarize answers the requests of a plan with the given ids without a model; nil means all. c and st are those of the
// plan. A request without a possible summary has Err set, like a failed model call. The cost is linear in the
// conversation for any number of requests, so one call for all requests is best. The errors are bad_policy and
// bad_request.
func Summarize(c *msg.Conversation, st State, p policy.Policy, env Env, plan *Plan,
	ids []string) ([]SummaryResult, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	m, err := env.known.decode(st)
	if err != nil {
		return nil, err
	}
	if err := checkPlan(c, &planned{base: env.known.digestFor(c)}, env.known, &p, plan, nil); err != nil {
		return nil, err
	}
	if focus, ok := CompactCall(c); ok && env.Focus == "" {
		env.Focus = focus
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	requests := map[string]*SummaryRequest{}
	for i := range plan.Requests {
		requests[plan.Requests[i].ID] = &plan.Requests[i]
	}
	counter := tokens.NewMeter(env.Count, c).Texts() // the counter with which Apply counts the answers
	marked := m.markSummaries(c)
	turns := numberTurns(marked)
	if p.IsBounded() {
		c = marked // its regions may contain earlier summaries
	}
	grouped := groupByRegion(c, plan, turns, p.IsBounded())
	index := env.known.texts().New(grouped.c, grouped.spans, grouped.turns)
	index.PreferNames(m.oftenKeys)
	loaded := map[string]string{} // the line of the last request of a region
	for i, names := range unloadedTools(marked, plan.Regions) {
		if ids := plan.Regions[i].Requests; len(ids) > 0 {
			loaded[ids[len(ids)-1]] = marker.Loaded(names)
		}
	}
	results := []SummaryResult{}
	for n, id := range grouped.ids {
		request := requests[id]
		if request == nil || ids != nil && !wanted[id] {
			continue
		}
		// An answer that, with its label, is not smaller than the replaced text would be refused.
		room := min(request.MaxTokens, request.Tokens*2/3-labelTokens)
		if p.IsBounded() { // the user's statements may be nearly all of a small region
			room = min(request.MaxTokens, max(room, request.Tokens-archivedLabelTokens-labelTokens))
		}
		text, line := "", loaded[id]
		if room -= counter.Count(line); room <= 0 {
			room, line = room+counter.Count(line), ""
		}
		if parts := grouped.parts[n]; parts != nil {
			text = summarize.MergeText(parts, room, counter.Count)
		} else {
			text = index.Summarize(n, summarize.Options{Counter: counter, MaxTokens: room, Focus: env.Focus})
		}
		result := SummaryResult{ID: id}
		if result.Text = text + line; text == "" {
			result.Text, result.Err = "", "no fact could be extracted within "+strconv.Itoa(max(room, 0))+" tokens"
		}
		results = append(results, result)
		delete(requests, id)
	}
	for _, id := range ids {
		if !slices.ContainsFunc(results, func(r SummaryResult) bool { return r.ID == id }) {
			return nil, msg.NewError(msg.BadRequest, "/ids",
				"cannot summarize: no request of the plan has the id \""+msg.Shorten(id, 60)+"\"")
		}
	}
	return results, nil
}

// regionGroups is a conversation in which the messages of each request form one span.
type regionGroups struct {
	c     *msg.Conversation
	turns []int // of the messages of c, before they were reordered
	spans []msg.Span
	ids   []string   // of the requests, one per span
	parts [][]string // the parts of a summary to merge; nil for a span of messages
}

// groupByRegion reorders the messages so that those of each region are consecutive; messages between the spans of a
// region, which stay, are moved before it. Blocks that are summarized in place become messages of their own. Every
// block occurs once. The parts of a summary to merge are texts, or, under a bounded policy, the lines of a message.
func groupByRegion(c *msg.Conversation, plan *Plan, turns []int, bounded bool) regionGroups {
	regions := make([]*Region, len(plan.Regions))
	for i := range plan.Regions {
		regions[i] = &plan.Regions[i]
	}
	order.Stable(regions, func(a, b *Region) int {
		if a.Spans[0].Start != b.Spans[0].Start || len(a.Blocks) == 0 || len(b.Blocks) == 0 {
			return a.Spans[0].Start - b.Spans[0].Start
		}
		return a.Blocks[0].Block - b.Blocks[0].Block // two regions in one message
	})
	var g regionGroups
	messages := make([]msg.Message, 0, len(c.Messages)+len(regions))
	g.turns = make([]int, 0, cap(messages))
	next := msg.Ref{} // the first block that is not appended yet
	keep := func(end msg.Ref) {
		for next.Message < end.Message || next.Message == end.Message && next.Block < end.Block {
			m := c.Messages[next.Message]
			to := len(m.Blocks)
			if next.Message == end.Message {
				to = end.Block
			}
			if next.Block > 0 || to < len(m.Blocks) {
				m = m.WithBlocks(m.Blocks[next.Block:to:to])
			}
			messages = append(messages, m)
			g.turns = append(g.turns, turns[next.Message])
			if next = (msg.Ref{Message: next.Message, Block: to}); to == len(c.Messages[next.Message].Blocks) {
				next = msg.Ref{Message: next.Message + 1}
			}
		}
	}
	for _, r := range regions {
		var inside []msg.Message
		switch {
		case r.Level == 2 && !bounded:
			keep(msg.Ref{Message: r.Blocks[0].Message + 1})
			for _, id := range r.Requests {
				g.add(id, msg.Span{Start: len(messages), End: len(messages)}, splitParts(c.At(r.Blocks[0]).Text))
			}
			continue
		case r.Blocks != nil:
			for _, ref := range r.Blocks {
				keep(ref)
				m := &c.Messages[ref.Message]
				single := m.WithBlocks(m.Blocks[ref.Block : ref.Block+1 : ref.Block+1])
				single.Meta = m.Meta || provenance.IsInjected(m, ref.Block) // which the block before it may tell
				inside = append(inside, single)
				if next = (msg.Ref{Message: ref.Message, Block: ref.Block + 1}); next.Block == len(m.Blocks) {
					next = msg.Ref{Message: ref.Message + 1}
				}
			}
		default:
			for _, s := range r.Spans {
				keep(msg.Ref{Message: s.Start})
				inside = append(inside, c.Messages[s.Start:s.End]...)
				next = msg.Ref{Message: s.End}
			}
		}
		g.divide(r, len(messages), inside)
		messages = append(messages, inside...)
		switch {
		case r.Blocks != nil:
			for _, ref := range r.Blocks {
				g.turns = append(g.turns, turns[ref.Message])
			}
		default:
			for _, s := range r.Spans {
				g.turns = append(g.turns, turns[s.Start:s.End]...)
			}
		}
	}
	keep(msg.Ref{Message: len(c.Messages)})
	g.c = c.WithMessages(messages)
	return g
}

func (g *regionGroups) add(id string, span msg.Span, parts []string) {
	g.ids, g.spans, g.parts = append(g.ids, id), append(g.spans, span), append(g.parts, parts)
}

// splitParts is the inverse of joined: it returns the texts of the parts, without a label.
func splitParts(text string) []string {
	if _, rest := marker.Parse(text); marker.HasParts(rest) {
		text = rest
	}
	if !marker.HasParts(text) {
		return []string{text}
	}
	text = strings.TrimPrefix(text, "[part 1]\n")
	var parts []string
	for n := 2; ; n++ {
		part, rest, more := strings.Cut(text, "\n\n[part "+strconv.Itoa(n)+"]\n")
		parts = append(parts, part)
		if !more {
			return parts
		}
		text = rest
	}
}

// divide assigns the messages of a region to its requests, in order, with about the same length each.
func (g *regionGroups) divide(r *Region, start int, inside []msg.Message) {
	total, n := 0, len(r.Requests)
	sizes := make([]int, len(inside))
	for i := range inside {
		for b := range inside[i].Blocks {
			sizes[i] += len(inside[i].Blocks[b].Text) + 1
		}
		total += sizes[i]
	}
	sum, at := 0, 0
	for k, id := range r.Requests {
		s := msg.Span{Start: start + at}
		for at < len(inside) && (k == n-1 || int64(sum)*int64(n) < int64(total)*int64(k+1)) {
			sum += sizes[at]
			at++
		}
		s.End = start + at
		g.add(id, s, nil)
	}
}
