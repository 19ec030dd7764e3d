package pass_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// What a session asks at every turn, over the work of an agent that calls tools: a watch that saw the messages as they
// came is quiet exactly where the passes, over everything, edit nothing. A rule for inputs may only make it less quiet.
func TestWatchOfWork(t *testing.T) {
	quiet := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := work(t)
		var ins []*pass.Input // after some of the messages, in order
		for at := 0; at < len(c.Messages); {
			at = min(len(c.Messages), at+rapid.IntRange(1, 3).Draw(t, "step"))
			ins = append(ins, input(c.WithMessages(c.Messages[:at]), charCounter))
		}
		for range 20 { // a policy costs less than a conversation
			w := drawTracker(t)
			for _, in := range ins {
				w.Add(in, archived)
				clear := w.Clear
				clear.Before = w.Window.Start(in)
				want := true
				for _, d := range append(append(clear.Run(in), w.Intake.Run(in, archived)...), w.Thinking.Run(in)...) {
					want = want && d.Edit == nil
				}
				have := w.NothingToDo(in, nil)
				if len(w.Clear.ClearToolInputs) == 0 {
					require.Equal(t, want, have, "after %d messages", len(in.Conversation.Messages))
				} else if have {
					require.True(t, want, "after %d messages", len(in.Conversation.Messages))
				}
				quiet[want]++
			}
			require.Equal(t, calls(c), w.Uses())
		}
	})
	require.Positive(t, min(quiet[true], quiet[false]), "both were seen: %v", quiet)
}

// drawTracker draws a policy. Each rule is off most of the time, since rules hide one another.
func drawTracker(t *rapid.T) pass.ChangeTracker {
	some := func(name string, from ...int) int {
		if rapid.IntRange(0, 3).Draw(t, name+" is on") > 0 {
			return 0
		}
		return rapid.SampledFrom(from).Draw(t, name)
	}
	w := pass.ChangeTracker{
		Clear: pass.Clear{Enabled: some("off", 0, 1) == 0, ConsumedOnly: some("consumed", 1) == 1,
			Sticky:     some("sticky", 1) == 1,
			KeepRecent: some("recent", 1, 2, 3), MinChars: some("chars", 10, 24, 100),
			ProtectTokens:    some("protect", 1, 3, 6, 25, 50, 100),
			ProtectExchanges: some("exchanges", 1, 2, 3), MinSavings: some("savings", 1, 3, 6, 25, 50, 100),
			TriggerTokens: some("tokens", 50, 200), TriggerToolUses: some("uses", 1, 2, 4),
			ClearAtLeast: some("least", 1, 2, 5, 24, 48, 100),
			Placeholder:  rapid.SampledFrom([]string{marker.PlaceholderUsed, "[gone]", ""}).Draw(t, "placeholder")},
		Intake:   pass.Intake{MaxBytes: some("bytes", 0, 300), MaxChars: some("input", 0, 300)},
		Thinking: pass.Thinking{KeepTurns: some("turns", 1, 2, 3)},
		Window:   pass.Window{RecentTurns: some("window", 1, 2), RecentTokens: some("windowTokens", 20, 200)},
	}
	if odd := some("memory", 1, 2); odd > 0 {
		w.Clear.Was = func(_ msg.Ref, b *msg.Block) bool { return odd == 1 && len(b.Text)%2 == 1 }
	}
	if some("keepTools", 1) == 1 {
		w.Clear.KeepTools = []string{"bash"}
	}
	if some("inputs", 0, 1) == 1 {
		w.Clear.ClearToolInputs = []string{"edit"}
	}
	return w
}

// calls counts what the host has to answer.
func calls(c *msg.Conversation) (n int) {
	for _, b := range c.Blocks() {
		if b.Kind == msg.KindToolUse && !b.Server {
			n++
		}
	}
	return n
}

// With ClearToolInputs the tracker does not count the tokens that inputs free, so it reports a change that the pass may
// not make.
func TestWatchWithInputsIsTooEarly(t *testing.T) {
	in := input(rounds(t, "a100 a100 ."), charCounter)
	w := pass.ChangeTracker{Clear: pass.Clear{Enabled: true, Placeholder: "[gone]", ClearAtLeast: 50,
		ClearToolInputs: []string{"a"}}}
	w.Add(in, archived)
	require.False(t, w.NothingToDo(in, nil), "48 tokens of results, and the input of a call")
	require.Equal(t, pass.ClearInput, w.Clear.Run(in)[0].Edit.Kind)
	w.Clear.KeepRecent = 2
	require.True(t, w.NothingToDo(in, nil), "both results are protected")
}
