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

// thousand is a conversation of exactly 1000 tokens, of four bytes each, the newest prompt of 25.
func thousand(t *testing.T) *msg.Conversation {
	say := func(role string, size int) string {
		return fmt.Sprintf(`{"role":"%s","content":"%s"}`, role, strings.Repeat("word", size))
	}
	return parse(t, `[`+strings.Join([]string{say("user", 75), say("assistant", 300), say("user", 100),
		say("assistant", 400), say("user", 100),
		say("user", 25)}, ",")+`]`)
}

// policyWith summarizes everything when a trigger fires, and clears nothing.
func policyWith(t *testing.T, trigger policy.Triggers) policy.Policy {
	p, err := policy.Parse("", []byte(`{"preset":"harness","clear":{"enabled":false}}`))
	require.NoError(t, err)
	trigger.Measure = "counter"
	p.Trigger = trigger
	return p
}

// Each condition fires past its limit and not at it, and says how far down the size should come.
func TestTriggerLimits(t *testing.T) {
	rows := []struct {
		why     string
		trigger policy.Triggers
		want    core.Trigger
		target  int // 0 where nothing fires
	}{
		{"tokens", policy.Triggers{Tokens: 999}, core.Trigger{Kind: "tokens", Used: 1000, Limit: 999}, 999},
		{"at the tokens", policy.Triggers{Tokens: 1000}, core.Trigger{Kind: "none", Used: 1000, Limit: 1000}, 0},
		{"soft", policy.Triggers{Window: 2000, SoftPermille: 499}, core.Trigger{Kind: "soft", Used: 1000, Limit: 998}, 998},
		{"at the soft limit", policy.Triggers{Window: 2000, SoftPermille: 500},
			core.Trigger{Kind: "none", Used: 1000, Limit: 1000}, 0},
		{"soft, and how far down", policy.Triggers{Window: 2000, SoftPermille: 400, TargetPermille: 200},
			core.Trigger{Kind: "soft", Used: 1000, Limit: 800}, 400},
		{"hard", policy.Triggers{Window: 1000, HardPermille: 900, BufferTokens: 50},
			core.Trigger{Kind: "hard", Used: 1000, Limit: 850}, 850},
		{"at the hard limit", policy.Triggers{Window: 2000, HardPermille: 600, BufferTokens: 200},
			core.Trigger{Kind: "none", Used: 1000, Limit: 1000}, 0},
		{"a buffer as large as the hard limit is no limit",
			policy.Triggers{Window: 1000, HardPermille: 500, BufferTokens: 500, Tokens: 999},
			core.Trigger{Kind: "tokens", Used: 1000, Limit: 999}, 999},
		{"the answer's room", policy.Triggers{Window: 1100, ReserveOutput: 101},
			core.Trigger{Kind: "overflow", Used: 1000, Limit: 999}, 999},
		{"just room for the answer", policy.Triggers{Window: 1100, ReserveOutput: 100},
			core.Trigger{Kind: "none", Used: 1000, Limit: 1000}, 0},
		{"hard comes before the answer's room", policy.Triggers{Window: 1000, HardPermille: 900, ReserveOutput: 200},
			core.Trigger{Kind: "hard", Used: 1000, Limit: 900}, 900},
		{"soft comes before tokens, and the lower one is the target",
			policy.Triggers{Window: 1000, SoftPermille: 800, Tokens: 500}, core.Trigger{Kind: "soft", Used: 1000, Limit: 800},
			500},
		{"tokens with the shares of the window", policy.Triggers{Window: 2000, Tokens: 900, SoftPermille: 800,
			TargetPermille: 400}, core.Trigger{Kind: "tokens", Used: 1000, Limit: 900}, 450},
		{"the target is below the hard limit", policy.Triggers{Window: 1000, HardPermille: 500, BufferTokens: 300,
			SoftPermille: 400, TargetPermille: 400},
			core.Trigger{Kind: "hard", Used: 1000, Limit: 200}, 200},
		{"the lowest limit is waited for", policy.Triggers{Window: 9000, SoftPermille: 500, Tokens: 3000,
			ReserveOutput: 7000}, core.Trigger{Kind: "none", Used: 1000, Limit: 2000}, 0},
		{"the lowest limit is waited for, the first one too",
			policy.Triggers{Window: 9000, SoftPermille: 200, Tokens: 3000, ReserveOutput: 7000},
			core.Trigger{Kind: "none", Used: 1000, Limit: 1800}, 0},
		{"the window of the model", policy.Triggers{SoftPermille: 1, TargetPermille: 0},
			core.Trigger{Kind: "soft", Used: 1000, Limit: models.WindowOf("") / 1000}, models.WindowOf("") / 1000},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p := policyWith(t, row.trigger)
			plan, err := core.NewPlan(thousand(t), "", p, core.Env{Count: tokens.Chars4})
			require.NoError(t, err)
			require.Equal(t, 1000, plan.Before)
			require.Equal(t, row.target, plan.Target)
			if row.target == 0 {
				require.Empty(t, plan.Requests)
			}
			if row.want.Kind != "none" || plan.Trigger.Kind == "none" {
				require.Equal(t, row.want, fired(plan.Trigger))
			}

			forced, err := core.NewPlan(thousand(t), "", p, core.Env{Count: tokens.Chars4, Force: true})
			require.NoError(t, err)
			require.Equal(t, core.Trigger{Kind: "manual", Used: 1000}, fired(forced.Trigger))
			require.Len(t, forced.Requests, 1)
		})
	}
}

