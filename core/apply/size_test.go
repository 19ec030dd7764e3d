package apply_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
)

// A plan that says its regions are larger than they are does not make a conversation grow.
func TestPlanWithLargerRegions(t *testing.T) {
	message := `{"role":"user","content":"Please look at it again."},{"role":"assistant","content":"I looked at it again."},`
	c := parse(t, "["+strings.Repeat(message, 8)+`{"role":"user","content":"Go on."}]`)
	for _, name := range []string{"turns", "s06", "balanced", "hierarchical"} {
		p, err := policy.Parse(name,
			[]byte(`{"pin":{"keepTurns":1,"recentTurns":0,"recentTokens":0},"trigger":{"window":1000}}`))
		require.NoError(t, err)
		p.Summary.ChunkMessages = min(p.Summary.ChunkMessages, 4)
		plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
		require.NoError(t, err)
		for i := range plan.Regions {
			plan.Regions[i].Tokens = 100_000
		}
		var results []core.SummaryResult
		for i := range plan.Requests {
			plan.Requests[i].MaxTokens = 50_000
			text := strings.Repeat("It went on and on. ", 300)
			results = append(results, core.SummaryResult{ID: plan.Requests[i].ID, Text: text})
		}
		out, err := core.Apply(c, "", p, core.Env{}, plan, results)
		require.NoError(t, err)
		require.LessOrEqual(t, out.After, out.Before, name)
	}
}
