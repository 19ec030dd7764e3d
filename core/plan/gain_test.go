package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// A compaction that frees little waits, because it breaks the cache entry at every call; but not by the user's command,
// and not where no provider caches.
func TestSmallGainWaits(t *testing.T) {
	const preset = `{"preset":"turns","pin":{"keepTurns":23},"summary":{"maxTokens":20},` +
		`"trigger":{"measure":"counter","softPermille":800,"window":`
	talk := func(messages int) string { return strings.Repeat("a", messages) + "u" }
	for _, row := range []struct {
		why, policy, letters string
		force                bool
		kind, waits          string
	}{
		{"frees 464 of 6,000 tokens", preset + `6000}}`, talk(50), false, "none",
			"a compaction would free 464 tokens, at least 480 are worth it"},
		{"frees enough", preset + `6000,"minGainPermille":70}}`, talk(50), false, "soft", ""},
		{"any gain is enough", preset + `6000,"minGainPermille":0}}`, talk(50), false, "soft", ""},
		{"the user asks for it", preset + `6000}}`, talk(50), true, "manual", ""},
		{"too short for a cache", preset + `4500}}`, talk(38), false, "soft", ""},
	} {
		t.Run(row.why, func(t *testing.T) {
			p, err := policy.Parse("", []byte(row.policy))
			require.NoError(t, err)
			plan, err := core.NewPlan(spelled(t, row.letters), "", p, core.Env{Count: tokens.Chars4, Force: row.force})
			require.NoError(t, err)
			require.Equal(t, row.kind, plan.Trigger.Kind)
			waits := ""
			for _, w := range plan.Warnings {
				if w.Code == "compaction_waits" {
					waits = w.Message
				}
			}
			require.Equal(t, row.waits, waits)
		})
	}
}