// What the provider counted takes the place of our count; what came after its answer is added.
func TestTriggerGoesByTheUsage(t *testing.T) {
	p := policyWith(t, policy.Triggers{Tokens: 500})
	for used, usage := range map[int]core.Usage{
		3200 + 125: {Input: 1000, CacheRead: 1500, CacheWrite: 500, Output: 200},
		1000:       {Output: 200}, // of no call
	} {
		plan, err := core.NewPlan(thousand(t), "", p, core.Env{Count: tokens.Chars4, Usage: &usage})
		require.NoError(t, err)
		require.Equal(t, core.Trigger{Kind: "tokens", Used: used, Limit: 500}, fired(plan.Trigger))
		require.Equal(t, 1000*500/used, plan.Target, "carried over as a share")
	}
}

// A conversation without an answer came after the usage, all of it.
func TestTriggerAddsEveryPrompt(t *testing.T) {
	c := thousand(t)
	plan, err := core.NewPlan(c.WithMessages(c.Messages[:1:1]), "", policyWith(t, policy.Triggers{Tokens: 500}),
		core.Env{Count: tokens.Chars4, Usage: &core.Usage{Input: 1000}})
	require.NoError(t, err)
	require.Equal(t, core.Trigger{Kind: "tokens", Used: 1075, Limit: 500}, fired(plan.Trigger))
}

// A log's own usage is believed where it covers at least the messages before it.
func TestTriggerGoesByTheUsageOfALog(t *testing.T) {
	p := policyWith(t, policy.Triggers{Tokens: 500})
	for counted, used := range map[int]int{2000: 2000 + 10 + 125, 3: 1000} {
		c := thousand(t)
		c.Messages[3].Usage = &msg.Usage{Input: counted, Output: 10}
		plan, err := core.NewPlan(c, "", p, core.Env{Count: tokens.Chars4})
		require.NoError(t, err)
		require.Equal(t, core.Trigger{Kind: "tokens", Used: used, Limit: 500}, fired(plan.Trigger))
	}
}

// A prompt that shares at most a tenth of its words with the prompts before opens another task.
func TestTaskSwitch(t *testing.T) {
	const before = `{"role":"user","content":"Please refactor parser module."},{"role":"assistant","content":"Finished refactoring today."},`
	user := func(text string) string { return `{"role":"user","content":"` + text + `"}` }
	ten := "alpha bravo charlie delta echos foxtrot golfs hotel india "
	rows := []struct {
		why, messages string
		shared, of    int // 0, 0 where it is the same task
	}{
		{"one word of ten", before + user(ten+"parser"), 1, 10},
		{"one word of nine", before + user(ten[6:]+"parser"), 0, 0},
		{"no word of ten", before + user(ten+"juliett"), 0, 10},
		{"a word of the answer", before + user(ten+"Finished"), 1, 10},
		{"a word counts once", before + user(ten+"parser alpha alpha parser"), 1, 10},
		{"five words", before + user("alpha bravo charlie delta echos"), 0, 5},
		{"four words", before + user("alpha bravo charlie delta and so on"), 0, 0},
		{"nothing before", user(ten + "parser"), 0, 0},
		{"one message before", user("Please.") + "," + user(ten+"juliett"), 0, 10},
		{"the answer is last", before + `{"role":"assistant","content":"` + ten + `"}`, 0, 0},
		{"injected text is nothing that was said",
			user("Hello.") + "," + `{"role":"user","content":[{"type":"text","text":"<system-reminder>` + ten +
				`</system-reminder>"},{"type":"text","text":"Hello."}]},` + user(ten+"juliett"), 0, 10},
		{"nor is it asked",
			before + `{"role":"user","content":[{"type":"text","text":"<system-reminder>Please refactor parser module</system-reminder>"},` +
				`{"type":"text","text":"` + ten + `juliett"}]}`, 0, 10},
		{"the output of a tool is nothing that was said",
			`{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"` + ten +
				`"}]},{"role":"assistant","content":"Done."},` + user(ten+"juliett"), 0, 10},
	}
	p := policyWith(t, policy.Triggers{TaskSwitch: true})
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			plan, err := core.NewPlan(parse(t, "["+row.messages+"]"), "", p, core.Env{Count: tokens.Chars4})
			require.NoError(t, err)
			if row.of == 0 {
				require.NotEqual(t, "task_switch", plan.Trigger.Kind)
				return
			}
			require.Equal(t, core.Trigger{Kind: "task_switch", Used: row.shared, Limit: row.of}, fired(plan.Trigger))
			forced, err := core.NewPlan(parse(t, "["+row.messages+"]"), "", p, core.Env{Count: tokens.Chars4, Force: true})
			require.NoError(t, err)
			require.Equal(t, "manual", forced.Trigger.Kind)
			off, err := core.NewPlan(parse(t, "["+row.messages+"]"), "", policyWith(t, policy.Triggers{Tokens: 9999}),
				core.Env{Count: tokens.Chars4})
			require.NoError(t, err)
			require.NotEqual(t, "task_switch", off.Trigger.Kind)
		})
	}
}

