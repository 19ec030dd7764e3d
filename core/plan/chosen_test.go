package plan_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/validity"
)

// What the host chose to remove is gone and in the archive, what it chose to keep is what it was, whatever the policy
// does to the rest, and the provider takes the result.
func TestChosen(t *testing.T) {
	refused, drops := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, string(convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format"))))
		requireNoErrors(t, c)
		p, env := drawPolicy(t), drawEnv(t)
		var all []msg.Ref
		for it := c.Walk(); it.Next(); {
			all = append(all, it.Ref)
		}
		if len(all) == 0 {
			return
		}
		some := func(name string) []msg.Ref {
			return rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, min(len(all), 4), rapid.ID).Draw(t, name)
		}
		env.Chosen = &core.Chosen{Keep: some("keep"), Drop: some("drop")}
		plan, err := core.NewPlan(c, "", p, env)
		if isOverflow(err) {
			return
		}
		require.NoError(t, err)
		plan.Limit = 0
		removed := map[msg.Ref]bool{}
		for _, e := range plan.Edits {
			removed[e.Ref()] = e.Kind.Removes()
		}
		first, now, state := plan, c, core.State("")
		kept := map[*msg.Block]msg.Block{}
		for _, r := range env.Chosen.Keep {
			require.False(t, removed[r] && c.At(r).Kind != msg.KindThinking, "%v is kept", r)
			if !removed[r] {
				kept[c.At(r)] = *c.At(r)
			}
		}
		for round := 0; plan != nil; round++ {
			require.Less(t, round, 10)
			archive := core.Archive(now, plan)
			out, err := core.Apply(now, state, p, env, plan, drawResults(t, plan))
			if isOverflow(err) {
				return
			}
			require.NoError(t, err)
			if plan == first && len(env.Chosen.Drop) > 0 {
				drops++
				if out.Conversation == c && len(plan.Edits) > 0 {
					refused++
					return
				}
				for _, r := range env.Chosen.Drop {
					if removed[r] {
						require.Equal(t, "dropped", out.Fates[r.Message].Blocks[r.Block].Fate)
						if raw := c.Messages[r.Message].Raw; raw != nil {
							require.True(t, bytes.Contains(archive, raw.Line()), "in the archive")
						}
					}
				}
				// Both halves of a pair are removed, or neither.
				pairs := msg.Pair(c)
				for r := range removed {
					pairs.Linked(r, func(other msg.Ref) { require.Equal(t, removed[r], removed[other]) })
				}
			}
			requireNoErrors(t, reread(t, out.Conversation))
			left := map[string]int{}
			for it := out.Conversation.Walk(); it.Next(); {
				left[it.Block.Text+it.Block.ID+it.Block.Name]++
			}
			for was, block := range kept {
				if block.Kind != msg.KindThinking || !validity.BindsThinking(c) {
					require.Positive(t, left[was.Text+was.ID+was.Name], "%s is kept", was.Path)
				}
			}
			now, state, plan = out.Conversation, out.State, out.Next
		}
	})
	t.Logf("%d of %d refused", refused, drops)
	require.Zero(t, refused, "the provider takes what is left of each choice")
}

// A block that does not exist is an error that names it.
func TestChosenIsRead(t *testing.T) {
	c := parse(t, `[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`)
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	for _, chosen := range []core.Chosen{{Drop: []msg.Ref{{Message: 3}}}, {Keep: []msg.Ref{{Message: -1}}},
		{Drop: []msg.Ref{{Message: 0, Block: 1}}}} {
		_, err = core.NewPlan(c, "", p, core.Env{Chosen: &chosen})
		require.ErrorContains(t, err, "has no block")
	}
	plan, err := core.NewPlan(c, "", p, core.Env{Chosen: &core.Chosen{Drop: []msg.Ref{{Message: 1}}}})
	require.NoError(t, err)
	out, err := core.Apply(c, "", p, core.Env{}, plan, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"user: a", "user: c"}, texts(out.Conversation.Messages))
	require.Equal(t, "drop", plan.Trigger.Kind)
}
