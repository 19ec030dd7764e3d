package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The promise of the default preset without a model, on a sample of real sessions: a fifth of the size keeps three
// quarters of the names that the agent uses next. TestTables measures all sessions, and the context of the names.
func TestRecallOfASample(t *testing.T) {
	recall, budget := []int{}, []int{}
	for _, s := range load(t, "data", "kimi-cli") {
		for _, k := range cutsOf(s) {
			if k.short {
				continue
			}
			after, _, step := compact(t, k.c, "", withTarget(preset(t), k.tokens/5))
			f := k.r.find(k.r.read(text(after.Messages)), k.originals)
			recall = append(recall, share(len(f.present), len(k.used)))
			budget = append(budget, share(step.after, k.tokens))
		}
	}
	if len(recall) == 0 { // another corpus
		return
	}
	require.GreaterOrEqual(t, mean(recall), 750)
	require.LessOrEqual(t, percentile(budget, 50), 255)
}
