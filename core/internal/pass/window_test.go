package pass_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// The window is the least that the policy asks for: turns by their numbers, tokens by their sum, the open round, and
// whole pairs.
func TestWindowAgreesWithItsSlowTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := work(t)
		in := input(c, charCounter)
		w := pass.Window{RecentTurns: rapid.IntRange(0, 4).Draw(t, "turns"),
			RecentTokens: rapid.SampledFrom([]int{0, 1, 2, 3, 25, 26, 27, 100, 400, 9999}).Draw(t, "tokens")}
		turns, last := c.Turns(), 1 // the turn that is about to be
		for m := range c.Messages {
			if c.Messages[m].Role == msg.Assistant {
				last = turns[m] + 1
			}
		}
		want := msg.OpenRound(c)
		for m := len(c.Messages) - 1; m >= 0; m-- {
			sum := 0
			for _, counts := range in.Counts.Messages[m+1:] {
				sum += counts.Tokens // behind the message
			}
			if turns[m] >= last-w.RecentTurns || sum < w.RecentTokens {
				want = min(want, m)
			}
		}
		for parts(in, want) {
			want--
		}
		start := w.Start(in)
		require.Equal(t, want, start)

		// One turn less: the next place behind an assistant message where no pair is parted.
		shrunk, ok := pass.NewCuts(in).Shrink(start)
		next, found := start, false
		seen := false
		for cut := start + 1; cut <= msg.OpenRound(c) && !found; cut++ {
			seen = seen || c.Messages[cut-1].Role == msg.Assistant
			if seen && !parts(in, cut) {
				next, found = cut, true
			}
		}
		require.Equal(t, next, shrunk)
		require.Equal(t, found, ok)
	})
}

// A region has the span of its messages and its blocks.
func TestBlockRegionsSayWhereTheyLie(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := work(t)
		in := input(c, charCounter)
		kept := map[msg.Ref]bool{}
		for ref := range c.Blocks() {
			kept[ref] = rapid.IntRange(0, 4).Draw(t, "kept") == 0
		}
		var want []pass.Region
		open := false
		for ref := range c.Blocks() {
			if kept[ref] || !pass.Compactable(&c.Messages[ref.Message], ref.Block) {
				open = false
				continue
			}
			if !open {
				want = append(want, pass.Region{Span: msg.Span{Start: ref.Message}})
			}
			open = true
			last := &want[len(want)-1]
			last.Span.End = ref.Message + 1
			last.Blocks = append(last.Blocks, ref)
			last.Tokens += in.Counts.Messages[ref.Message].Blocks[ref.Block]
		}
		require.Equal(t, want, pass.BlockRegions(in, len(c.Messages), func(r msg.Ref) bool { return kept[r] }))
	})
}

// Two results in one message are answered together, two results of one call are not a pair.
func TestSpanRegionsOfDistantPairs(t *testing.T) {
	c := parse(t, []byte(`[{"role":"user","content":"Go."},
		{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":{}},{"type":"tool_use","id":"2","name":"a","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"one"}]},
		{"role":"user","content":"Wait."},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"2","content":"two"}]},
		{"role":"assistant","content":"Done."}]`))
	in := input(c, charCounter)
	for kept, want := range map[int][]msg.Span{
		3: {{Start: 0, End: 1}, {Start: 5, End: 6}}, // a kept message is between the halves
		0: {{Start: 1, End: 6}},
	} {
		var have []msg.Span
		for _, r := range pass.SpanRegions(in, 0, len(c.Messages), func(m int) bool { return m == kept }) {
			have = append(have, r.Span)
		}
		require.Equal(t, want, have, "message %d is kept", kept)
	}
}

// Large results go first, small ones last, by the longest block of a region; whole messages are in between.
func TestRankSetsSizesApart(t *testing.T) {
	sizes := []int{1023, 1024, 10 << 10, 10<<10 + 1}
	var messages []string
	for i, n := range sizes {
		messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"%d","name":"a","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"%d","content":"%s"}]}`, i, i, strings.Repeat("x", n)))
	}
	c := parse(t, []byte("["+strings.Join(messages, ",")+"]"))
	at := func(i int) msg.Ref { return msg.Ref{Message: 2*i + 1} }
	small, middle, wide, large := pass.Region{Blocks: []msg.Ref{at(0)}, Tokens: 900},
		pass.Region{Blocks: []msg.Ref{at(1)}, Tokens: 50},
		pass.Region{Blocks: []msg.Ref{at(2)}, Tokens: 60}, pass.Region{Blocks: []msg.Ref{at(3), at(0)}, Tokens: 1}
	whole := pass.Region{Span: msg.Span{Start: 2, End: 3}, Tokens: 55}
	older := pass.Region{Span: msg.Span{Start: 1, End: 2}, Tokens: 55}
	regions := []pass.Region{small, middle, whole, older, wide, large}
	pass.Rank(input(c, charCounter), regions)
	require.Equal(t, []pass.Region{large, wide, older, whole, middle, small}, regions)
}
