package anchor

import "tamp/core/msg"

// Lookback is how many positions a read looks back from a breakpoint. Source: Anthropic's page on prompt caching.
const Lookback = 20

// positions numbers the blocks of the messages as the provider's cache counts them: a run of tool_use or of tool_result
// blocks is one position. Numbers start at 1, so that 0 is whatever stands before the messages.
// Calls that the provider runs itself count one by one, which errs towards a shorter reach.
func positions(c *msg.Conversation) [][]int {
	all := make([][]int, len(c.Messages))
	n := 0
	run := msg.Kind("") // the kind of the run that the block before belongs to
	for m := range c.Messages {
		blocks := c.Messages[m].Blocks
		all[m] = make([]int, len(blocks))
		for b := range blocks {
			kind := blocks[b].Kind
			inRun := (kind == msg.KindToolUse || kind == msg.KindToolResult) && !blocks[b].Server
			if !inRun {
				kind = ""
			}
			if !inRun || kind != run {
				n++
			}
			run = kind
			all[m][b] = n
		}
	}
	return all
}
