package msg

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a small change to a long conversation makes CheckChange look at does not grow with the conversation.
func TestChangedPartIsSmall(t *testing.T) {
	for _, format := range []string{Anthropic, OpenAIChat} {
		answer := User
		if format == OpenAIChat {
			answer = Tool
		}
		size := func(rounds int) int {
			messages := []Message{TextMessage(User, "Go on.")}
			for i := range rounds {
				id := "id" + strconv.Itoa(i)
				messages = append(messages, Message{Role: Assistant, Blocks: []Block{{Kind: KindToolUse, ID: id, Name: "run", Text: "{}"}}},
					Message{Role: answer, Blocks: []Block{{Kind: KindToolResult, ID: id, Text: "ok"}}})
			}
			c := &Conversation{Format: format, Messages: messages}
			after := append([]Message{}, messages...)
			middle := rounds/2*2 + 2
			after[middle] = after[middle].WithBlocks([]Block{after[middle].Blocks[0].WithText("x")})
			after = append(after[:5:5], after[9:]...)              // two rounds went
			after = append(after, TextMessage(Assistant, "Done.")) // and something came
			part := changedPart(c, c.WithMessages(after))
			require.NotNil(t, part)
			return len(part.Messages)
		}
		require.Less(t, size(20), 20)
		require.Equal(t, size(20), size(2000), format)
	}
}
