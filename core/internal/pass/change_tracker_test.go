package pass_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// NothingToDo is true if and only if the passes over the whole conversation edit nothing.
func TestWatchSaysWhatThePassesSay(t *testing.T) {
	quiet := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")))
		pick := func(name string, from ...int) int { return rapid.SampledFrom(from).Draw(t, name) }
		odd := rapid.Bool().Draw(t, "was")
		w := pass.ChangeTracker{
			Clear: pass.Clear{Enabled: true, ConsumedOnly: rapid.Bool().Draw(t, "consumed"),
				Sticky:     rapid.Bool().Draw(t, "sticky"),
				KeepRecent: pick("recent", 0, 0, 1, 3), MinChars: pick("chars", 0, 10, 100),
				ProtectTokens:    pick("protect", 0, 0, 1, 20, 500),
				ProtectExchanges: pick("exchanges", 0, 0, 1, 2), MinSavings: pick("savings", 0, 0, 1, 20, 500),
				TriggerTokens:   pick("tokens", 0, 0, 500),
				TriggerToolUses: pick("uses", 0, 0, 2), ClearAtLeast: pick("least", 0, 0, 20, 200),
				Placeholder: marker.PlaceholderUsed,
				Was:         func(_ msg.Ref, b *msg.Block) bool { return odd && len(b.Text)%5 == 1 }},
			Intake:   pass.Intake{MaxBytes: pick("bytes", 0, 0, 0, 600), MaxChars: pick("input", 0, 0, 0, 600)},
			Thinking: pass.Thinking{KeepTurns: pick("turns", 0, 0, 1, 2)},
			Window:   pass.Window{RecentTurns: pick("window", 0, 1, 2), RecentTokens: pick("windowTokens", 0, 20, 500)},
		}
		if rapid.Bool().Draw(t, "tools") {
			w.Clear.KeepTools = []string{"bash", "read_file"}
		}
		ref := func(string) string { return "0123456789abcdef" }
		for at := 0; at < len(c.Messages); {
			at = rapid.IntRange(at+1, len(c.Messages)).Draw(t, "at")
			in := input(c.WithMessages(c.Messages[:at]), tokens.Estimate)
			w.Add(in, ref)
			clear := w.Clear
			clear.Before = w.Window.Start(in)
			want := true
			for _, d := range append(append(clear.Run(in), w.Intake.Run(in, ref)...), w.Thinking.Run(in)...) {
				want = want && d.Edit == nil
			}
			require.Equal(t, want, w.NothingToDo(in, nil), "after %d messages", at)
			quiet[want]++
		}
	})
	require.Positive(t, min(quiet[true], quiet[false]), "both were seen: %v", quiet)
}
