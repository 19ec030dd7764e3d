package promptcache

import "tamp/core/msg"

// Lookback is how many positions a read checks from a breakpoint, its own position being the first: an entry 19
// positions before the breakpoint is found, one 20 before is not. Source: Anthropic's page on prompt caching.
const Lookback = 20

// positions returns the position of each block, as the provider's cache counts them: a run of tool_use or of
// tool_result blocks is one position. Positions start at 1; tools and system have 0. Calls that the provider runs
// itself count one by one: an estimate that is never too low.
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

// Position is the position of the last block read, as positions counts them. The zero value is before the first block.
type Position struct {
	n   int
	run msg.Kind // the kind of the run that the last block belongs to; "" if it is not in a run
}

// Next reads the next block and returns its position.
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
