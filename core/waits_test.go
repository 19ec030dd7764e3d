package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/policy"
)

// The limit that a policy waits for has its name and number in every trigger: fired, forced, waiting or acting at every
// turn.
func TestWaitsFor(t *testing.T) {
	long := `[{"role":"user","content":"Look at the list."},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one two three four five six seven eight nine ten"}]},` +
		`{"role":"assistant","content":"Ten files."},{"role":"user","content":"Which is the first?"}]`
	rows := []struct {
		why, preset, policy string
		force               bool
		kind, waits         string
		limit               int
	}{
		{"below the soft limit", "balanced", `{"trigger":{"window":100000,"softPermille":500,"reserveOutput":0}}`, false,
			"none", "soft", 50_000},
		{"below a fixed size", "s06", `{"clear":{"enabled":false}}`, false, "none", "tokens", 50_000},
		{"clearing at every turn, summaries wait", "s06", `{"clear":{"keepRecent":0,"minChars":1}}`, false, "every_turn",
			"tokens", 50_000},
		{"fired", "s06", `{"trigger":{"tokens":5}}`, false, "tokens", "tokens", 5},
		{"forced", "s06", `{}`, true, "manual", "tokens", 50_000},
		{"clearing waits for calls", "clear_tool_uses", `{"clear":{"triggerTokens":0,"triggerToolUses":7}}`, false, "none",
			"tool_uses", 7},
		{"clearing that waits, forced", "clear_tool_uses", `{"clear":{"triggerTokens":0,"triggerToolUses":7}}`, true,
			"manual", "tool_uses", 7},
		{"room for the answer", "s06",
			`{"clear":{"enabled":false},"trigger":{"tokens":0,"window":9000,"reserveOutput":1000}}`, false, "none", "overflow",
			8000},
		{"summaries are not worth it, clearing is", "balanced", `{"trigger":{"window":160,"softPermille":500},"clear":` +
			`{"keepRecent":0,"minChars":1,"minSavings":0,"protectTokens":0},"pin":{"recentTurns":0,"recentTokens":0}}`, false,
			"economic", "soft", 80},
		{"nothing to wait for", "clear_thinking", `{}`, false, "every_turn", "", 0},
	}
	c := parse(t, long)
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p, err := policy.Parse(row.preset, []byte(row.policy))
			require.NoError(t, err)
			plan, err := core.NewPlan(c, "", p, core.Env{Force: row.force})
			require.NoError(t, err)
			require.Equal(t, []any{row.kind, row.waits, row.limit},
				[]any{plan.Trigger.Kind, plan.Trigger.WaitsFor, plan.Trigger.WaitsLimit})
			require.Equal(t, row.waits != "", plan.Trigger.WaitsUsed > 0)
		})
	}
}

// The limit is the policy's: it is the same for every conversation of a model and in a session.
func TestWaitsForDependsOnThePolicyOnly(t *testing.T) {
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		p, env := drawPolicy(t), drawEnv(t)
		c := parse(t, string(convtest.Conversation(t, name)))
		plan := planOrOverflow(t, c, "", p, env)
		env.Force = false
		short := planOrOverflow(t, c.WithMessages(nil), "", p, env)
		require.Equal(t, short.Trigger.WaitsFor, plan.Trigger.WaitsFor)
		require.Equal(t, short.Trigger.WaitsLimit, plan.Trigger.WaitsLimit)

		session, err := core.NewSession(c, "", p, env.Count)
		require.NoError(t, err)
		turn := session.Turn(env)
		if again, err := core.NewPlan(c, "", p, env); err == nil {
			require.Equal(t, again.Trigger, turn.Trigger)
		}
	})
}
