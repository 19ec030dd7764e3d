package anchor

import "tamp/core/msg"

// Lookback is how many positions a read looks back from a breakpoint. Source: Anthropic's page on prompt caching.
const Lookback = 20

// positions numbers the blocks of the messages as the provider's cache counts them: a run of tool_use or of tool_result
// blocks is one position. Numbers start at 1, so that 0 is whatever stands before the messages.
// Calls that the provider runs itself count one by one, which errs towards a shorter reach.
func positions(c *msg.Conversation) [][]int {
	all := make([][]int, len(c.Messages))
	var at Position
	for m := range c.Messages {
		blocks := c.Messages[m].Blocks
		all[m] = make([]int, len(blocks))
		for b := range blocks {
			all[m][b] = at.Next(&blocks[b])
		}
	}
	return all
}

// Position numbers blocks one after the other, as Positions does. The zero value is before the first block.
type Position struct {
	n   int
	run msg.Kind // of the run that the last block belongs to; "" if it is in none
}

// Next is the position of the block that follows.
func (p *Position) Next(b *msg.Block) int {
	kind := b.Kind
	inRun := (kind == msg.KindToolUse || kind == msg.KindToolResult) && !b.Server
	if !inRun {
		kind = ""
	}
	if !inRun || kind != p.run {
		p.n++
	}
	p.run = kind
	return p.n
}
