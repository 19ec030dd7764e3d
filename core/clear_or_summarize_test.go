package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// Where one summary frees enough, a policy that clears in steps clears nothing in the same step, and each result says
// why it stays.
func TestSummariesFreeEnough(t *testing.T) {
	c := spelled(t, "ucrcraucrcrcrcrcrcraua")
	p, err := policy.Parse("",
		[]byte(`{"preset":"balanced","clear":{"keepRecent":0,"minSavings":0,"when":""},"pin":{"recentTokens":0,"recentTurns":1}}`))
	require.NoError(t, err)
	p.Summary.MaxTokens = 50
	p.Trigger = policy.Triggers{Measure: "counter", Tokens: 1800, Window: 200_000}
	plan, err := core.NewPlan(c, "", p, core.Env{Count: tokens.Chars4})
	require.NoError(t, err)
	require.Len(t, plan.Regions, 2)
	require.Empty(t, plan.Edits)
	reasons := map[string]int{}
	for _, a := range plan.Decisions {
		reasons[a.Reason]++
	}
	require.Equal(t, 4, reasons["not needed: the summaries free enough"])
	require.Equal(t, 4, reasons["replaced by a summary"])
}
