package promptcache

import (
	"slices"
	"strings"

	"tamp/core/msg"
)

// LargeResult is the size in tokens from which a tool result is a milestone: the usual minimum of a cached prefix. A
// shorter result needs no breakpoint: a read from the next breakpoint reaches back over it.
const LargeResult = 1024

// candidate is a place for a new breakpoint.
type candidate struct {
	place
	kind   Kind
	reason string // the reason if it is chosen
}

// candidates returns the candidates in the order of the request, each place once. own are the breakpoints of an earlier
// Rank.
func (r *ranker) candidates(own []existingBreakpoint) []candidate {
	var all []candidate
	n := len(r.c.Tools)
	for n > 0 && r.c.Tools[n-1].IsDeferred() { // the provider refuses a breakpoint there
		n--
	}
	if n > 0 {
		all = append(all, candidate{r.toolPlace(n - 1), ToolsEnd, "the tools, the same in every request"})
	}
	for i := len(r.c.System) - 1; i >= 0; i-- {
		if canHoldBreakpoint(&r.c.System[i]) {
			all = append(all, candidate{r.systemPlace(i), SystemEnd, "the system prompt, the same in every request"})
			break
		}
	}
	messages := r.messageCandidates(own)
	for i := range messages { // at most five: insertion is the clearest way to sort them
		at := len(all)
		for at > 0 && messages[i].before(all[at-1].place) {
			at--
		}
		if at > 0 && messages[i].same(all[at-1].place) {
			continue
		}
		all = append(all[:at], append([]candidate{messages[i]}, all[at:]...)...)
	}
	return all
}

// messageCandidates returns the candidates of the usual four first: if two candidates share a block, the kind of the
// first is used.
func (r *ranker) messageCandidates(own []existingBreakpoint) []candidate {
	var all []candidate
	add := func(at msg.Ref, kind Kind, reason string) {
		all = append(all, candidate{r.messagePlace(at), kind, reason})
	}
	end, hasEnd := r.lastBreakpointHolder(len(r.c.Messages))
	if hasEnd && r.c.Cache == nil { // the automatic breakpoint is at the same place
		add(end, RequestEnd, "the end of the request, which this call writes and the next one reads")
	}
	prompt := r.newest(msg.User, len(r.c.Messages))
	if entry, ok := r.previousEntry(prompt, end, own); ok {
		add(entry, PreviousEnd, "the last entry of the previous request, which this call reads")
	}
	if all := &r.totals[len(r.c.Messages)]; all.hasBoundary {
		why := "the last summary: its entry survives the next one"
		if all.unstable > 0 {
			why = "the last block before the first one that a pass may change: its entry survives that"
		}
		add(all.boundary, StableBoundary, why)
	}
	if before, ok := r.lastBreakpointHolder(prompt); ok {
		add(before, BeforePrompt, "everything before the newest user message")
	}
	if at, ok := r.lastMilestone(); ok {
		add(at, Milestone, "a large tool result that was answered and that no pass will change")
	}
	return all
}

// previousEntry returns the last breakpoint of the previous request that this request can read: the newest of an
// earlier Rank, or the one that it found, if this is the same request; the one that the caller knows; else the end of
// the messages before the newest answer.
func (r *ranker) previousEntry(prompt int, end msg.Ref, own []existingBreakpoint) (msg.Ref, bool) {
	repeated := false
	for i := len(own) - 1; i >= 0 && own[i].part == inMessages && len(r.o.Own) > 0; i-- {
		at, key := own[i].ref, keyOf(r.c.At(own[i].ref))
		switch {
		case !slices.Contains(r.o.Own, key), repeated && key != r.o.Own[0]:
		case at == end:
			repeated = true
		case repeated || at.Message >= r.observed:
			return at, true
		}
	}
	if r.entry != nil {
		return *r.entry, r.entry.Message >= 0
	}
	return r.lastBreakpointHolder(r.newest(msg.Assistant, max(prompt, 0)))
}

// lastMilestone finds the last large result that a later assistant message answered and that no pass will change.
func (r *ranker) lastMilestone() (msg.Ref, bool) {
	end := r.newest(msg.Assistant, len(r.c.Messages))
	for m := end - 1; m >= r.milestone.searched; m-- {
		if at, ok := r.milestoneIn(m); ok {
			r.milestone.at, r.milestone.found = at, true
			break
		}
	}
	r.milestone.searched = max(r.milestone.searched, end)
	return r.milestone.at, r.milestone.found
}

func (r *ranker) milestoneIn(m int) (msg.Ref, bool) {
	for b := len(r.c.Messages[m].Blocks) - 1; b >= 0; b-- {
		at := msg.Ref{Message: m, Block: b}
		block := r.c.At(at)
		if block.Kind == msg.KindToolResult && canHoldBreakpoint(block) && r.isStable(at) &&
			r.counts.Messages[m].Blocks[b] >= LargeResult {
			return at, true
		}
	}
	return msg.Ref{}, false
}

// newest returns the index of the last message of the role, user or assistant, before end; -1 if there is none.
func (r *ranker) newest(role msg.Role, end int) int {
	switch {
	case end < 0:
		return -1
	case role == msg.User:
		return r.totals[end].user
	}
	return r.totals[end].assistant
}

// lastBreakpointHolder finds the last block before message end that can hold a breakpoint.
func (r *ranker) lastBreakpointHolder(end int) (msg.Ref, bool) {
	if end < 0 {
		return msg.Ref{}, false
	}
	return r.totals[end].holder, r.totals[end].hasHolder
}

func isBreakpointHolder(c *msg.Conversation, m, b int) bool {
	role := c.Messages[m].Role
	return (role == msg.User || role == msg.Assistant) && canHoldBreakpoint(&c.Messages[m].Blocks[b])
}

// canHoldBreakpoint reports a block that accepts cache_control: rule A11_cache_control excludes thinking and empty
// text, and blocks that the provider wrote must be sent back unchanged (A12_compaction).
func canHoldBreakpoint(b *msg.Block) bool {
	switch b.Kind {
	case msg.KindText, msg.KindSummary:
		return b.Type == "text" && strings.TrimSpace(b.Text) != ""
	case msg.KindToolUse, msg.KindToolResult:
		return !b.Server
	case msg.KindImage, msg.KindDocument:
		return b.Type != "container_upload"
	}
	return false
}
