package msg_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/msg"
)

// Code, its calls and their results are linked, also if calls of other code and of none are between them, and messages
// are added one by one: a call leads to its code and to the call before, the code to its last call.
func TestCodeIsLinkedToItsCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &msg.Conversation{Format: msg.Anthropic}
		var pairs msg.Pairer
		codes, calls, open := []msg.Ref{}, map[msg.Ref][]msg.Ref{}, []msg.Ref{}
		for n := range rapid.IntRange(1, 20).Draw(t, "messages") {
			m := msg.Message{Role: msg.Assistant}
			put := func(b msg.Block) msg.Ref {
				m.Blocks = append(m.Blocks, b)
				return msg.Ref{Message: n, Block: len(m.Blocks) - 1}
			}
			for _, what := range rapid.SliceOfN(rapid.IntRange(0, 4), 0, 4).Draw(t, "blocks") {
				switch id := fmt.Sprint(n, ".", len(m.Blocks)); {
				case what == 0:
					codes = append(codes, put(msg.Block{Kind: msg.KindToolUse, Server: true, ID: id}))
				case what == 1 && len(open) > 0:
					k := rapid.IntRange(0, len(open)-1).Draw(t, "answered")
					put(msg.Block{Kind: msg.KindToolResult, ID: fmt.Sprint(open[k].Message, ".", open[k].Block)})
					open = append(open[:k], open[k+1:]...)
				case what == 2:
					open = append(open, put(msg.Block{Kind: msg.KindToolUse, ID: id}))
				case len(codes) > 0:
					code := rapid.SampledFrom(codes).Draw(t, "code")
					call := put(msg.Block{Kind: msg.KindToolUse, ID: id, Caller: fmt.Sprint(code.Message, ".", code.Block)})
					calls[code], open = append(calls[code], call), append(open, call)
				}
			}
			c.Messages = append(c.Messages, m)
			pairs.Add(c)
		}
		links := func(of msg.Ref) (list []msg.Ref) {
			pairs.Linked(of, func(ref msg.Ref) { list = append(list, ref) })
			return list
		}
		for code, made := range calls {
			require.Contains(t, links(code), made[len(made)-1])
			for k, call := range made {
				origin, ok := pairs.Origin(call)
				require.True(t, ok)
				require.Equal(t, code, origin)
				require.Contains(t, links(call), code)
				if k > 0 {
					require.Contains(t, links(call), made[k-1])
				}
			}
		}
		require.Equal(t, msg.Pair(c), pairs.Pairing)
	})
}
