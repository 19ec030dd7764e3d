package pass

import "tamp/core/msg"

// The recent window is the newest part of the conversation, which stays verbatim. It covers the newest turns and the
// newest tokens, whichever is more, and starts earlier if it would split a pair. The message with which the newest
// tokens are reached belongs to it.

// Window is the policy of the pinned tail.
type Window struct {
	RecentTurns  int `json:"recentTurns"`  // the newest turns that stay verbatim
	RecentTokens int `json:"recentTokens"` // the newest messages with at least so many tokens stay verbatim
}

// Start returns the index of the first pinned message.
func (w Window) Start(in *Input) int {
	c := in.Conversation
	start := min(turnStart(c, w.RecentTurns), len(c.Messages))
	sum := 0
	for m := len(c.Messages) - 1; m >= 0 && sum < w.RecentTokens; m-- {
		sum += in.Counts.Messages[m].Tokens
		start = min(start, m)
	}
	return SafeCut(in, min(start, msg.OpenRound(c)))
}

// Cuts holds the result of SafeCut for each index from 0 to the number of messages.
type Cuts struct {
	c    *msg.Conversation
	safe []int
	open int
}

// NewCuts computes all cuts. It reads each pair once.
func NewCuts(in *Input) Cuts {
	c := in.Conversation
	cuts := Cuts{c, make([]int, len(c.Messages)+1), msg.OpenRound(c)}
	last := make([]int, len(c.Messages)) // the last result of the calls of a message
	for it := c.Walk(); it.Next(); {
		if origin, ok := in.Pairing.Origin(it.Ref); ok {
			last[origin.Message] = max(last[origin.Message], it.Ref.Message)
		}
	}
	reach := 0 // the last result of all calls before the cut
	for cut := range cuts.safe {
		if cut > 0 {
			reach = max(reach, last[cut-1])
		}
		if cut == 0 || reach < cut {
			cuts.safe[cut] = cut
		} else {
			cuts.safe[cut] = cuts.safe[cut-1]
		}
	}
	return cuts
}

// Back is SafeCut.
func (s Cuts) Back(cut int) int { return s.safe[cut] }

// Shrink returns the next smaller window: one turn less, at least the open round. It returns false if
// there is none.
func (s Cuts) Shrink(start int) (int, bool) {
	for m := start; m < s.open; m++ {
		if s.c.Messages[m].Role != msg.Assistant {
			continue
		}
		for cut := m + 1; cut <= s.open; cut++ {
			if s.safe[cut] == cut {
				return cut, true
			}
		}
		break
	}
	return start, false
}

// turnStart returns the index where the newest n turns begin. Messages after the last assistant message do not count as
// a turn.
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
			if origin, ok := in.Pairing.Origin(msg.Ref{Message: m, Block: b}); ok {
				cut = min(cut, origin.Message)
			}
		}
	}
	return cut
}
