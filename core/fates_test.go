package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// The fates of blocks agree with the outcome's messages, whatever the policy and whichever requests fail.
func TestFatesAgreeWithOutcome(t *testing.T) {
	seen := map[string]int{}
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		c := parse(t, string(convtest.Conversation(t, name)))
		p, env := drawPolicy(t), drawEnv(t)
		plan := planOrOverflow(t, c, "", p, env)
		results := drawResults(t, plan)
		out, err := core.Apply(c, "", p, env, plan, results)
		require.NoError(t, err)
		requireFates(t, c, env, plan, out, seen)

		env.Lean = true
		lean, err := core.Apply(c, "", p, env, plan, results)
		require.NoError(t, err)
		require.Nil(t, lean.Fates)
		require.Equal(t, out.Actions, lean.Actions)
	})
	requireEveryFate(t, seen)
}

// requireEveryFate asserts that the cases had blocks of every fate. Few cases may lack one.
func requireEveryFate(t *testing.T, seen map[string]int) {
	if convtest.Fewer() {
		return
	}
	for _, fate := range []string{"kept", "cleared", "truncated", "summarized", "dropped"} {
		require.Positive(t, seen[fate], "no block was %s", fate)
	}
}

func requireFates(t *rapid.T, c *msg.Conversation, env core.Env, plan *core.Plan, out *core.Outcome,
	seen map[string]int) {
	requireFatesOf(t, c, env, out.Fates, out, seen)
	indexed := map[int]bool{}
	for _, f := range out.Fates {
		indexed[f.Index] = true
	}
	for m := range out.Conversation.Messages {
		require.Equal(t, indexed[m], out.Conversation.Messages[m].Path != "",
			"a message without an index was written by Apply")
	}
	for _, a := range out.Actions {
		if a.Region != nil {
			r := plan.Regions[*a.Region]
			require.Equal(t, r.Tokens, a.Before)
			require.Equal(t, c.Messages[r.Spans[0].Start].Path, a.Path)
			continue
		}
		require.NotContains(t, []string{"summarize", "truncate", "failed"}, a.Kind, "an action on a region has its index")
	}
}

// requireFatesOf checks the fates of the blocks of c, which one or more steps turned into the outcome's conversation.
func requireFatesOf(t require.TestingT, c *msg.Conversation, env core.Env, fates []core.MessageFate, out *core.Outcome,
	seen map[string]int) {
	meter := tokens.NewMeter(env.Count, c)
	counts := meter.Conversation(c)
	require.Len(t, fates, len(c.Messages))
	last := -1
	total := 0
	for m, f := range fates {
		require.Len(t, f.Blocks, len(c.Messages[m].Blocks))
		var left []msg.Block
		if f.Index >= 0 {
			require.Greater(t, f.Index, last, "messages keep their order")
			last = f.Index
			left = out.Conversation.Messages[f.Index].Blocks
			require.Equal(t, c.Messages[m].Role, out.Conversation.Messages[f.Index].Role)
		}
		for b, block := range f.Blocks {
			seen[block.Fate]++
			total += block.After
			before := &c.Messages[m].Blocks[b]
			require.Equal(t, block.Fate == "summarized", block.Summary != nil)
			if block.Summary != nil {
				summary := out.Conversation.At(*block.Summary)
				require.Contains(t, []msg.Kind{msg.KindText, msg.KindToolResult}, summary.Kind)
				require.NotEmpty(t, summary.Text)
			}
			if block.Fate == "dropped" || f.Index < 0 {
				require.Contains(t, []string{"dropped", "summarized"}, block.Fate, "message %d is not in the outcome", m)
				require.NotEmpty(t, block.Reason)
				continue
			}
			require.NotEmpty(t, left)
			after := &left[0]
			left = left[1:]
			require.Equal(t, before.Kind, after.Kind)
			switch block.Fate {
			case "kept":
				require.Equal(t, before.Text, after.Text)
				require.Equal(t, counts.Messages[m].Blocks[b], block.After)
			case "cleared", "truncated":
				require.Equal(t, meter.Block(after), block.After)
				require.NotEmpty(t, block.Reason)
			case "summarized":
				require.NotEqual(t, before.Text, after.Text)
				require.NotEmpty(t, block.Reason)
			default:
				require.Fail(t, "unknown fate "+block.Fate)
			}
		}
		require.Empty(t, left, "message %d has a block more in the outcome", m)
	}
	require.LessOrEqual(t, total, out.After, "the blocks' tokens are part of the outcome's")
}

// A plan comes from outside: a region in its decisions is not taken over.
func TestRegionOfDecisionIsIgnored(t *testing.T) {
	c := parse(t, `[{"role":"user","content":"Look."},{"role":"assistant","content":"Seen."}]`)
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	far := 1 << 40
	plan.Decisions = append(plan.Decisions, core.Action{Kind: "summarize", Path: "/0", Region: &far})
	out, err := core.Apply(c, "", p, core.Env{}, plan, nil)
	require.NoError(t, err)
	for _, a := range out.Actions {
		require.Nil(t, a.Region)
	}
}
