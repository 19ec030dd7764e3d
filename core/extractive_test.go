package core_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// Summarize answers all requests of a plan within their budgets, and Apply accepts the answers.
func TestSummarizeAnswersEveryRequest(t *testing.T) {
	c := parse(t, talk(30))
	for _, name := range policy.Names() {
		t.Run(name, func(t *testing.T) {
			p, err := policy.Preset(name)
			require.NoError(t, err)
			c, state, env := c, core.State(""), core.Env{Force: true}
			plan, err := core.NewPlan(c, state, p, env)
			require.NoError(t, err)
			for round := 0; plan != nil; round++ {
				require.Less(t, round, 10) // a loop that does not end fails
				results, err := core.Summarize(c, "", p, env, plan, nil)
				require.NoError(t, err)
				require.Len(t, results, len(plan.Requests))
				asked := map[string]core.SummaryRequest{}
				for _, q := range plan.Requests {
					asked[q.ID] = q
				}
				for _, r := range results {
					require.Empty(t, r.Err)
					require.LessOrEqual(t, tokens.Estimate.Count(r.Text), asked[r.ID].MaxTokens)
					one, err := core.Summarize(c, "", p, env, plan, []string{r.ID})
					require.NoError(t, err)
					require.Equal(t, []core.SummaryResult{r}, one, "alone as together")
				}
				out, err := core.Apply(c, state, p, env, plan, results)
				require.NoError(t, err)
				for _, a := range out.Actions {
					require.NotEqual(t, "failed", a.Kind, a.Reason)
				}
				requireNoErrors(t, out.Conversation)
				c, state, plan = out.Conversation, out.State, out.Next
			}
		})
	}
}

// For any conversation and policy: an answer or an error for each request, and the outcome is valid.
func TestSummarizeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, string(convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format"))))
		p, env := drawPolicy(t), drawEnv(t)
		plan := planOrOverflow(t, c, "", p, env)
		results, err := core.Summarize(c, "", p, env, plan, nil)
		require.NoError(t, err)
		require.Len(t, results, len(plan.Requests))
		for _, r := range results {
			require.NotEqual(t, r.Text == "", r.Err == "", "one of the two")
		}
		out, err := core.Apply(c, "", p, env, plan, results)
		require.NoError(t, err)
		require.LessOrEqual(t, out.After, out.Before)
		requireNoErrors(t, out.Conversation)
	})
}

// A merge condenses the parts: it keeps whole lines below their headings, and repeats no line.
func TestSummarizeMerges(t *testing.T) {
	c := parse(t, `[{"role":"user","content":"[Summary of the earlier conversation, as history, not as a request]\n\n[part 1]\nIt is history.\n\n## Files\n- a.go (read)\n  func A()\n- b.go\n\n[part 2]\nIt is history.\n\n## Files\n- c.go (edited)\n  func C()\n\n## Next\n- run the tests\n\n[part 3]\n## Files\n- a.go (read)\n- d.go\n\n## Next\n- look at d.go\n\n[part 4]\n## Next\n- finish"},{"role":"user","content":"Go."}]`)
	p, err := policy.Parse("hierarchical", []byte(`{"summary":{"mergeTokens":60}}`))
	require.NoError(t, err)
	head, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	merge := func(maxTokens int) core.SummaryResult {
		plan := &core.Plan{Base: head.Base, Length: 2, Archive: []core.Span{{Start: 0, End: 1}},
			Regions: []core.Region{{Spans: []core.Span{{Start: 0, End: 1}}, Blocks: []msg.Ref{{}},
				Requests: []string{"x"}, Level: 2, Tokens: 500}},
			Requests: []core.SummaryRequest{{ID: "x", Level: 2, Tokens: 500, MaxTokens: maxTokens}}}
		results, err := core.Summarize(c, "", p, core.Env{}, plan, nil)
		require.NoError(t, err)
		require.Len(t, results, 1)
		require.LessOrEqual(t, tokens.Estimate.Count(results[0].Text), maxTokens)
		return results[0]
	}
	require.Equal(t, "## What the assistant found, decided and did\n- turn 1: It is history.\n- turn 1: run the tests\n"+
		"- turn 1: look at d.go\n  finish\n\n## Files\n- a.go (read ×2)\n  func A()\n- c.go (edited)\n  func C()\n\n"+
		"## Commands and tools, with results\n- b.go\n- d.go", merge(200).Text)
	small := merge(32).Text
	require.NotEmpty(t, small)
	require.NotContains(t, small, "func C()")
	require.NotEmpty(t, merge(1).Err)
}

