package apply_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
)

// A region of blocks that came from outside: each block is there, may be replaced, and is replaced once.
func TestApplyChecksBlocksInPlace(t *testing.T) {
	c := parse(t, session("", 8, 100))
	p, err := policy.Parse("",
		[]byte(`{"preset":"regions","summary":{"granularity":"block"},"trigger":{"window":2000,"bufferTokens":0}}`))
	require.NoError(t, err)
	fresh := func() *core.Plan {
		plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
		require.NoError(t, err)
		require.NotEmpty(t, plan.Regions)
		require.NotEmpty(t, plan.Regions[0].Blocks)
		return plan
	}
	_, err = core.Apply(c, "", p, core.Env{}, fresh(), nil)
	require.NoError(t, err, "as it was made")

	const missing, order, overlap, kind = "a block of the region does not exist",
		"the blocks of the region must be in document order", "the region overlaps another region",
		"a block of the region is neither a tool result nor injected text, or is a summary already"
	rows := []struct {
		why, want string
		change    func(plan *core.Plan, r *core.Region)
	}{
		{"no messages", "the region has no messages", func(_ *core.Plan, r *core.Region) { r.Spans = nil }},
		{"no blocks", "the region has no blocks", func(_ *core.Plan, r *core.Region) { r.Blocks = []msg.Ref{} }},
		{"before its messages", missing, func(_ *core.Plan,
			r *core.Region) {
			r.Blocks = []msg.Ref{{Message: r.Spans[0].Start - 2}}
		}},
		{"the first message behind it", missing, func(_ *core.Plan, r *core.Region) {
			r.Blocks = []msg.Ref{{Message: r.Spans[len(r.Spans)-1].End}}
		}},
		{"far behind it", missing, func(_ *core.Plan, r *core.Region) { r.Blocks = []msg.Ref{{Message: 999}} }},
		{"a negative block", missing, func(_ *core.Plan,
			r *core.Region) {
			r.Blocks = []msg.Ref{{Message: r.Blocks[0].Message, Block: -1}}
		}},
		{"a block off the end", missing, func(_ *core.Plan,
			r *core.Region) {
			r.Blocks = []msg.Ref{{Message: r.Blocks[0].Message, Block: 1}}
		}},
		{"the same block again", order, func(_ *core.Plan,
			r *core.Region) {
			r.Blocks = []msg.Ref{r.Blocks[0], r.Blocks[0]}
		}},
		{"two regions of one block", overlap, func(plan *core.Plan, r *core.Region) {
			again := *r
			again.Requests = nil
			plan.Regions = append(plan.Regions, again)
		}},
		{"a call", kind, func(_ *core.Plan, r *core.Region) {
			r.Spans = []core.Span{{Start: 1, End: 3}}
			r.Blocks = []msg.Ref{{Message: 1, Block: 1}}
		}},
		{"a prompt", kind, func(_ *core.Plan, r *core.Region) {
			r.Spans = []core.Span{{Start: 0, End: 3}}
			r.Blocks = []msg.Ref{{Message: 0}}
		}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			plan := fresh()
			plan.Archive = []core.Span{{Start: 0, End: len(c.Messages)}}
			row.change(plan, &plan.Regions[0])
			_, err := core.Apply(c, "", p, core.Env{}, plan, nil)
			require.ErrorContains(t, err, "cannot apply: "+row.want)
			var e *core.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, core.Code(msg.BadPlan), e.Code)
		})
	}
}
