package apply_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
)

// No region reaches into what the policy keeps, with the messages archived and in order.
func TestApplyRefusesARegionOfKeptMessages(t *testing.T) {
	c := parse(t, talk(20))
	for _, preset := range []string{"turns", "critical"} {
		p, err := policy.Preset(preset)
		require.NoError(t, err)
		plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
		require.NoError(t, err)
		require.NotEmpty(t, plan.Regions)
		last := &plan.Regions[len(plan.Regions)-1]
		last.Spans[len(last.Spans)-1].End = plan.Length
		plan.Archive = []core.Span{{Start: 0, End: plan.Length}}
		_, err = core.Apply(c, "", p, core.Env{Force: true}, plan, answerAll(plan, core.SummaryResult{Text: "It went well."}))
		var e *core.Error
		require.ErrorAs(t, err, &e, preset)
		require.Equal(t, msg.BadPlan, e.Code)
		require.Contains(t, e.Msg, "the region contains pinned messages", preset)
	}
}
