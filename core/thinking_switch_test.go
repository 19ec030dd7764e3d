package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/models"
	"tamp/core/policy"
)

// A host that switches to a model which binds thinking after the plan was made: nothing before an open round that holds
// thinking changes, and every action says that it was not done, whether the summaries came or not.
func TestPlanOfAnotherModelInAnOpenRound(t *testing.T) {
	document := session("claude-opus-4-5", 30, 100)
	document = document[:strings.Index(document, `,{"role":"assistant","content":"That was file 29."}`)] + `]}`
	rows := map[string]string{
		"clearing":       `{"preset":"s06","trigger":{"tokens":900000}}`,
		"whole messages": `{"preset":"turns",` + fullWindow + `}`,
		"between":        `{"preset":"balanced",` + fullWindow + `,"pin":{"recentTokens":0}}`,
		"in place":       `{"preset":"regions",` + fullWindow + `,"pin":{"recentTokens":0}}`,
		"clearing too": `{"preset":"turns",` + fullWindow +
			`,"clear":{"enabled":true,"keepRecent":1},"thinking":{"keepTurns":2}}`,
	}
	for why, values := range rows {
		for _, answer := range []core.SummaryResult{{Text: "They read on."}, {Err: "overloaded"}} {
			t.Run(why+" "+answer.Text+answer.Err, func(t *testing.T) {
				p, err := policy.Parse("", []byte(values))
				require.NoError(t, err)
				plan, err := core.NewPlan(parse(t, document), "", p, core.Env{})
				require.NoError(t, err)
				require.NotZero(t, len(plan.Edits)+len(plan.Requests))
				c := parse(t, strings.Replace(document, "claude-opus-4-5", bindingModel, 1))
				require.True(t, models.BindsThinking(c.Model))
				if plan.Limit < plan.Before {
					_, err := core.Apply(c, "", p, core.Env{}, plan, answerAll(plan, answer))
					require.True(t, isOverflow(err))
					plan.Limit = 0
				}
				out, err := core.Apply(c, "", p, core.Env{}, plan, answerAll(plan, answer))
				require.NoError(t, err)
				require.Equal(t, whole(t, c), whole(t, out.Conversation))
				require.Equal(t, out.Before, out.After)
				kept := 0
				for _, a := range out.Actions {
					require.Contains(t, []string{"keep", "failed", "none"}, a.Kind)
					require.Equal(t, a.Before, a.After)
					if a.Reason == "the open tool round holds thinking that is bound to it" {
						kept++
					}
				}
				if answer.Err == "" {
					require.Equal(t, len(plan.Edits)+len(plan.Regions)+1, kept, "each of them, and the whole")
				} else if len(plan.Edits) > 0 {
					require.Equal(t, len(plan.Edits)+1, kept, "and no region is truncated")
				} else {
					require.Greater(t, kept, 0)
				}
			})
		}
	}
}

// The oldest thinking may go by itself: the thinking that is kept, by number of turns, stays on a model that binds
// thinking too.
func TestOldThinkingOfABindingModel(t *testing.T) {
	p, err := policy.Parse("", []byte(`{"preset":"clear_thinking","thinking":{"keepTurns":3}}`))
	require.NoError(t, err)
	left := map[string]int{}
	for _, model := range []string{bindingModel, "claude-opus-4-5"} {
		c := parse(t, session(model, 10, 100))
		plan, err := core.NewPlan(c, "", p, core.Env{})
		require.NoError(t, err)
		require.NotEmpty(t, plan.Edits)
		out, err := core.Apply(c, "", p, core.Env{}, plan, nil)
		require.NoError(t, err)
		require.Empty(t, brokenThinking(c, out.Conversation))
		left[model] = strings.Count(whole(t, out.Conversation), `"type":"thinking"`)
	}
	require.NotZero(t, left[bindingModel])
	require.Equal(t, left["claude-opus-4-5"], left[bindingModel])
}

// Where summaries are due, a policy that clears in steps clears nothing new, but large outputs and old thinking go as
// ever.
func TestSummariesReplaceOnlyNewClears(t *testing.T) {
	p, err := policy.Parse("", []byte(`{"preset":"balanced",`+fullWindow+`,"clear":{"minSavings":0,"keepRecent":0},`+
		`"intake":{"maxBytes":300},"pin":{"recentTokens":600,"recentTurns":4},"thinking":{"keepTurns":2}}`))
	require.NoError(t, err)
	c := parse(t, session("claude-opus-4-5", 30, 100))
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	require.NotEmpty(t, plan.Requests)
	kinds := map[string]int{}
	for _, e := range plan.Edits {
		kinds[string(e.Kind)]++
		for _, r := range plan.Regions {
			require.False(t, r.Spans[0].Start <= e.Message && e.Message < r.Spans[0].End, "replaced by a summary")
		}
	}
	require.Zero(t, kinds["clear_result"])
	require.NotZero(t, kinds["limit_output"])
	require.NotZero(t, kinds["drop_thinking"])
}
