package apply_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// When an outcome asks for a further step. The plan is made of the first rounds of a session and applied when more have
// come, so that the outcome is above the target whatever the plan did.
func TestNext(t *testing.T) {
	const regions = `{"preset":"regions","trigger":{"window":8000,"bufferTokens":0},"pin":{"recentTokens":0,"recentTurns":2}}`
	const turns = `{"preset":"turns","trigger":{"window":8000},"pin":{"keepTurns":2}}`
	sameSize := func(plan *core.Plan, c *msg.Conversation) { // frees nothing, and no request is left
		plan.Requests = nil
		ref := plan.Regions[0].Blocks[0]
		plan.Edits = []core.Edit{{Message: ref.Message, Block: ref.Block, Kind: "clear_result",
			Text: strings.TrimSuffix(strings.ReplaceAll(c.At(ref).Text, "word", "text"), " ")}}
	}
	target := func(more int) func(*core.Plan, *msg.Conversation) { // the target is the size of its outcome, or more
		return func(plan *core.Plan, c *msg.Conversation) {
			p, err := policy.Parse("", []byte(regions))
			require.NoError(t, err)
			counter, _ := tokens.Lookup("cjk")
			out, err := core.Apply(c, "", p, core.Env{Count: counter}, plan,
				answerAll(plan, core.SummaryResult{Text: "They read on."}))
			require.NoError(t, err)
			plan.Target = out.After + more
		}
	}
	rows := []struct {
		why, policy string
		planned     core.Env // of NewPlan
		rounds      int      // that came
		fails       int      // how many requests
		change      func(*core.Plan, *msg.Conversation)
		env         core.Env // of Apply
		ahead       core.Env // in which a plan of the outcome asks for something
		next        bool
	}{
		{"above the target", regions, core.Env{}, 60, 0, nil, core.Env{}, core.Env{}, true},
		{"a request failed: it would be asked again for ever", regions, core.Env{}, 60, 1, nil, core.Env{}, core.Env{},
			false},
		{"a strategy that summarizes in one step", turns, core.Env{}, 60, 0, nil, core.Env{}, core.Env{}, false},
		{"it freed nothing", regions, core.Env{}, 60, 0, sameSize, core.Env{}, core.Env{}, false},
		{"the usage of a response before is not that of the outcome", regions, core.Env{}, 60, 0, nil,
			core.Env{Usage: &core.Usage{Input: 10}}, core.Env{}, true},
		{"it was asked for by hand", regions, core.Env{Force: true}, 60, 0, nil, core.Env{}, core.Env{}, false},
		{"it comes to the target", regions, core.Env{}, 60, 0, target(0), core.Env{}, core.Env{}, false},
		{"it comes to a token more", regions, core.Env{}, 60, 0, target(-1), core.Env{}, core.Env{}, true},
		{"force is for the first plan alone", regions, core.Env{}, 18, 0, nil, core.Env{Force: true}, core.Env{Force: true},
			false},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			counter, _ := tokens.Lookup("cjk") // it rounds, so that a text can become shorter at the same size
			row.env.Count, row.ahead.Count, row.planned.Count = counter, counter, counter
			whole := parse(t, session("claude-opus-4-5", 40+row.rounds, 100))
			const length = 1 + 2*40
			p, err := policy.Parse("", []byte(row.policy))
			require.NoError(t, err)
			plan, err := core.NewPlan(whole.WithMessages(whole.Messages[:length:length]), "", p, row.planned)
			require.NoError(t, err)
			require.NotEmpty(t, plan.Requests)
			if row.change != nil {
				row.change(plan, whole)
			}
			rs := answerAll(plan, core.SummaryResult{Text: "They read on."})
			for i := range row.fails {
				rs[i].Text, rs[i].Err = "", "overloaded"
			}
			out, err := core.Apply(whole, "", p, row.env, plan, rs)
			require.NoError(t, err)
			require.NotSame(t, whole, out.Conversation)
			require.GreaterOrEqual(t, out.After, plan.Target)
			ahead, err := core.NewPlan(out.Conversation, out.State, p, row.ahead)
			require.NoError(t, err)
			require.NotEmpty(t, ahead.Requests, "there is more to ask for")
			if !row.next {
				require.Nil(t, out.Next)
				return
			}
			require.NotNil(t, out.Next)
			require.NotEmpty(t, out.Next.Requests)
		})
	}
}
