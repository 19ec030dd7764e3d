package summarize

import (
	"slices"

	"tamp/core/internal/secrets"
	"tamp/core/msg"
)

// withoutSecrets returns a conversation without values that look like secrets: what is read from it has none. It shares
// all messages that have none.
func withoutSecrets(c *msg.Conversation) *msg.Conversation {
	var messages []msg.Message
	for m := range c.Messages {
		var blocks []msg.Block
		for b := range c.Messages[m].Blocks {
			block := &c.Messages[m].Blocks[b]
			if block.Kind == msg.KindImage || block.Kind == msg.KindOther {
				continue
			}
			text := secrets.Mask(block.Text)
			if text == block.Text {
				continue
			}
			if blocks == nil {
				blocks = slices.Clone(c.Messages[m].Blocks)
			}
			blocks[b].Text = text
		}
		if blocks == nil {
			continue
		}
		if messages == nil {
			messages = slices.Clone(c.Messages)
		}
		messages[m].Blocks = blocks
	}
	if messages == nil {
		return c
	}
	return c.WithMessages(messages)
}
