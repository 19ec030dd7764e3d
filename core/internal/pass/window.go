package pass

import "tamp/core/msg"

// The recent window is what the agent is working on: it stays verbatim. It is counted in turns and in tokens, and reaches
// as far back as either says; then further, where its first message would part a pair.

// Window is the policy of the pinned tail.
type Window struct {
	RecentTurns  int `json:"recentTurns"`  // the newest turns that stay verbatim
	RecentTokens int `json:"recentTokens"` // the newest tokens that stay verbatim
}

// Start returns the index of the first pinned message.
func (w Window) Start(in *Input) int {
	c := in.Conversation
	start := min(turnStart(c, w.RecentTurns), len(c.Messages))
	sum := 0
	for m := len(c.Messages) - 1; m >= 0 && w.RecentTokens > 0; m-- {
		if sum += in.Counts.Messages[m].Tokens; sum > w.RecentTokens {
			break
		}
		start = min(start, m)
	}
	return SafeCut(in, min(start, msg.OpenRound(c)))
}

// Shrink returns the next smaller window: one turn less, never less than the open round. false where it cannot shrink.
func Shrink(in *Input, start int) (int, bool) {
	c := in.Conversation
	open := msg.OpenRound(c)
	for m := start; m < open; m++ {
		if c.Messages[m].Role != msg.Assistant {
			continue
		}
		for cut := m + 1; cut <= open; cut++ {
			if SafeCut(in, cut) == cut {
				return cut, true
			}
		}
	}
	return start, false
}

// turnStart returns the index where the newest n turns begin; the turn that is about to be comes on top.
func turnStart(c *msg.Conversation, n int) int {
	m := len(c.Messages)
	for m > 0 && c.Messages[m-1].Role != msg.Assistant {
		m--
	}
	for ; n > 0 && m > 0; n-- {
		for m--; m > 0 && c.Messages[m-1].Role != msg.Assistant; {
			m--
		}
	}
	return m
}

// SafeCut moves a cut back until no pair has its call before it and its result at or after it.
func SafeCut(in *Input, cut int) int {
	c := in.Conversation
	for m := len(c.Messages) - 1; m >= cut; m-- {
		for b := range c.Messages[m].Blocks {
			if c.Messages[m].Blocks[b].Kind != msg.KindToolResult {
				continue
			}
			if call, ok := in.Pairing.Call(msg.Ref{Message: m, Block: b}); ok && call.Message < cut {
				cut = call.Message
			}
		}
	}
	return cut
}
