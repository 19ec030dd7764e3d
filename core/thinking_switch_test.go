package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
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
		"clearing too":   `{"preset":"turns",` + fullWindow + `,"clear":{"enabled":true,"keepRecent":1},"thinking":{"keepTurns":2}}`,
	}
	for why, policy := range rows {
		for _, answer := range []core.SummaryResult{{Text: "They read on."}, {Err: "overloaded"}} {
			t.Run(why+" "+answer.Text+answer.Err, func(t *testing.T) {
				p, err := core.ParsePolicy("", []byte(policy))
				require.NoError(t, err)
				plan, err := core.NewPlan(parse(t, document), "", p, core.Env{})
				require.NoError(t, err)
				require.NotZero(t, len(plan.Edits)+len(plan.Requests))
				c := parse(t, strings.Replace(document, "claude-opus-4-5", bindingModel, 1))
				require.True(t, msg.BindsThinking(c.Model))
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
				} else {
					require.Greater(t, kept, 0)
				}
			})
		}
	}
}
