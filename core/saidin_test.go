package core_test

import (
	"slices"
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/words"
)

// saidIn returns all that the user typed in a conversation, that of its summaries included.
func saidIn(c *msg.Conversation) []words.Said {
	messages := slices.Clone(c.Messages)
	for m := range messages {
		blocks := slices.Clone(messages[m].Blocks)
		for b := range blocks {
			l, _ := marker.Parse(blocks[b].Text)
			isAnswer := messages[m].Role == msg.Assistant && strings.HasPrefix(blocks[b].Text, words.Heading)
			blocks[b].Summary = blocks[b].Kind == msg.KindText && (l.Form != marker.None || isAnswer)
		}
		messages[m] = messages[m].WithBlocks(blocks)
	}
	marked := c.WithMessages(messages)
	pairs := msg.Pair(marked)
	said := words.Read(marked, marked.Turns(), &pairs, tokens.Estimate.Count).Fit(func(*words.Said) bool { return true }, 1<<40).Said()
	for i := range said {
		said[i].At = msg.Ref{}
	}
	return said
}
