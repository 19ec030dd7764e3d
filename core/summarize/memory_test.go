package summarize_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/summarize"
)

// A session summarizes one conversation again and again, with other spans, a changed part and Meta messages. What the
// memory has read before never changes a summary.
func TestMemoryChangesNoSummary(t *testing.T) {
	convtest.SetCases(t, 100)
	rapid.Check(t, func(t *rapid.T) {
		var memory summarize.Memory
		first, other := drawConversation(t), drawConversation(t)
		for range 4 {
			c := first
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 1:
				c = other
			case 2: // a part of a message: the blocks before it, which may tell its author, are elsewhere
				messages := append([]msg.Message{}, c.Messages...)
				for m := range messages {
					if n := len(messages[m].Blocks); n > 1 {
						messages[m] = messages[m].WithBlocks(messages[m].Blocks[1:n:n])
					}
				}
				c = c.WithMessages(messages)
			case 3:
				messages := append([]msg.Message{}, c.Messages...)
				for m := range messages {
					messages[m].Meta = !messages[m].Meta
				}
				c = c.WithMessages(messages)
			}
			spans := drawSpans(t, len(c.Messages))
			x, want := memory.New(c, spans, nil), summarize.New(c, spans, nil)
			for i := range spans {
				o := summarize.Options{MaxTokens: rapid.IntRange(20, 400).Draw(t, "budget")}
				require.Equal(t, want.Summarize(i, o), x.Summarize(i, o))
			}
		}
	})
}
