package quality_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
)

// compactedBy compacts a cut session with a preset and the extractive summarizer, aiming at a budget in permille.
func compactedBy(t testing.TB, preset string, budget int) func(*cutSession) *msg.Conversation {
	return func(k *cutSession) *msg.Conversation {
		p, err := core.Preset(preset)
		require.NoError(t, err)
		target := k.tokens * budget / 1000
		switch {
		case p.Trigger.TargetPermille > 0:
			p.Trigger.Window = max(target*1000/p.Trigger.TargetPermille, 1000)
			p.Trigger.Tokens, p.Trigger.BufferTokens, p.Trigger.HardPermille = 0, 0, 0
		default:
			p.Summary.MaxTokens = max(target/2, 200)
		}
		env := core.Env{Count: futureCounter(), Force: p.Trigger.TargetPermille == 0}
		c, state := k.before, core.State("")
		plan, err := core.NewPlan(c, state, p, env)
		for rounds := 0; plan != nil && err == nil && rounds < 5; rounds++ {
			results, err := core.Summarize(c, p, env, plan, nil)
			require.NoError(t, err)
			out, err := core.Apply(c, state, p, env, plan, results)
			require.NoError(t, err)
			c, state, plan = out.Conversation, out.State, out.Next
		}
		return c
	}
}

// The promise of the default preset without a model: at a quarter of the size, four fifths of the facts that the agent
// will use again.
func TestBalancedFutureUse(t *testing.T) {
	all := cutSessions(t)
	if len(all) == 0 {
		return
	}
	r := report(t, "balanced", 210, all, compactedBy(t, "balanced", 210))
	require.LessOrEqual(t, r.budget, 250)
	require.GreaterOrEqual(t, r.even, 800)
	require.GreaterOrEqual(t, r.odd, 800)
}

// BenchmarkPresets prints recall by budget for every preset.
func BenchmarkPresets(b *testing.B) {
	all := cutSessions(b)
	for _, preset := range core.PresetNames() {
		for _, budget := range []int{100, 150, 200, 250, 350, 500, 700} {
			report(b, preset, budget, all, compactedBy(b, preset, budget))
		}
	}
}
