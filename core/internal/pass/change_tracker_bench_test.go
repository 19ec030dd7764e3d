package pass_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// BenchmarkTurn is the question of a session at each turn: would the passes change anything? The passes read all tool
// results of the session, the tracker reads its sums.
func BenchmarkTurn(b *testing.B) {
	for _, rounds := range []int{100, 1000, 10_000} {
		c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.User, "Go on.")}}
		for i := range rounds {
			id := "toolu_" + strconv.Itoa(i)
			c.Messages = append(c.Messages,
				msg.Message{Role: msg.Assistant, Blocks: []msg.Block{
					{Kind: msg.KindToolUse, Type: "tool_use", ID: id, Name: "run", Text: "{}"}}},
				msg.Message{Role: msg.User, Blocks: []msg.Block{
					{Kind: msg.KindToolResult, Type: "tool_result", ID: id, Text: strings.Repeat("a line\n", 50)}}})
		}
		in := input(c, tokens.Estimate)
		w := pass.ChangeTracker{Clear: pass.Clear{Enabled: true, ConsumedOnly: true, KeepRecent: 3, MinChars: 120,
			MinSavings: 20_000_000, Placeholder: marker.PlaceholderUsed}, Intake: pass.Intake{MaxBytes: 100_000}}
		w.Add(in, archived)
		require.True(b, w.NothingToDo(in, nil))
		name := strconv.Itoa(rounds) + "/"
		b.Run(name+"tracker", func(b *testing.B) {
			for b.Loop() {
				require.True(b, w.NothingToDo(in, nil))
			}
		})
		b.Run(name+"passes", func(b *testing.B) {
			for b.Loop() {
				require.Len(b, w.Clear.Run(in), rounds)
				require.Empty(b, w.Intake.Run(in, archived))
			}
		})
	}
}