// What clearing frees in the same step is taken off the provider's count, as if it had been cleared before the call.
func TestTriggerKnowsWhatClearingFrees(t *testing.T) {
	output := strings.Repeat("word", 400)
	input := `[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"` + output + `"}]},
		{"role":"assistant","content":"Done."},{"role":"user","content":"` + output + `"}]`
	p, err := policy.Parse("", []byte(`{"preset":"harness","clear":{"keepRecent":0}}`))
	require.NoError(t, err)
	p.Trigger = policy.Triggers{Measure: "counter", Tokens: 9_999}
	for _, carried := range []bool{false, true} {
		c, env := parse(t, input), core.Env{Count: tokens.Chars4}
		usage := core.Usage{Input: 5000, Output: 60}
		if carried {
			c.Messages[3].Usage = &usage
		} else {
			env.Usage = &usage
		}
		cleared, err := core.NewPlan(c, "", p, env)
		require.NoError(t, err)
		require.Len(t, cleared.Edits, 1)
		freed := cleared.Edits[0].Tokens - cleared.Edits[0].After
		require.Greater(t, freed, 300)
		used := 5000 + 60 - freed + 400
		p.Trigger.Tokens = used - 1
		plan, err := core.NewPlan(c, "", p, env)
		require.NoError(t, err)
		require.Equal(t, core.Trigger{Kind: "tokens", Used: used, Limit: used - 1}, fired(plan.Trigger))
	}
}

// fired returns the kind of a trigger with its two numbers, without the limit that the policy waits for.
func fired(t core.Trigger) core.Trigger {
	return core.Trigger{Kind: t.Kind, Used: t.Used, Limit: t.Limit}
}

// A screenshot has the size of its tokens, not that of its base64: harness does not summarize a short session for it.
func TestScreenshotsAreNotText(t *testing.T) {
	p, err := policy.Preset("harness")
	require.NoError(t, err)
	shots := func(n int) *core.Plan {
		shot := `{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` +
			strings.Repeat("iVBORw0K", 50_000) + `"}},{"type":"text","text":"The labels overlap."}]},` +
			`{"role":"assistant","content":"I see."},`
		c := parse(t, "["+strings.Repeat(shot, n)+`{"role":"user","content":"Go on."}]`)
		plan, err := core.NewPlan(c, "", p, core.Env{})
		require.NoError(t, err)
		s, err := core.NewSession(c, "", p, nil)
		require.NoError(t, err)
		require.Equal(t, plan.Trigger, s.Turn(core.Env{}).Trigger)
		return plan
	}
	require.Equal(t, "none", shots(1).Trigger.Kind)
	require.Equal(t, "tokens", shots(60).Trigger.Kind, "images fill the window too")
}

// A model's higher price for long prompts lowers the limit, where the policy asks for it and the window is larger.
func TestTriggerStaysBelowLongPrompts(t *testing.T) {
	for above, want := range map[int]core.Trigger{
		1066: {Kind: "long_prompts", Used: 1000, Limit: 1066 - 1066/16}, // 1,000: not above it
		1060: {Kind: "long_prompts", Used: 1000, Limit: 994},            // 15/16
		3000: {Kind: "none", Used: 1000, Limit: 2000},                   // not below the window
		0:    {Kind: "none", Used: 1000, Limit: 2000},
	} {
		p := policyWith(t, policy.Triggers{Tokens: 2000, Window: 3000, LongPrompts: true})
		price := models.MidRange
		price.Long = models.Long{Above: above, Input: 2000, Output: 1500}
		plan, err := core.NewPlan(thousand(t), "", p, core.Env{Count: tokens.Chars4, Price: price})
		require.NoError(t, err)
		if want.Limit == 1000 {
			want.Kind = "none"
			require.Equal(t, "long_prompts", plan.Trigger.WaitsFor)
		}
		require.Equal(t, want, fired(plan.Trigger), above)
	}
}
