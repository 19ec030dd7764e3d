package core

import (
	"tamp/core/internal/pass"
)

// importantMessages marks what should come first in a summary: what changed the world and what failed. Unlike the
// published rule, which takes every text with the word error in it, this one believes only what a tool says of itself.
func importantMessages(in *pass.Input) []bool {
	c := in.Conversation
	marked := make([]bool, len(c.Messages))
	for m := range c.Messages {
		for b := range c.Messages[m].Blocks {
			block := &c.Messages[m].Blocks[b]
			marked[m] = marked[m] || block.IsError
		}
	}
	return marked
}
