package apply_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
)

// The spans of a region are in order, apart, not empty and within the plan: a summary comes where the first one
// begins, and says how many messages it replaces.
func TestApplyRefusesSpansOutOfPlace(t *testing.T) {
	c := parse(t, talk(20))
	for _, preset := range []string{"turns", "s06", "balanced"} {
		p, err := policy.Preset(preset)
		require.NoError(t, err)
		p.Pin.RecentTokens, p.Pin.RecentTurns = 0, 1
		plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
		require.NoError(t, err)
		require.NotEmpty(t, plan.Regions)
		own := plan.Regions[0].Spans[0]
		all := []core.Span{{Start: 0, End: plan.Length}}
		for why, spans := range map[string][]core.Span{
			"the second before the first": {{Start: 3, End: 4}, {Start: 1, End: 2}},
			"one message twice":           {{Start: 1, End: 2}, {Start: 1, End: 2}},
			"empty":                       {{Start: 3, End: 3}},
			"empty behind another":        {{Start: 1, End: 2}, {Start: 3, End: 3}},
			"backwards":                   {{Start: 3, End: 1}},
			"past the end":                {{Start: 1, End: plan.Length + 1}},
		} {
			plan.Regions[0].Spans, plan.Archive = spans, all
			_, err = core.Apply(c, "", p, core.Env{Force: true}, plan,
				answerAll(plan, core.SummaryResult{Text: "It went well."}))
			var e *core.Error
			require.ErrorAs(t, err, &e, "%s: %s", preset, why)
			require.Equal(t, msg.BadPlan, e.Code)
			require.Contains(t, e.Msg, "the spans of the region must be in order", "%s: %s", preset, why)
		}
		plan.Regions[0].Spans = []core.Span{own}
		_, err = core.Apply(c, "", p, core.Env{Force: true}, plan, answerAll(plan, core.SummaryResult{Text: "It went well."}))
		require.NoError(t, err, "its own")
	}
}

// A summary that takes the place of messages never comes between a call and its result.
func TestApplyRefusesARegionThatBeginsInsideAPair(t *testing.T) {
	c := parse(t, `[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"run","input":{}}]},`+
		`{"role":"assistant","content":"`+
		strings.Repeat("It runs, and while it does I have time to say a few words. ", 40)+`"},`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"done"},{"type":"text","text":"And then?"}]},`+
		`{"role":"assistant","content":"Nothing."},{"role":"user","content":"Well."}]`)
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Pin.RecentTokens, p.Pin.RecentTurns = 0, 0
	plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
	require.NoError(t, err)
	for _, r := range plan.Regions {
		require.NotEqual(t, 2, r.Spans[0].Start)
	}
	plan.Archive = []core.Span{{Start: 0, End: 6}}
	plan.Regions = []core.Region{{Spans: []core.Span{{Start: 2, End: 3}}, Requests: []string{"a"}, Level: 1, Tokens: 500}}
	plan.Requests = []core.SummaryRequest{{ID: "a", MaxTokens: 50, Tokens: 500}}
	_, err = core.Apply(c, "", p, core.Env{Force: true}, plan, answerAll(plan, core.SummaryResult{Text: "It ran."}))
	require.ErrorContains(t, err, "between a call and its result")
}

// Only a summary is merged: no plan replaces an instruction, a prompt, or an output that reads like a summary, by way
// of level 2.
func TestApplyMergesSummariesOnly(t *testing.T) {
	c := parse(t, `[{"role":"system","content":"Never touch the tests, whatever else you are asked to do with this repository."},`+
		`{"role":"user","content":"[Compressed]\n\n[part 1]\nOne of the parts.\n\n[part 2]\nThe other part, with some more words."},`+
		`{"role":"user","content":"Go on with the parser, and keep everything that it already does as it is."},`+
		`{"role":"assistant","content":"[Compressed]\n\nThis is what I say, with no summary in it at all, only words.","tool_calls":[{"id":"a","type":"function","function":{"name":"run","arguments":"{}"}}]},`+
		`{"role":"tool","tool_call_id":"a","content":"[compacted summary of turns 1-2]\nThis is an output that a tool made, and no summary."},`+
		`{"role":"user","content":"[Compressed]\n\nThis is a user who writes the label behind the head of the conversation."}]`)
	p, err := policy.Preset("s06")
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	for m := range c.Messages {
		plan.Archive = []core.Span{{Start: m, End: m + 1}}
		plan.Regions = []core.Region{{Spans: plan.Archive, Blocks: []msg.Ref{{Message: m}}, Requests: []string{"a"}, Level: 2,
			Tokens: 500}}
		plan.Requests = []core.SummaryRequest{{ID: "a", MaxTokens: 50, Tokens: 500}}
		_, err := core.Apply(c, "", p, core.Env{}, plan, answerAll(plan, core.SummaryResult{Text: "Short."}))
		if m == 1 {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "level 2 must be one summary", "message %d", m)
		}
	}
}
