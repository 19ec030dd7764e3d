package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
)

// With a target, the summaries of whole and tail take at most what the kept messages leave of it; without one, the
// published maximum holds.
func TestSummariesOfWholeAndTailMeetTheTarget(t *testing.T) {
	var messages []string
	for range 60 {
		messages = append(messages, `{"role":"user","content":"`+strings.Repeat("How is it going? ", 30)+`"}`,
			`{"role":"assistant","content":"`+strings.Repeat("It goes well. ", 40)+`"}`)
	}
	c := parse(t, "["+strings.Join(messages, ",")+"]")
	for _, name := range []string{"harness", "turns"} {
		p, err := policy.Preset(name)
		require.NoError(t, err)
		plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
		require.NoError(t, err)
		require.Len(t, plan.Requests, 1)
		published := plan.Requests[0].MaxTokens
		require.Equal(t, p.Summary.MaxTokens, published, name)
		p.Trigger.Window, p.Trigger.TargetPermille = plan.Before, 50
		p.Trigger.SoftPermille = 500
		p.Trigger.Measure = "counter"
		plan, err = core.NewPlan(c, "", p, core.Env{})
		require.NoError(t, err)
		require.Len(t, plan.Requests, 1, name)
		// targetPermille 50; 100 for the label. The user's words have room of their own.
		require.LessOrEqual(t, plan.After-plan.Regions[0].Words, plan.Before/20+100, name)
		p.Trigger.Window *= 100
		plan, err = core.NewPlan(c, "", p, core.Env{Force: true})
		require.NoError(t, err)
		require.LessOrEqual(t, plan.Requests[0].MaxTokens, published, name)
	}
}
