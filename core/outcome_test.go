package core_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// A summary is used where it frees a token, with its label and its frame, and never where it frees none.
func TestASummaryIsUsedWhereItFreesAToken(t *testing.T) {
	for _, row := range []struct{ policy, letters string }{
		{`{"preset":"s06"}`, "uaua"},
		{`{"preset":"harness"}`, "uaua"},
		{`{"preset":"prune"}`, "uaua"},
		{`{"preset":"turns"}`, "uauaua"},
		{`{"preset":"balanced"}`, "uaaaaua"},
		{`{"preset":"regions"}`, "ucraaua"},
	} {
		t.Run(row.policy, func(t *testing.T) {
			p, err := policy.Parse("", []byte(row.policy))
			require.NoError(t, err)
			p.Clear.Enabled, p.Pin.KeepTurns, p.Pin.RecentTurns, p.Pin.RecentTokens = false, 1, 1, 0
			c := spelled(t, row.letters)
			env := core.Env{Count: tokens.Chars4, Force: true}
			plan, err := core.NewPlan(c, "", p, env)
			require.NoError(t, err)
			require.Len(t, plan.Requests, 1)
			plan.Target = plan.Before // nothing is truncated
			plan.Requests[0].MaxTokens = 9999
			last, used := 0, true
			for words := 1; words <= plan.Requests[0].Tokens+1; words++ {
				out, err := core.Apply(c, "", p, env, plan,
					answerAll(plan, core.SummaryResult{Text: strings.Repeat("noun", words)}))
				require.NoError(t, err)
				freed := out.Before - out.After
				if len(out.Warnings) > 0 || out.Conversation == c { // the built-in summary stands in, or finds nothing
					require.Contains(t, string(mustJSON(t, out.Actions)), "not smaller than the text that it replaces")
					used = false
					continue
				}
				require.True(t, used, "a longer one is not used after a shorter one was refused")
				require.Positive(t, freed)
				last = freed
			}
			require.False(t, used)
			require.Equal(t, 1, last, "the longest one that is used frees a token")
		})
	}
}

// Lean leaves out what only a reader of the outcome needs, and changes nothing else.
func TestLeanLeavesOutTheQuality(t *testing.T) {
	p, plan := planFor(t, parse(t, hostileInput), `{"preset":"s06","clear":{"keepRecent":0,"minChars":0}}`)
	c := parse(t, hostileInput)
	full, err := core.Apply(c, "", p, core.Env{}, plan, nil)
	require.NoError(t, err)
	lean, err := core.Apply(c, "", p, core.Env{Lean: true}, plan, nil)
	require.NoError(t, err)
	require.NotNil(t, full.Quality)
	require.Nil(t, lean.Quality)
	require.NotEqual(t, full.State, lean.State, "how the request looked is for Observe")
	require.Nil(t, lean.Fates)
	lean.Quality, lean.Fates, lean.State = full.Quality, full.Fates, full.State
	require.Equal(t, full, lean)
}

// The State lists the results that a policy cleared which clears in steps, and nothing else: inputs, texts and results
// of other policies would be cleared again for no reason.
func TestStateListsClearedResults(t *testing.T) {
	for _, row := range []struct {
		clear, intake string
		want          int
	}{
		{`"keepRecent":1,"clearToolInputs":true`, ``, 4},
		{`"keepRecent":1,"clearToolInputs":true,"sticky":false`, ``, 0},
		{`"enabled":false`, `"maxBytes":200`, 0},
		{`"keepRecent":3`, `"maxBytes":200`, 2},
	} {
		c := parse(t, session("", 5, 100))
		p, plan := planFor(t, c, `{"preset":"balanced","clear":{"when":"","minSavings":0,`+row.clear+`},"intake":{`+row.intake+
			`},"pin":{"recentTokens":0,"recentTurns":1}}`)
		require.NotEmpty(t, plan.Edits, row.clear)
		out, err := core.Apply(c, "", p, core.Env{}, plan, nil)
		require.NoError(t, err)
		var state struct{ Cleared []string }
		require.NoError(t, json.Unmarshal([]byte(out.State), &state))
		require.Len(t, state.Cleared, row.want, row.clear)
	}
}

// The order of the regions and requests of a plan says nothing: the outcome is the same.
func TestOrderOfRegionsDoesNotMatter(t *testing.T) {
	for _, preset := range []string{"hierarchical", "balanced", "regions"} {
		p, err := policy.Preset(preset)
		require.NoError(t, err)
		p.Pin.RecentTurns, p.Pin.RecentTokens, p.Summary.ChunkMessages = 1, 0, min(p.Summary.ChunkMessages, 2)
		p.Clear.Enabled, p.Summary.SummaryPermille = false, 0
		c := spelled(t, "uaaaucraauaaacraua")
		env := core.Env{Count: tokens.Chars4, Force: true}
		plan, err := core.NewPlan(c, "", p, env)
		require.NoError(t, err)
		require.Greater(t, len(plan.Regions), 1, preset)
		rs := answerAll(plan, core.SummaryResult{})
		for i := range rs {
			rs[i].Text = "Part " + rs[i].ID[:4] + "."
		}
		one, err := core.Apply(c, "", p, env, plan, rs)
		require.NoError(t, err)
		slices.Reverse(plan.Regions)
		slices.Reverse(plan.Requests)
		slices.Reverse(rs)
		other, err := core.Apply(c, "", p, env, plan, rs)
		require.NoError(t, err)
		require.Equal(t, whole(t, one.Conversation), whole(t, other.Conversation), preset)
	}
}

