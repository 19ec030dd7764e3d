package core_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/policy"
)

const hostileInput = `[{"role":"user","content":"Go."},
 {"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"tool_use","id":"1","name":"run","input":{"cmd":"ls"}}]},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"a listing that is long enough to be replaced by the placeholder"}]},
 {"role":"assistant","content":[{"type":"thinking","thinking":"Hm, again.","signature":"c2ln"}]},
 {"role":"user","content":"More."},
 {"role":"assistant","content":[{"type":"thinking","thinking":"Open.","signature":"c2ln"},{"type":"tool_use","id":"2","name":"run","input":{"cmd":"ls"}}]},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"2","content":"another listing that is long enough to be replaced"}]}]`

func planFor(t require.TestingT, c *msg.Conversation, text string) (policy.Policy, *core.Plan) {
	p, err := policy.Parse("", []byte(text))
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	return p, plan
}

// A plan comes from outside: whatever is wrong with it, Apply says so and changes nothing.
func TestApplyRefusesHostilePlans(t *testing.T) {
	rows := []struct {
		why  string
		code core.Code
		path string
		plan func(*core.Plan)
	}{
		{"another conversation", msg.StalePlan, "/plan/base", func(p *core.Plan) { p.Base = "0" }},
		{"longer than the conversation", msg.StalePlan, "/plan/base", func(p *core.Plan) { p.Length = 99 }},
		{"a negative length", msg.StalePlan, "/plan/base", func(p *core.Plan) { p.Length = -1 }},
		{"a message off the end", msg.BadPlan, "/plan/edits/0", func(p *core.Plan) { p.Edits[0].Message = 7 }},
		{"a negative message", msg.BadPlan, "/plan/edits/0", func(p *core.Plan) { p.Edits[0].Message = -1 }},
		{"a block off the end", msg.BadPlan, "/plan/edits/0", func(p *core.Plan) { p.Edits[0].Block = 4 }},
		{"a negative block", msg.BadPlan, "/plan/edits/0", func(p *core.Plan) { p.Edits[0].Block = -1 }},
		{"the same block twice", msg.BadPlan, "/plan/edits/1",
			func(p *core.Plan) { p.Edits = append(p.Edits[:1:1], p.Edits[0]) }},
		{"edits out of order", msg.BadPlan, "/plan/edits/1",
			func(p *core.Plan) { p.Edits[0], p.Edits[1] = p.Edits[1], p.Edits[0] }},
		{"an edit that is not archived", msg.BadPlan, "/plan/edits/0", func(p *core.Plan) { p.Archive = nil }},
		{"archive spans that overlap", msg.BadPlan, "/plan/archive/1",
			func(p *core.Plan) { p.Archive = []core.Span{{Start: 1, End: 3}, {Start: 2, End: 4}} }},
		{"an archive span off the end", msg.BadPlan, "/plan/archive/0",
			func(p *core.Plan) { p.Archive = []core.Span{{Start: 1, End: 99}} }},
		{"an empty archive span", msg.BadPlan, "/plan/archive/0",
			func(p *core.Plan) { p.Archive = []core.Span{{Start: 1, End: 1}} }},
		{"clearing a text", msg.BadPlan, "/plan/edits/0", func(p *core.Plan) {
			p.Edits = []core.Edit{{Message: 0, Kind: "clear_result", Text: "x"}}
			p.Archive = []core.Span{{Start: 0, End: 1}}
		}},
		{"an empty placeholder", msg.BadPlan, "/plan/edits/1", func(p *core.Plan) { p.Edits[1].Text = "" }},
		{"a placeholder that grows", msg.BadPlan, "/plan/edits/1", func(p *core.Plan) {
			p.Edits[1].Text = "far longer than the listing which it replaces, so that tokens would grow"
		}},
		{"an unknown kind", msg.BadPlan, "/plan/edits/1", func(p *core.Plan) { p.Edits[1].Kind = "drop_result" }},
		{"another input than none", msg.BadPlan, "/plan/edits/0", func(p *core.Plan) { p.Edits[0].Text = `{"cmd":"rm"}` }},
		{"an input of the open round", msg.BadPlan, "/plan/edits/0",
			func(p *core.Plan) { openRound(p, core.Edit{Message: 5, Block: 1, Kind: "clear_input", Text: "{}"}) }},
		{"thinking of the open round", msg.BadPlan, "/plan/edits/0",
			func(p *core.Plan) { openRound(p, core.Edit{Message: 5, Block: 0, Kind: "drop_thinking"}) }},
		{"thinking that is a call", msg.BadPlan, "/plan/edits/0",
			func(p *core.Plan) { openRound(p, core.Edit{Message: 1, Block: 1, Kind: "drop_thinking"}) }},
		{"requests without a region", msg.BadPlan, "/plan/requests",
			func(p *core.Plan) { p.Requests = make([]core.SummaryRequest, 1) }},
	}
	c := parse(t, hostileInput)
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p, plan := planFor(t, c, `{"preset":"s06","clear":{"keepRecent":1,"minChars":0,"clearToolInputs":true}}`)
			require.Len(t, plan.Edits, 2)
			row.plan(plan)
			_, err := core.Apply(c, "", p, core.Env{}, plan, nil)
			var e *core.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, row.code, e.Code, e.Msg)
			require.Equal(t, row.path, e.Path, e.Msg)
		})
	}
}

