package pass_test

import (
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/tokens"
)

// slowFree says which messages before end may go: start from all that need not stay, and as long as any pair has one
// half among them and the other half not in the same unbroken run, give that message back.
func slowFree(in *pass.Input, end int, keep func(int) bool) []bool {
	c := in.Conversation
	free := make([]bool, len(c.Messages))
	for m := range end {
		free[m] = !keep(m)
	}
	sameRun := func(a, b int) bool {
		for m := min(a, b); m <= max(a, b); m++ {
			if !free[m] {
				return false
			}
		}
		return true
	}
	for {
		back := -1
		for m := range c.Messages {
			if free[m] && (m == 0 || !free[m-1]) && parts(in, m) { // a summary here would come between a call and its result
				back = m
			}
			for b := range c.Messages[m].Blocks {
				ref := msg.Ref{Message: m, Block: b}
				// of a result its call, and of what a program called the program
				for _, partner := range []func(msg.Ref) (msg.Ref, bool){in.Pairing.Call, in.Pairing.Origin} {
					call, ok := partner(ref)
					if !ok || !free[m] && !free[call.Message] || sameRun(m, call.Message) {
						continue
					}
					if back = m; !free[m] {
						back = call.Message
					}
				}
			}
		}
		if back < 0 {
			return free
		}
		free[back] = false
	}
}

// Regions of whole messages are the slow twin's, maximal, and never part a pair.
func TestSpanRegionsAgreeWithTheirSlowTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := workOrAny(t)
		in := input(c, tokens.Chars4)
		end := rapid.IntRange(0, len(c.Messages)).Draw(t, "end")
		start := rapid.IntRange(0, end).Draw(t, "start")
		kept := rapid.SliceOfN(rapid.IntRange(0, 3), len(c.Messages), len(c.Messages)).Draw(t, "kept")
		keep := func(m int) bool { return kept[m] == 0 || m < start }
		var want []pass.Region
		for m, free := range slowFree(in, end, keep) {
			if size := in.Counts.Messages[m].Tokens; free && len(want) > 0 && want[len(want)-1].Span.End == m {
				last := &want[len(want)-1]
				last.Span.End, last.Tokens = m+1, last.Tokens+size
			} else if free {
				want = append(want, pass.Region{Span: msg.Span{Start: m, End: m + 1}, Tokens: size})
			}
		}
		require.Equal(t, want, pass.SpanRegions(in, start, end, keep))
	})
}

// A cut is safe if and only if no pair is on both sides of it, and SafeCut only moves it back.
func TestSafeCutAgreesWithItsSlowTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")))
		in := input(c, tokens.Chars4)
		cut := rapid.IntRange(0, len(c.Messages)).Draw(t, "cut")
		want := cut
		for parts(in, want) {
			want--
		}
		require.Equal(t, want, pass.SafeCut(in, cut))
		require.Equal(t, want, pass.NewCuts(in).Back(cut))
	})
}

func parts(in *pass.Input, cut int) bool {
	for ref := range in.Conversation.Blocks() {
		if origin, ok := in.Pairing.Origin(ref); ok && origin.Message < cut && ref.Message >= cut {
			return true
		}
	}
	return false
}

// Largest first, the older one on a tie, until the savings reach the needed number: compared with picking the best one
// again and again.
func TestChooseAgreesWithItsSlowTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var regions []pass.Region
		for i := range rapid.IntRange(0, 12).Draw(t, "n") {
			regions = append(regions, pass.Region{Span: msg.Span{Start: i, End: i + 1},
				Tokens: rapid.IntRange(0, 5).Draw(t, "tokens") * 100})
		}
		saving := func(r *pass.Region) int { return r.Tokens*4/5 - 50 }
		needed := rapid.IntRange(-10, 1500).Draw(t, "needed")

		left := append([]pass.Region(nil), regions...)
		var want []pass.Region
		for missing := needed; missing > 0 && len(left) > 0; {
			best := 0
			for i := range left {
				if left[i].Tokens > left[best].Tokens {
					best = i
				}
			}
			if s := saving(&left[best]); s > 0 {
				missing -= s
				want = append(want, left[best])
			}
			left = append(left[:best], left[best+1:]...)
		}

		in := &pass.Input{}
		pass.Rank(in, regions)
		require.Equal(t, want, pass.Choose(regions, needed, saving))
	})
}

