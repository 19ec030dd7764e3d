package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// rounds is a session of one prompt and calls whose results have 1,000 tokens each (chars4). The last result is not
// answered yet.
func rounds(t *testing.T, n int) *msg.Conversation {
	var out strings.Builder
	out.WriteString(`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"Go through the files."}`)
	for i := range n {
		fmt.Fprintf(&out, `,{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"bash","input":{}}]}`, i)
		fmt.Fprintf(&out, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}`, i,
			strings.Repeat("word", 1000))
	}
	return parse(t, out.String()+`]}`)
}

// economic is the default preset without summaries and with a recent window of one turn.
func economic(t *testing.T) policy.Policy {
	p, err := policy.Parse("balanced", []byte(`{"summary":{"strategy":"none"},"pin":{"recentTurns":1,"recentTokens":0}}`))
	require.NoError(t, err)
	require.Equal(t, "economic", p.Clear.When)
	return p
}

func planOf(t *testing.T, c *msg.Conversation, st core.State, p policy.Policy, env core.Env) *core.Plan {
	if env.Count == nil {
		env.Count = tokens.Chars4
	}
	plan, err := core.NewPlan(c, st, p, env)
	require.NoError(t, err)
	return plan
}

// The rule waits until the kept results have cost what clearing costs, and not longer; then the rent starts again.
func TestClearsWhenTheRentHasReachedTheCost(t *testing.T) {
	p := economic(t)
	cleared := 0
	state := core.State("")
	for n := 5; n <= 60; n++ {
		plan := planOf(t, rounds(t, n), state, p, core.Env{})
		a := plan.Advice
		require.Positive(t, a.Freed)
		if plan.Trigger.Kind != "economic" { // the cleared results of earlier turns are cleared again
			require.Less(t, a.Rent, a.Cost, "after %d calls", n)
			require.Contains(t, a.Reason, fmt.Sprintf("rewriting costs %d: pays back after %d calls", a.Cost, a.Calls))
			require.Equal(t, (a.Cost*10+a.Freed-1)/a.Freed, a.Calls, "a read costs a tenth")
			continue
		}
		require.GreaterOrEqual(t, a.Rent, a.Cost)
		out, err := core.Apply(rounds(t, n), state, p, core.Env{Count: tokens.Chars4}, plan, nil)
		require.NoError(t, err)
		state = out.State
		cleared++
		after := planOf(t, rounds(t, n+1), state, p, core.Env{})
		require.Less(t, after.Advice.Rent, a.Rent/2, "the rent starts again")
	}
	require.Greater(t, cleared, 1)
}

// A cold cache makes clearing free; without a clock the cache is warm, and the lifetime may be an hour.
func TestClearsForFreeWhenTheCacheIsCold(t *testing.T) {
	c, p := rounds(t, 8), economic(t)
	for _, row := range []struct {
		idle int
		ttl  string
		free bool
	}{
		{0, "", false}, {299, "", false}, {300, "", true}, {300, "1h", false}, {3599, "1h", false}, {3600, "1h", true},
	} {
		plan := planOf(t, c, "", p, core.Env{IdleSec: row.idle, TTL: row.ttl})
		require.Equal(t, row.free, plan.Advice.Free, "%+v", row)
		require.Equal(t, row.free, len(plan.Edits) > 0)
		if row.free {
			require.Equal(t, "cold cache: compaction is free", plan.Advice.Reason)
			require.Zero(t, plan.Advice.Cached)
		}
	}
}

// In a window of 60,000 tokens, the newest four turns are more than a quarter of the recent window. Next to summaries
// the whole of it keeps its results, 7,500 tokens: else summaries and placeholders would be most of the context.
func TestClearsLessNextToSummaries(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = 60_000
	cold := core.Env{Count: tokens.Chars4, IdleSec: 3600}
	cleared := func(c *msg.Conversation, state core.State) (refs []int) {
		plan := planOf(t, c, state, p, cold)
		require.Empty(t, plan.Requests)
		for i := range plan.Edits {
			refs = append(refs, plan.Edits[i].Message)
		}
		return refs
	}
	c := rounds(t, 12)
	last := cleared(c, "")
	require.Equal(t, len(c.Messages)-1-2*5, last[len(last)-1], "the newest 5 of 12 results stay")

	small := p
	small.Trigger.TargetPermille = 80 // less than the cuts of all results would leave
	out, err := core.Compact(rounds(t, 20), "", small, core.Env{Count: tokens.Chars4, Force: true},
		core.Host{Save: func([]byte) error { return nil }})
	require.NoError(t, err)
	require.Less(t, len(out.Conversation.Messages), 20) // the 20 rounds are 40 messages
	c = out.Conversation.WithMessages(append(out.Conversation.Messages, rounds(t, 32).Messages[41:]...))
	last = cleared(c, out.State)
	require.Equal(t, len(c.Messages)-1-2*8, last[len(last)-1], "the newest 8 of 12 results stay")
}

// The price of the model decides: where a read costs as much as input, keeping is never cheaper.
func TestClearsByThePriceOfTheModel(t *testing.T) {
	c, p := rounds(t, 8), economic(t)
	require.Empty(t, planOf(t, c, "", p, core.Env{}).Edits)
	full := planOf(t, c, "", p, core.Env{
		Price: models.Price{Input: 1000, Output: 5000, Read: 1000, Write5m: 1000, Write1h: 1000}})
	require.NotEmpty(t, full.Edits)
	free := planOf(t, c, "", p, core.Env{Price: models.Price{Input: 1000, Output: 5000, Write5m: 1250, Write1h: 2000}})
	require.Empty(t, free.Edits)
	require.Equal(t, "reads from the cache cost nothing: it does not pay", free.Advice.Reason)
}

// Every plan has the advice: that of its own changes, or that of clearing what its rules would let it clear.
func TestEveryPlanHasTheAdvice(t *testing.T) {
	c := rounds(t, 12)
	for _, info := range policy.Presets() {
		a := planOf(t, c, "", info.Policy, core.Env{}).Advice
		require.NotEmpty(t, a.Reason, info.Name)
		require.Equal(t, info.Policy.Clear.Enabled && info.Name != "prune", a.Freed > 0, info.Name)
	}
	harness, err := policy.Preset("harness")
	require.NoError(t, err)
	plan := planOf(t, c, "", harness, core.Env{})
	require.Equal(t, plan.Before-plan.After, plan.Advice.Freed)
	prune, err := policy.Parse("prune", []byte(`{"clear":{"protectTokens":3000}}`))
	require.NoError(t, err)
	waits := planOf(t, c, "", prune, core.Env{})
	require.Empty(t, waits.Edits, "less than minSavings")
	require.Positive(t, waits.Advice.Freed)
}
