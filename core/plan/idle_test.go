package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// A plan that does nothing says why, in words that a page can show.
func TestNothingToDoSaysWhy(t *testing.T) {
	const safe = "every block is protected, short, or already cleared"
	rows := []struct {
		why, policy, letters string
		force                bool
		want                 string
	}{
		{"clearing waits", `{"preset":"clear_tool_uses","clear":{"triggerTokens":5000}}`, "uau", false,
			"waiting: 300 now, acts above 5000"},
		{"and knows what it would protect", `{"preset":"clear_tool_uses","clear":{"triggerTokens":5000}}`, "ucrau", false,
			safe + "; acts above 5000, now 500"},
		{"clearing is due", `{"preset":"clear_tool_uses","clear":{"triggerTokens":100}}`, "ucrau", false, safe},
		{"nothing to clear", `{"preset":"clear_tool_uses"}`, "uau", true, "the policy has no rule for any block"},
		{"summaries wait", `{"preset":"turns","trigger":{"measure":"counter","window":4000}}`, "uauaua", false,
			"waiting: 600 now, acts above 3000"},
		{"summaries wait for the hard limit alone",
			`{"preset":"turns","trigger":{"measure":"counter","window":4000,"softPermille":0,"hardPermille":900,"bufferTokens":100}}`,
			"uauaua", false, "waiting: 600 now, acts above 3500"},
		{"no summary came", `{"preset":"turns","pin":{"keepTurns":1},"summary":{"maxTokens":10}}`, "uauaua", true,
			"no request has a usable summary, and the target is met without one"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p, err := policy.Parse("", []byte(row.policy))
			require.NoError(t, err)
			c := spelled(t, row.letters)
			env := core.Env{Count: tokens.Chars4, Force: row.force}
			plan, err := core.NewPlan(c, "", p, env)
			require.NoError(t, err)
			require.Empty(t, plan.Edits)
			out, err := core.Apply(c, "", p, env, plan, nil)
			require.NoError(t, err)
			require.Same(t, c, out.Conversation)
			last := out.Actions[len(out.Actions)-1]
			require.Equal(t, core.Action{Kind: "none", Before: out.Before, After: out.Before, Reason: row.want}, last)
			require.Equal(t, 100*len(row.letters), out.Before)
			require.False(t, strings.HasSuffix(last.Reason, " 0"))
		})
	}
}