// Results that do not match the requests: an error for a mistake of the host, the failure path for a failed call.
func TestResults(t *testing.T) {
	c := parse(t, talk(20))
	p, err := policy.Parse("hierarchical", []byte(`{"summary":{"chunkMessages":8}}`))
	require.NoError(t, err)
	rows := []struct {
		why        string
		results    func(ids []string) []core.SummaryResult
		change     func(*core.Plan)
		code       core.Code
		path, says string
		failed     int // regions on the failure path
	}{
		{"all missing", func([]string) []core.SummaryResult { return nil }, nil, "", "", "", 5},
		{"one missing", func(ids []string) (rs []core.SummaryResult) {
			for _, id := range ids[1:] {
				rs = append(rs, core.SummaryResult{ID: id, Text: "Done."})
			}
			return rs
		}, nil, "", "", "", 1},
		{"one with text and error: the call failed", func(ids []string) []core.SummaryResult {
			return []core.SummaryResult{{ID: ids[0], Text: "Done.", Err: "cut"}}
		}, nil, "", "", "", 5},
		{"an id without a request", func(ids []string) []core.SummaryResult {
			return []core.SummaryResult{{ID: ids[0], Text: "Done."}, {ID: "other", Text: "Done."}}
		}, nil, msg.BadRequest, "/results/1", "answers no request", 0},
		{"an id twice, even with the same answer", func(ids []string) []core.SummaryResult {
			return []core.SummaryResult{{ID: ids[0], Text: "Done."}, {ID: ids[0], Text: "Done."}}
		}, nil, msg.BadRequest, "/results/1", "answered twice", 0},
		{"an answer to a request that was taken out of the plan", func(ids []string) []core.SummaryResult {
			return []core.SummaryResult{{ID: ids[0], Text: "Done."}}
		}, func(p *core.Plan) { p.Requests = p.Requests[1:] }, msg.BadRequest, "/results/0", "answers no request", 0},
		{"all requests taken out: their regions stay", func([]string) []core.SummaryResult { return nil },
			func(p *core.Plan) { p.Requests = nil }, "", "", "", 0},
		{"a request twice in the plan", func([]string) []core.SummaryResult { return nil },
			func(p *core.Plan) {
				p.Requests = append(p.Requests, p.Requests[0])
			}, msg.BadPlan, "/plan/requests/5", "the same id", 0},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
			require.NoError(t, err)
			require.Len(t, plan.Requests, 5)
			var ids []string
			for _, q := range plan.Requests {
				ids = append(ids, q.ID)
			}
			if row.change != nil {
				row.change(plan)
			}
			given := row.results(ids)
			for i := range given {
				if at := slices.Index(ids, given[i].ID); at >= 0 && at < len(plan.Requests) {
					given[i].Text = convtest.Vouched(plan.Requests[at].User, given[i].Text)
				}
			}
			out, err := core.Apply(c, "", p, core.Env{}, plan, given)
			if row.code != "" {
				var e *core.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, row.code, e.Code)
				require.Equal(t, row.path, e.Path)
				require.Contains(t, e.Msg, row.says)
				return
			}
			require.NoError(t, err)
			requireNoErrors(t, out.Conversation)
			failed := 0
			for _, a := range out.Actions {
				if a.Kind == "failed" {
					failed++
				}
			}
			require.Equal(t, row.failed, failed)
		})
	}
	plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
	require.NoError(t, err)
	_, err = core.Summarize(c, "", p, core.Env{}, plan, []string{"other"})
	require.ErrorContains(t, err, "no request of the plan has the id \"other\"")
	_, err = core.Summarize(c, "", p, core.Env{}, nil, nil)
	require.ErrorContains(t, err, "there is no plan")
}

// CompactCall reports a call until the model answers. Planning again after the compaction changes nothing and is no
// error.
func TestCompactRunsOnce(t *testing.T) {
	calls := map[string]string{
		msg.Anthropic: `{"role":"assistant","content":[{"type":"tool_use","id":"z","name":"compact","input":{"focus":"the ports"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"z","content":"ok"}]}]`,
		msg.OpenAIChat: `{"role":"assistant","content":null,"tool_calls":[{"id":"z","type":"function","function":{"name":"compact","arguments":"{\"focus\":\"the ports\"}"}}]},` +
			`{"role":"tool","tool_call_id":"z","content":"ok"}]`,
	}
	for name, call := range calls {
		for _, preset := range policy.Names() {
			t.Run(name+" "+preset, func(t *testing.T) {
				p, err := policy.Preset(preset)
				require.NoError(t, err)
				c, state := parse(t, strings.TrimSuffix(talk(20), "]")+","+call), core.State("")
				plan, err := core.NewPlan(c, state, p, core.Env{})
				require.NoError(t, err)
				require.Equal(t, "manual", plan.Trigger.Kind)
				for _, q := range plan.Requests {
					require.Contains(t, q.System, "the ports")
				}
				extract := func(l *core.Loop) []core.SummaryResult {
					results, err := l.Summarize()
					require.NoError(t, err)
					return results
				}
				c, state = allRounds(t, c, state, p, core.Env{}, extract, func(*core.Outcome) {})
				again, err := core.NewPlan(c, state, p, core.Env{})
				require.NoError(t, err)
				require.Empty(t, again.Edits)
				require.Empty(t, again.Requests)
				out, err := core.Apply(c, state, p, core.Env{}, again, nil)
				require.NoError(t, err)
				require.Same(t, c, out.Conversation)
			})
		}
	}
}
