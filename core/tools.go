package core

import "tamp/core/msg"

// compactCall recognizes a call of the compact tool whose round is complete, and what it asks to preserve.
func compactCall(c *msg.Conversation) (focus string, ok bool) {
	open := msg.OpenRound(c)
	if open == len(c.Messages) {
		return "", false
	}
	pairing := msg.Pair(c)
	for b := range c.Messages[open].Blocks {
		block := &c.Messages[open].Blocks[b]
		if block.Kind != msg.KindToolUse || block.Server {
			continue
		}
		if _, answered := pairing.Result(msg.Ref{Message: open, Block: b}); !answered {
			return "", false
		}
		if block.Name == "compact" {
			ok = true
			if input := msg.Raw(block.Text); msg.Validate(input) == nil {
				focus = input.Member("focus").Text()
			}
		}
	}
	return focus, ok
}
