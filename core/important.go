package core

import (
	"tamp/core/internal/pass"
)

// importantMessages marks the messages to list first in a summary: those with a failed tool result. Unlike the
// published rule, which marks every text with the word "error", it uses only the result's own error flag.
func importantMessages(in *pass.Input) []bool {
	c := in.Conversation
	marked := make([]bool, len(c.Messages))
	for it := c.Walk(); it.Next(); {
		ref, block := it.Ref, it.Block
		marked[ref.Message] = marked[ref.Message] || block.IsError
	}
	return marked
}
