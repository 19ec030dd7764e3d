package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
)

// In invalid input a user's result can answer a call that the provider runs. The call's input is never cleared, and
// Apply accepts the plan.
func TestClearingKeepsTheInputOfAServerCall(t *testing.T) {
	c := parse(t, `[{"role":"user","content":"Search."},
		{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"a long query about many things"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"s1","content":"a result that is long enough to be cleared by the policy"}]},
		{"role":"assistant","content":"Done."},{"role":"user","content":"Thanks."},{"role":"assistant","content":"Good."}]`)
	p, err := policy.Parse("",
		[]byte(`{"preset":"harness","clear":{"keepRecent":0,"minChars":0,"clearToolInputs":["*"]}}`))
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	for _, e := range plan.Edits {
		require.NotEqual(t, "clear_input", string(e.Kind))
	}
	require.NotEmpty(t, plan.Edits, "the result itself is cleared")
	_, err = core.Apply(c, "", p, core.Env{}, plan, nil)
	require.NoError(t, err)
}
