package plan_test

import (
	"fmt"
	"strings"
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
	require.Equal(t, 4, reasons["not needed: summaries or cuts free enough"])
	require.Equal(t, 4, reasons["replaced by a summary"])
}

// Where cuts alone reach the target, the results keep their best lines: none is cleared for it, which would leave half
// of the target empty.
func TestCutsFreeEnough(t *testing.T) {
	var out strings.Builder
	out.WriteString(`[{"role":"user","content":"Compare the parts."}`)
	for i := range 33 {
		result := ""
		for line := range 40 {
			result += fmt.Sprintf("part %d holds value_%d_%d at the place %d of its table, next to the others\\n", i, i, line, line*i)
		}
		fmt.Fprintf(&out, `,{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"read","input":{"path":"part_%d.md"}}]}`, i, i)
		fmt.Fprintf(&out, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}`, i, result)
	}
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = 32_000
	plan, err := core.NewPlan(parse(t, out.String()+"]"), "", p, core.Env{Count: tokens.Chars4, IdleSec: 3600})
	require.NoError(t, err)
	require.Empty(t, plan.Regions)
	require.NotEmpty(t, plan.Edits)
	for i := range plan.Edits {
		require.Contains(t, plan.Edits[i].Text, "omitted; original")
	}
	require.Greater(t, plan.After, plan.Target*9/10)      // nothing is cleared in excess
	require.LessOrEqual(t, plan.After, plan.Target*21/20) // the target, and 5 % for the lines of the cuts
}
