package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// A compaction by hand (Env.Force) is one step, also where its outcome is above the trigger: the next turn plans
// further.
func TestForcedPlanHasNoNext(t *testing.T) {
	counter, _ := tokens.Lookup("cjk")
	whole := parse(t, session("claude-opus-4-5", 100, 100))
	const length = 1 + 2*40
	p, err := policy.Parse("",
		[]byte(`{"preset":"regions","trigger":{"window":8000,"bufferTokens":0},"pin":{"recentTokens":0,"recentTurns":2}}`))
	require.NoError(t, err)
	for _, forced := range []bool{true, false} {
		env := core.Env{Count: counter, Force: forced}
		plan, err := core.NewPlan(whole.WithMessages(whole.Messages[:length:length]), "", p, env)
		require.NoError(t, err)
		require.Equal(t, forced, plan.Trigger.Kind == "manual")
		out, err := core.Apply(whole, "", p, core.Env{Count: counter}, plan,
			answerAll(plan, core.SummaryResult{Text: "They read on."}))
		require.NoError(t, err)
		ahead, err := core.NewPlan(out.Conversation, out.State, p, core.Env{Count: counter})
		require.NoError(t, err)
		require.NotEmpty(t, ahead.Requests, "there is more to ask for")
		require.Equal(t, forced, out.Next == nil)
	}
}
