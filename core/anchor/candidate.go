package anchor

import (
	"strconv"
	"strings"

	"tamp/core/msg"
)

// LargeResult is how many tokens make a tool result a milestone: the smallest minimum that was ever common. A shorter
// one is reached by the look back from the anchor after it.
const LargeResult = 1024

// candidate is a place that could carry a new breakpoint.
type candidate struct {
	place
	kind Kind
	what string // what it is worth, in words: its reason where it is chosen
}

// candidates finds them in the order of the request, each place once.
func (r *ranker) candidates() []candidate {
	var all []candidate
	if n := len(r.c.Tools); n > 0 {
		all = append(all, candidate{r.toolPlace(n - 1), ToolsEnd, "the tools, the same in every request"})
	}
	for i := len(r.c.System) - 1; i >= 0; i-- {
		if canCarry(&r.c.System[i]) {
			all = append(all, candidate{r.systemPlace(i), SystemEnd, "the system prompt, the same in every request"})
			break
		}
	}
	messages := r.messageCandidates()
	for i := range messages { // at most three: insertion is the clearest way to sort them
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

// messageCandidates lists the anchor before the prompt first: where two share a block, it is the one to name.
func (r *ranker) messageCandidates() []candidate {
	var all []candidate
	prompt := r.newest(msg.User, len(r.c.Messages))
	if before, ok := r.lastCarrier(prompt); ok {
		all = append(all, candidate{r.messagePlace(before), BeforePrompt, "everything before the newest user message"})
		if bridge, gap := r.bridge(prompt, before); gap > 0 {
			all = append(all, candidate{r.messagePlace(bridge), Milestone, "bridges a turn of " + strconv.Itoa(gap) +
				" positions, of which a read looks back " + strconv.Itoa(Lookback)})
		}
	}
	if at, ok := r.lastMilestone(); ok {
		m := candidate{r.messagePlace(at), Milestone, "a large tool result that was answered and stays"}
		if len(all) > 0 {
			if gap := all[0].position - m.position; gap > Lookback {
				m.what += ", " + strconv.Itoa(gap) + " positions before the next anchor, which looks back " + strconv.Itoa(Lookback)
			}
		}
		all = append(all, m)
	}
	return all
}

// lastMilestone finds the last large result that a later assistant message answered and that stays as it is.
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
		if block.Kind == msg.KindToolResult && canCarry(block) && r.isStable(at) &&
			r.counts.Messages[m].Blocks[b] >= LargeResult {
			return at, true
		}
	}
	return msg.Ref{}, false
}

// bridge finds the place that connects the anchor before the prompt with the one of the request before, where the turn
// between them is wider than a read can look back. gap is the width of that turn, 0 where no bridge is needed or possible.
func (r *ranker) bridge(prompt int, before msg.Ref) (at msg.Ref, gap int) {
	old, ok := r.lastCarrier(r.newest(msg.User, r.newest(msg.Assistant, prompt)))
	if !ok {
		return at, 0
	}
	from := r.at(old).position
	wide := r.at(before).position - from
	if wide <= Lookback {
		return at, 0
	}
	for m := old.Message; m <= before.Message && r.sums[m].position.n <= from+Lookback; m++ {
		for b := range r.c.Messages[m].Blocks {
			if p := r.known[m][b].position; p > from && p <= from+Lookback && isCarrier(r.c, m, b) {
				at, gap = msg.Ref{Message: m, Block: b}, wide
			}
		}
	}
	return at, gap
}

// newest returns the index of the last message of the user or the assistant before end, -1 where there is none.
func (r *ranker) newest(role msg.Role, end int) int {
	switch {
	case end < 0:
		return -1
	case role == msg.User:
		return r.sums[end].user
	}
	return r.sums[end].assistant
}

// lastCarrier finds the last block before message end that can carry a breakpoint.
func (r *ranker) lastCarrier(end int) (msg.Ref, bool) {
	if end < 0 {
		return msg.Ref{}, false
	}
	return r.sums[end].carrier, r.sums[end].hasCarrier
}

func isCarrier(c *msg.Conversation, m, b int) bool {
	role := c.Messages[m].Role
	return (role == msg.User || role == msg.Assistant) && canCarry(&c.Messages[m].Blocks[b])
}

// canCarry reports a block that takes cache_control: rule A11_cache_control excludes thinking and empty text, and what
// the provider wrote itself must come back unchanged (A12_compaction).
func canCarry(b *msg.Block) bool {
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