// Thinking that came after the plan was made is bound to what a failed summary would drop: the plan is stale.
func TestTruncationBeforeNewThinkingIsStale(t *testing.T) {
	c := parse(t, session(bindingModel, 20, 100))
	p, err := policy.Parse("", []byte(`{"preset":"turns",`+fullWindow+`}`))
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
	require.NoError(t, err)
	require.NotEmpty(t, plan.Requests)
	plan.Edits = []core.Edit{} // of thinking behind the summary
	plan.Target = plan.Before / 2
	rs := answerAll(plan, core.SummaryResult{Err: "overloaded"})
	for _, g := range growths(c.Format) {
		_, err := core.Apply(grown(c, g.messages), "", p, core.Env{}, plan, rs)
		if !strings.Contains(g.name, "thinking") {
			require.NoError(t, err, g.name)
			continue
		}
		var e *core.Error
		require.ErrorAs(t, err, &e, g.name)
		require.Equal(t, core.Code(msg.StalePlan), e.Code, g.name)
	}
}

// Clearing waits until its limit is passed, and says so.
func TestClearingAtItsLimit(t *testing.T) {
	c := spelled(t, "ucrcrcrau")
	for limit, want := range map[int]string{900: "none", 899: "clear"} {
		p, err := policy.Parse("", []byte(`{"preset":"clear_tool_uses","clear":{"keepRecent":0}}`))
		require.NoError(t, err)
		p.Clear.TriggerTokens = limit
		plan, err := core.NewPlan(c, "", p, core.Env{Count: tokens.Chars4})
		require.NoError(t, err)
		require.Equal(t, 900, plan.Trigger.Used)
		require.Equal(t, limit, plan.Trigger.Limit)
		require.Equal(t, want == "none", plan.Trigger.Kind == "none", plan.Trigger.Kind)
		require.Equal(t, want == "none", len(plan.Edits) == 0)
	}
}

// A region whose requests the host took out of the plan is left as it is.
func TestARegionWithoutRequestsStays(t *testing.T) {
	for _, preset := range []string{"turns", "balanced", "regions", "hierarchical"} {
		p, err := policy.Preset(preset)
		require.NoError(t, err)
		p.Pin.RecentTurns, p.Pin.RecentTokens, p.Pin.KeepTurns, p.Clear.Enabled = 1, 0, 1, false
		p.Summary.ChunkMessages = min(p.Summary.ChunkMessages, 4)
		c := spelled(t, "uaaaucraua")
		env := core.Env{Count: tokens.Chars4, Force: true}
		for _, named := range []bool{true, false} {
			plan, err := core.NewPlan(c, "", p, env)
			require.NoError(t, err)
			require.NotEmpty(t, plan.Requests, preset)
			plan.Requests = nil
			for i := range plan.Regions {
				if !named {
					plan.Regions[i].Requests = nil
				}
			}
			plan.Target = 1
			out, err := core.Apply(c, "", p, env, plan, nil)
			require.NoError(t, err)
			require.Same(t, c, out.Conversation, preset)
		}
	}
}

// A summary from before there was a State stays known when a State begins with the next one.
func TestAStateBeginsWithTheSummariesThatWereKnown(t *testing.T) {
	p, err := policy.Parse("",
		[]byte(`{"preset":"balanced",`+fullWindow+`,"summary":{"summaryPermille":0},"pin":{"recentTokens":0,"recentTurns":1}}`))
	require.NoError(t, err)
	older := "[compacted summary of turns 1-9]\n" + strings.Repeat("They read the files, one after the other. ", 30)
	document := session("claude-opus-4-5", 30, 100)
	document = strings.Replace(document, `"messages":[`,
		`"messages":[{"role":"user","content":`+string(rawjson.Quote(older))+`},`, 1)
	c := parse(t, document)
	plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
	require.NoError(t, err)
	require.NotEmpty(t, plan.Requests)
	out, err := core.Apply(c, "", p, core.Env{}, plan, answerAll(plan, core.SummaryResult{Text: "They read on."}))
	require.NoError(t, err)
	require.Equal(t, older, out.Conversation.Messages[0].Blocks[0].Text)
	var state struct{ Summaries []string }
	require.NoError(t, json.Unmarshal([]byte(out.State), &state))
	require.Len(t, state.Summaries, 1+len(plan.Regions), "the older one, and those that came")
	require.Equal(t, len(plan.Regions), strings.Count(strings.Join(texts(out.Conversation.Messages), "\n"),
		"They read on."))
	out, err = core.Apply(out.Conversation, out.State, p, core.Env{}, mustPlan(t, out, p), nil)
	require.NoError(t, err)
	again := len(state.Summaries)
	require.NoError(t, json.Unmarshal([]byte(out.State), &state))
	require.Len(t, state.Summaries, again)
}

func mustPlan(t *testing.T, out *core.Outcome, p policy.Policy) *core.Plan {
	plan, err := core.NewPlan(out.Conversation, out.State, p, core.Env{Force: true})
	require.NoError(t, err)
	return plan
}
