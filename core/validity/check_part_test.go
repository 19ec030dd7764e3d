package validity

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// What a small change to a long conversation makes CheckChange look at does not grow with the conversation.
func TestChangedPartIsSmall(t *testing.T) {
	for _, format := range []string{msg.Anthropic, msg.OpenAIChat} {
		answer := msg.User
		if format == msg.OpenAIChat {
			answer = msg.Tool
		}
		size := func(rounds int) int {
			messages := []msg.Message{msg.TextMessage(msg.User, "Go on.")}
			for i := range rounds {
				id := "id" + strconv.Itoa(i)
				messages = append(messages, msg.Message{Role: msg.Assistant,
					Blocks: []msg.Block{{Kind: msg.KindToolUse, ID: id, Name: "run", Text: "{}"}}},
					msg.Message{Role: answer, Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: id, Text: "ok"}}})
			}
			c := &msg.Conversation{Format: format, Messages: messages}
			after := append([]msg.Message{}, messages...)
			middle := rounds/2*2 + 2
			after[middle] = after[middle].WithBlocks([]msg.Block{after[middle].Blocks[0].WithText("x")})
			after = append(after[:5:5], after[9:]...)                      // two rounds went
			after = append(after, msg.TextMessage(msg.Assistant, "Done.")) // and something came
			changed := c.WithMessages(after)
			part := changedPart(c, changed, Origins(c, changed))
			require.NotNil(t, part)
			return len(part.Messages)
		}
		require.Less(t, size(20), 20) // 20 rounds are 40 messages: half is not checked
		require.Equal(t, size(20), size(2000), format)
	}
}
