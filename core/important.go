package core

import (
	"tamp/core/internal/pass"
)

// importantMessages marks the messages to list first in a summary: those with a failed tool result. Unlike the
// published rule, which marks every text with the word "error", it uses only the result's own error flag.
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