// Block regions hold every compactable block before end exactly once, in runs that only a block which stays breaks.
func TestBlockRegions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")))
		in := input(c, tokens.Chars4)
		end := rapid.IntRange(0, len(c.Messages)).Draw(t, "end")
		var want []msg.Ref
		for ref, block := range c.BlocksIn(msg.Span{End: end}) {
			if block.Kind == msg.KindToolResult && !block.Server || inserted(&c.Messages[ref.Message])[ref.Block] {
				want = append(want, ref)
			}
		}
		var have []msg.Ref
		for _, r := range pass.BlockRegions(in, end, func(msg.Ref) bool { return false }) {
			have = append(have, r.Blocks...)
		}
		require.True(t, sort.SliceIsSorted(have, func(i, j int) bool {
			return have[i].Message < have[j].Message || have[i].Message == have[j].Message && have[i].Block < have[j].Block
		}))
		require.Equal(t, want, have)
	})
}

// inserted returns which blocks are text that a program wrote as a whole, by the authors of the parts: also several
// elements in one text.
func inserted(m *msg.Message) []bool {
	all, context := make([]bool, len(m.Blocks)), provenance.Context(0)
	for b := range m.Blocks {
		var spans []provenance.Span
		if m.Blocks[b].Kind != msg.KindText {
			context = 0
			continue
		}
		if spans, context = provenance.SplitNext(m.Blocks[b].Text, context); m.Role != msg.User {
			all[b] = m.Blocks[b].IsInjected()
			continue
		}
		all[b] = len(spans) > 0 && !slices.ContainsFunc(spans, func(s provenance.Span) bool {
			return s.Author != provenance.Program
		})
	}
	return all
}

// Each injected text is a region, however many elements it has.
func TestBlockRegionsOfJoinedReminders(t *testing.T) {
	const reminder = "<system-reminder>keep it short</system-reminder>"
	for text, want := range map[string]int{reminder: 1, reminder + "\n" + reminder: 1, reminder + "\nGo on.": 0,
		"Go on.": 0} {
		message := msg.TextMessage(msg.User, text)
		in := input(&msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{message}}, tokens.Chars4)
		require.Len(t, pass.BlockRegions(in, 1, func(msg.Ref) bool { return false }), want, text)
	}
}

// The recent window: the newest turns, or the newest tokens where they reach further back, and never half a pair.
func TestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")))
		in := input(c, tokens.Chars4)
		w := pass.Window{RecentTurns: rapid.IntRange(0, 4).Draw(t, "turns"),
			RecentTokens: rapid.IntRange(0, 400).Draw(t, "tokens")}
		start := w.Start(in)
		require.False(t, parts(in, start))
		require.LessOrEqual(t, start, msg.OpenRound(c))
		turns, newest := c.Turns(), 0
		for m := range c.Messages {
			if c.Messages[m].Role == msg.Assistant {
				newest = turns[m]
			}
		}
		after := 0 // tokens
		for m := len(c.Messages) - 1; m >= 0; m-- {
			if turns[m] > newest-w.RecentTurns || after < w.RecentTokens {
				require.LessOrEqual(t, start, m, "message %d is recent", m)
			}
			after += in.Counts.Messages[m].Tokens
		}
		if shrunk, ok := pass.NewCuts(in).Shrink(start); ok {
			require.Greater(t, shrunk, start)
			require.LessOrEqual(t, shrunk, msg.OpenRound(c))
			require.False(t, parts(in, shrunk))
		}
	})
}
