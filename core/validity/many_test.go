package validity_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/validity"
)

// A message may have any number of calls: if each of these read its whole message, the check would take many minutes.
func TestManyParallelCalls(t *testing.T) {
	n := 300_000
	if convtest.Fewer() {
		n /= 4
	}
	calls, results := make([]msg.Block, n), make([]msg.Block, n)
	for i := range n {
		id := "t" + strconv.Itoa(i)
		calls[i] = msg.Block{Kind: msg.KindToolUse, Type: "tool_use", ID: id, Name: "f", Text: "{}"}
		results[i] = msg.Block{Kind: msg.KindToolResult, Type: "tool_result", ID: id, Text: "x"}
	}
	c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.User, "Go."),
		{Role: msg.Assistant, Blocks: calls}, {Role: msg.User, Blocks: results}}}
	require.Empty(t, validity.Check(c))
}
