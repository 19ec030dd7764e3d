package msg_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

func TestPair(t *testing.T) {
	for _, row := range []struct{ name, in, pairs, why string }{
		{"by id", `u =hi a !1 !2 u ?2 ?1`, `1.0>2.1 1.1>2.0`, "order does not matter"},
		{"C22 an id again", `u =hi a !1 u ?1 a !1 u ?1`, `1.0>2.0 3.0>4.0`, "by occurrence"},
		{"the newest call", `u =hi a !1 u =x a !1 u ?1`, `3.0>4.0`, "the older one was never answered"},
		{"twice in a message", `u =hi a !1 !1 u ?1 ?1`, `1.0>2.0 1.1>2.1`, "the first call first"},
		{"twice in a message and before", `u =hi a !1 a !1 !1 u ?1 ?1 ?1 ?1`, `1.0>3.2 2.0>3.0 2.1>3.1`,
			"newest message first; the fourth answers nothing"},
		{"a result before its call", `u ?1 a !1`, ``, "time does not run backwards"},
		{"a server pair", `u =hi a $1 %1`, `1.0>1.1`, "within one message"},
		{"openai", `u =hi a !1 !2 t ?1 t ?2 a !1 t ?1`, `1.0>2.0 1.1>3.0 4.0>5.0`, "a message each"},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.pairs, pairs(convtest.FromWords(msg.Anthropic, row.in),
				msg.Pair(convtest.FromWords(msg.Anthropic, row.in))), row.why)
		})
	}
}

func pairs(c *msg.Conversation, p msg.Pairing) string {
	var out []string
	for ref := range c.Blocks() {
		if r, ok := p.Result(ref); ok {
			out = append(out, fmt.Sprintf("%d.%d>%d.%d", ref.Message, ref.Block, r.Message, r.Block))
			if call, ok := p.Call(r); !ok || call != ref {
				out = append(out, "one-sided")
			}
		}
	}
	return strings.Join(out, " ")
}

// The slow twin: each result in turn looks back over everything.
func TestPairEqualsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := convtest.FromWords(msg.Anthropic, convtest.RandomWords(t))
		var want []string
		taken := map[msg.Ref]msg.Ref{}
		for ref, block := range c.Blocks() {
			if block.Kind == msg.KindToolResult {
				if call, ok := openCallBefore(c, ref, block.ID, taken); ok {
					taken[call] = ref
				}
			}
		}
		for ref := range c.Blocks() {
			if r, ok := taken[ref]; ok {
				want = append(want, fmt.Sprintf("%d.%d>%d.%d", ref.Message, ref.Block, r.Message, r.Block))
			}
		}
		if got := pairs(c, msg.Pair(c)); got != strings.Join(want, " ") {
			t.Fatalf("%s: %s, not %s", convtest.Words(c), got, strings.Join(want, " "))
		}
	})
}

func openCallBefore(c *msg.Conversation, result msg.Ref, id string, taken map[msg.Ref]msg.Ref) (msg.Ref, bool) {
	for m := result.Message; m >= 0; m-- {
		for b := range c.Messages[m].Blocks {
			if m == result.Message && b >= result.Block {
				break
			}
			block := c.At(msg.Ref{Message: m, Block: b})
			if _, gone := taken[msg.Ref{Message: m, Block: b}]; block.Kind == msg.KindToolUse && block.ID == id && !gone {
				return msg.Ref{Message: m, Block: b}, true
			}
		}
	}
	return msg.Ref{}, false
}

func TestToolName(t *testing.T) {
	c := convtest.FromWords(msg.Anthropic, `u =hi a !1 u ?1 ?2`)
	p := msg.Pair(c)
	require.Equal(t, "run", p.ToolName(c, msg.Ref{Message: 2, Block: 0}), "of the call")
	require.Equal(t, "unknown", p.ToolName(c, msg.Ref{Message: 2, Block: 1}))
	c.Messages[1].Blocks[0].Name = ""
	require.Equal(t, "unknown", p.ToolName(c, msg.Ref{Message: 2, Block: 0}), "of a call that says no name")
	c.Messages[2].Blocks[0].Name = "bash"
	require.Equal(t, "bash", p.ToolName(c, msg.Ref{Message: 2, Block: 0}), "of the result, where its call says none")
	c.Messages[2].Blocks[1].Name = "grep"
	require.Equal(t, "grep", p.ToolName(c, msg.Ref{Message: 2, Block: 1}), "of the result itself")
}

func TestC5OpenRound(t *testing.T) {
	for in, want := range map[string]int{
		`u =hi`:                        1,
		`u =hi a !1`:                   1,
		`u =hi a !1 u ?1`:              1,
		`u =hi a !1 !2 u ?1`:           1,
		`u =hi a !1 u ?1 a =done`:      4,
		`u =hi a !1 u ?1 a =done u =x`: 5,
		`u =hi a !1 u ?1 a ~ !2 u ?2`:  3,
		`u =hi a $1 %1 "x"`:            2,
		``:                             0,
		`u =hi a !1 t ?1 a !2 !3 t ?2`: 3,
	} {
		require.Equal(t, want, msg.OpenRound(convtest.FromWords(msg.Anthropic, in)), in)
	}
}
