package pass_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// What a session asks at every turn, over the work of an agent that calls tools: a watch that saw the messages as they came is
// quiet exactly where the passes, over everything, edit nothing. A rule for inputs may only make it less quiet.
func TestWatchOfWork(t *testing.T) {
	quiet := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := work(t)
		pick := func(name string, from ...int) int { return rapid.SampledFrom(from).Draw(t, name) }
		odd := rapid.Bool().Draw(t, "was")
		w := pass.Watch{
			Clear: pass.Clear{Enabled: pick("enabled", 0, 1, 1, 1, 1, 1) == 1, ConsumedOnly: rapid.Bool().Draw(t, "consumed"),
				Sticky: rapid.Bool().Draw(t, "sticky"), KeepRecent: pick("recent", 0, 0, 1, 2, 3), MinChars: pick("chars", 0, 0, 10, 24, 100),
				ProtectTokens: pick("protect", 0, 0, 1, 3, 25, 100, 400), ProtectExchanges: pick("exchanges", 0, 0, 1, 2, 3),
				MinSavings: pick("savings", 0, 0, 1, 3, 25, 100, 400), TriggerTokens: pick("tokens", 0, 0, 50, 200),
				TriggerToolUses: pick("uses", 0, 0, 1, 2, 4), ClearAtLeast: pick("least", 0, 0, 1, 4, 24, 100),
				Placeholder: rapid.SampledFrom([]string{pass.PlaceholderUsed, "[gone]", ""}).Draw(t, "placeholder")},
			Intake:   pass.Intake{MaxBytes: pick("bytes", 0, 0, 0, 0, 300), MaxChars: pick("input", 0, 0, 0, 0, 300)},
			Thinking: pass.Thinking{KeepTurns: pick("turns", 0, 0, 0, 1, 2, 3)},
			Window:   pass.Window{RecentTurns: pick("window", 0, 1, 2), RecentTokens: pick("windowTokens", 0, 0, 20, 200)},
		}
		if rapid.Bool().Draw(t, "memory") {
			w.Clear.Was = func(b *msg.Block) bool { return odd && len(b.Text)%2 == 1 }
		}
		if rapid.IntRange(0, 2).Draw(t, "tools") == 0 {
			w.Clear.KeepTools = []string{"bash"}
		}
		if rapid.IntRange(0, 4).Draw(t, "inputs") == 0 {
			w.Clear.ClearToolInputs = []string{"edit"}
		}
		calls := 0
		for at := 0; at < len(c.Messages); {
			from := at
			at = min(len(c.Messages), at+rapid.IntRange(1, 3).Draw(t, "step"))
			for _, message := range c.Messages[from:at] {
				for _, b := range message.Blocks {
					if b.Kind == msg.KindToolUse && !b.Server {
						calls++
					}
				}
			}
			in := input(c.WithMessages(c.Messages[:at]), charCounter)
			w.Add(in, archived)
			clear := w.Clear
			clear.Before = w.Window.Start(in)
			want := true
			for _, d := range append(append(clear.Run(in), w.Intake.Run(in, archived)...), w.Thinking.Run(in)...) {
				want = want && d.Edit == nil
			}
			have := w.Quiet(in)
			if len(w.Clear.ClearToolInputs) == 0 {
				require.Equal(t, want, have, "after %d messages", at)
			} else if have {
				require.True(t, want, "after %d messages", at)
			}
			require.Equal(t, calls, w.Uses())
			quiet[want]++
		}
	})
	require.Greater(t, min(quiet[true], quiet[false]), 10, "both were seen: %v", quiet)
}