func openRound(p *core.Plan, e core.Edit) {
	p.Edits = []core.Edit{e}
	p.Archive = []core.Span{{Start: 0, End: p.Length}}
}

func TestApplyRefusesOtherInput(t *testing.T) {
	c := parse(t, hostileInput)
	p, plan := planFor(t, c, `{"preset":"s06"}`)
	rows := []struct {
		why   string
		code  core.Code
		apply func() error
	}{
		{"no plan", msg.BadPlan, func() error { _, err := core.Apply(c, "", p, core.Env{}, nil, nil); return err }},
		{"a state that is not ours", msg.BadRequest,
			func() error { _, err := core.Apply(c, "{}", p, core.Env{}, plan, nil); return err }},
		{"a state that is not JSON", msg.BadRequest,
			func() error { _, err := core.NewPlan(c, "\x00", p, core.Env{}); return err }},
		{"a result for nothing", msg.BadRequest, func() error {
			_, err := core.Apply(c, "", p, core.Env{}, plan, []core.SummaryResult{{ID: "x", Text: "y"}})
			return err
		}},
		{"a policy out of range", msg.BadPolicy, func() error {
			bad := p
			bad.Clear.KeepRecent = -1
			_, err := core.NewPlan(c, "", bad, core.Env{})
			return err
		}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			var e *core.Error
			require.ErrorAs(t, row.apply(), &e)
			require.Equal(t, row.code, e.Code)
		})
	}
}

// A plan survives JSON: it may be stored, sent, and applied later.
func TestPlanSurvivesJSON(t *testing.T) {
	c := parse(t, hostileInput)
	p, plan := planFor(t, c, `{"preset":"s06","clear":{"keepRecent":0,"minChars":0}}`)
	wire, err := json.Marshal(plan)
	require.NoError(t, err)
	var again core.Plan
	require.NoError(t, json.Unmarshal(wire, &again))
	require.Equal(t, plan, &again)
	direct, err := core.Apply(c, "", p, core.Env{}, plan, nil)
	require.NoError(t, err)
	later, err := core.Apply(c, "", p, core.Env{}, &again, nil)
	require.NoError(t, err)
	require.Equal(t, direct, later)
	require.NotEmpty(t, direct.State)
	_, err = core.NewPlan(direct.Conversation, direct.State, p, core.Env{})
	require.NoError(t, err, "our own state is taken back")
}

// Clearing replaces the content and touches nothing else: the exact bytes say so.
func TestClearTouchesNothingElse(t *testing.T) {
	before := `{"messages":[{"role":"user","content":"Go."},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},` +
		`{"role":"user","content":[ {"x":1e400, "content" : "a listing that is long enough to be replaced" ,"type":"tool_result","tool_use_id":"1","is_error":true,"cache_control":{"type":"ephemeral"},"\ud83d\ude00":"\u0000"} ]},{"role":"assistant","content":"Done."}],"x":[ ]}`
	want := `{"messages":[{"role":"user","content":"Go."},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},` +
		`{"role":"user","content":[ {"x":1e400, "content" : "[Previous: used run]" ,"type":"tool_result","tool_use_id":"1","is_error":true,"cache_control":{"type":"ephemeral"},"\ud83d\ude00":"\u0000"} ]},{"role":"assistant","content":"Done."}],"x":[ ]}`
	c := parse(t, before)
	p, plan := planFor(t, c, `{"preset":"s06","clear":{"keepRecent":0,"minChars":0}}`)
	out, err := core.Apply(c, "", p, core.Env{}, plan, nil)
	require.NoError(t, err)
	rendered, err := format.Render(out.Conversation)
	require.NoError(t, err)
	require.Equal(t, want, string(rendered))
	unchanged, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, before, string(unchanged), "the input is never changed")
}

// Force acts whatever the trigger says.
func TestForce(t *testing.T) {
	c := parse(t, hostileInput)
	p, waiting := planFor(t, c, `{"preset":"clear_tool_uses","clear":{"keepRecent":0}}`)
	require.Empty(t, waiting.Edits)
	require.Equal(t, "none", waiting.Trigger.Kind)
	forced, err := core.NewPlan(c, "", p, core.Env{Force: true})
	require.NoError(t, err)
	require.Len(t, forced.Edits, 1, "the model has not read the other one")
	require.Equal(t, "manual", forced.Trigger.Kind)
}

func mustJSON(t require.TestingT, v any) []byte {
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return out
}
