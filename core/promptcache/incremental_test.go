package promptcache

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// breakpointsOf returns the breakpoints of a conversation.
func breakpointsOf(c *msg.Conversation) []Breakpoint {
	var all []Breakpoint
	note := func(m Breakpoint, cache *msg.Cache) {
		if cache != nil {
			m.Seconds = Lifetime(cache)
			all = append(all, m)
		}
	}
	for i := range c.Tools {
		note(Breakpoint{Tool: true, Ref: msg.Ref{Message: -1, Block: i}}, c.Tools[i].Cache)
	}
	for i := range c.System {
		note(Breakpoint{System: true, Ref: msg.Ref{Message: -1, Block: i}}, c.System[i].Cache)
	}
	for ref, block := range c.Blocks() {
		at := Breakpoint{Ref: ref}
		for i := range block.Parts {
			note(at, block.Parts[i].Cache)
		}
		note(at, block.Cache)
	}
	note(Breakpoint{Automatic: true}, c.Cache)
	return all
}

// For any conversation that grows in any steps, the breakpoints are those of Rank, and of the earlier messages only
// those that the caller names are read again.
func TestIncrementalAgreesWithRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, string(convtest.Conversation(t, msg.Anthropic)))
		for m := range c.Messages {
			blocks := append([]msg.Block(nil), c.Messages[m].Blocks...)
			for b := range blocks {
				if rapid.IntRange(0, 4).Draw(t, "marked") == 0 {
					blocks[b] = blocks[b].WithCache(&msg.Cache{Type: "ephemeral"})
				}
			}
			c.Messages[m].Blocks = blocks
		}
		unstable := rapid.SliceOfN(rapid.Bool(), len(c.Messages), len(c.Messages)).Draw(t, "unstable")
		asked := map[msg.Ref]int{}
		o := Options{Count: tokens.Chars4, TTL: rapid.SampledFrom([]string{"", FiveMinutes, OneHour}).Draw(t, "ttl"),
			Move:   true,
			Model:  rapid.SampledFrom([]string{"", "claude-opus-5"}).Draw(t, "model"),
			Stable: func(r msg.Ref) bool { asked[r]++; return !unstable[r.Message] }}
		g, err := NewIncremental(c, o)
		require.NoError(t, err)
		slow := o
		slow.Stable = func(r msg.Ref) bool { return !unstable[r.Message] }
		meter := tokens.NewMeter(o.Count, c)
		for n, from := 0, 0; ; {
			head := c.WithMessages(c.Messages[:n:n])
			slow.IdleSec = rapid.SampledFrom([]int{0, 200, 400}).Draw(t, "idle")
			want, err := Rank(head, slow)
			require.NoError(t, err)
			counts := meter.Conversation(head)
			require.Equal(t, breakpointsOf(want.Conversation), g.Rank(head, &counts, from, slow.IdleSec, nil))
			if n == len(c.Messages) {
				break
			}
			from, n = n, rapid.IntRange(n+1, len(c.Messages)).Draw(t, "messages")
		}
		for ref, times := range asked {
			require.LessOrEqual(t, times, 2, "%v: once as a new block, once as a milestone", ref)
		}
	})
}
