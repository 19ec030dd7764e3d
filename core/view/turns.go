package view

import (
	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// maxTurns is more turns than any session has; it rejects a forged label.
const maxTurns = 1_000_000

// TurnsOf returns the turn of each message, as Conversation.Turns does. A summary of turns counts as all turns that it
// replaces, so the number of a turn does not change when earlier turns are compacted. c has its summaries marked.
func TurnsOf(c *msg.Conversation) []int {
	turns := make([]int, len(c.Messages))
	turn := 1
	for m := range c.Messages {
		message := &c.Messages[m]
		turns[m] = turn
		for b := range message.Blocks {
			if block := &message.Blocks[b]; block.Kind == msg.KindText && block.IsSummary() {
				if l, _ := marker.Parse(block.Text); l.Form == marker.Turns && l.Last >= turn && l.Last < maxTurns {
					turn = l.Last + 1
				}
			}
		}
		if message.Role == msg.Assistant {
			turn++
		}
	}
	return turns
}
