package msg

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPair(t *testing.T) {
	for _, row := range []struct{ name, in, pairs, why string }{
		{"by id", `u =hi a !1 !2 u ?2 ?1`, `1.0>2.1 1.1>2.0`, "order does not matter"},
		{"C22 an id again", `u =hi a !1 u ?1 a !1 u ?1`, `1.0>2.0 3.0>4.0`, "by occurrence"},
		{"the newest call", `u =hi a !1 u =x a !1 u ?1`, `3.0>4.0`, "the older one was never answered"},
		{"twice in a message", `u =hi a !1 !1 u ?1 ?1`, `1.0>2.0 1.1>2.1`, "the first call first"},
		{"twice in a message and before", `u =hi a !1 a !1 !1 u ?1 ?1 ?1 ?1`, `1.0>3.2 2.0>3.0 2.1>3.1`, "newest message first; the fourth answers nothing"},
		{"a result before its call", `u ?1 a !1`, ``, "time does not run backwards"},
		{"a server pair", `u =hi a $1 %1`, `1.0>1.1`, "within one message"},
		{"openai", `u =hi a !1 !2 t ?1 t ?2 a !1 t ?1`, `1.0>2.0 1.1>3.0 4.0>5.0`, "a message each"},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.pairs, pairs(conversation(Anthropic, row.in), Pair(conversation(Anthropic, row.in))), row.why)
		})
	}
}

func pairs(c *Conversation, p Pairing) string {
	var out []string
	for m := range c.Messages {
		for b := range c.Messages[m].Blocks {
			if r, ok := p.Result(Ref{m, b}); ok {
				out = append(out, fmt.Sprintf("%d.%d>%d.%d", m, b, r.Message, r.Block))
				if call, ok := p.Call(r); !ok || call != (Ref{m, b}) {
					out = append(out, "one-sided")
				}
			}
		}
	}
	return strings.Join(out, " ")
}

// The slow twin: each result in turn looks back over everything.
func TestPairEqualsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := conversation(Anthropic, randomWords(t))
		var want []string
		taken := map[Ref]Ref{}
		for m := range c.Messages {
			for b := range c.Messages[m].Blocks {
				if block := c.At(Ref{m, b}); block.Kind == KindToolResult {
					if call, ok := openCallBefore(c, Ref{m, b}, block.ID, taken); ok {
						taken[call] = Ref{m, b}
					}
				}
			}
		}
		for m := range c.Messages {
			for b := range c.Messages[m].Blocks {
				if r, ok := taken[Ref{m, b}]; ok {
					want = append(want, fmt.Sprintf("%d.%d>%d.%d", m, b, r.Message, r.Block))
				}
			}
		}
		if got := pairs(c, Pair(c)); got != strings.Join(want, " ") {
			t.Fatalf("%s: %s, not %s", words(c), got, strings.Join(want, " "))
		}
	})
}

func openCallBefore(c *Conversation, result Ref, id string, taken map[Ref]Ref) (Ref, bool) {
	for m := result.Message; m >= 0; m-- {
		for b := range c.Messages[m].Blocks {
			if m == result.Message && b >= result.Block {
				break
			}
			block := c.At(Ref{m, b})
			if _, gone := taken[Ref{m, b}]; block.Kind == KindToolUse && block.ID == id && !gone {
				return Ref{m, b}, true
			}
		}
	}
	return Ref{}, false
}

// randomWords draws any conversation at all, mostly nonsense.
func randomWords(t *rapid.T) string {
	word := rapid.SampledFrom(strings.Fields(`u u a a a s t t f d robot "x" "" =x = !1 !1 !2 !3 ?1 ?1 ?2 ?3 ? ! $1 %1 $2 ~ img comp new @5 @60 !fn:fn ?fn`))
	out := []string{rapid.SampledFrom([]string{"u", "a", "t"}).Draw(t, "first")}
	for range rapid.IntRange(0, 40).Draw(t, "words") {
		w := word.Draw(t, "word")
		if last := out[len(out)-1]; w[0] == '@' && !strings.ContainsAny(last[:1], `"!?~`) {
			continue // a breakpoint is on a block
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

func TestToolName(t *testing.T) {
	c := conversation(Anthropic, `u =hi a !1 u ?1 ?2`)
	p := Pair(c)
	require.Equal(t, "run", p.ToolName(c, Ref{2, 0}), "of the call")
	require.Equal(t, "unknown", p.ToolName(c, Ref{2, 1}))
	c.Messages[1].Blocks[0].Name = ""
	require.Equal(t, "unknown", p.ToolName(c, Ref{2, 0}), "of a call that says no name")
	c.Messages[2].Blocks[0].Name = "bash"
	require.Equal(t, "bash", p.ToolName(c, Ref{2, 0}), "of the result, where its call says none")
	c.Messages[2].Blocks[1].Name = "grep"
	require.Equal(t, "grep", p.ToolName(c, Ref{2, 1}), "of the result itself")
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
		require.Equal(t, want, OpenRound(conversation(Anthropic, in)), in)
	}
}
