package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// The maximum length of the summaries of regions: a share of the replaced tokens, at most half if the share is no
// less, and shorter where they would miss the target together, each by the same share.
func TestBudgetsOfRegions(t *testing.T) {
	const letters = "ucrcrcraucrcraucrcrau" // 2100 tokens; regions of 700, 500 and 500 between the prompts
	rows := []struct {
		why               string
		max, extra, limit int
		want              []int
	}{
		{"a share and some more", 0, 50, 9999, []int{190, 150, 150}},
		{"a size of its own", 100, 50, 9999, []int{100, 100, 100}},
		{"no more than half of a region", 0, 600, 9999, []int{350, 250, 250}},
		{"at the size of a region too", 700, 0, 9999, []int{350, 250, 250}},
		{"exactly what the target leaves", 0, 50, 938, []int{190, 150, 150}},    // 2100 − 1700 stay, and 490 + 3 × 16
		{"each shorter by the same share", 0, 50, 900, []int{160, 123, 123}},    // of 538, 500 are left
		{"no shorter than is worth asking for", 0, 50, 500, []int{60, 60, 60}},  // of 538, 125 are left
		{"no longer than it would be otherwise", 40, 0, 450, []int{40, 40, 40}}, // short as it is
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p, err := policy.Parse("", []byte(`{"preset":"regions","clear":{"enabled":false},"summary":{"granularity":"span"}}`))
			require.NoError(t, err)
			p.Trigger = policy.Triggers{Measure: "counter", Tokens: row.limit}
			p.Pin.RecentTurns, p.Pin.RecentTokens = 0, 0
			p.Summary.MaxTokens, p.Summary.SharePermille, p.Summary.ShareExtra = row.max, 200, row.extra
			plan, err := core.NewPlan(spelled(t, letters), "", p, core.Env{Count: tokens.Chars4, Force: true})
			require.NoError(t, err)
			require.Equal(t, 2100, plan.Before)
			var starts, sizes, budgets []int
			for i, r := range plan.Regions {
				starts, sizes = append(starts, r.Spans[0].Start), append(sizes, r.Tokens)
				budgets = append(budgets, plan.Requests[i].MaxTokens)
			}
			require.Equal(t, []int{700, 500, 500}, sizes, "largest first")
			require.Equal(t, []int{1, 9, 15}, starts, "the older one first")
			require.Equal(t, row.want, budgets)
		})
	}
}
