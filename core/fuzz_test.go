package core_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/validity"
)

// conversations of the fuzzer: small, with every kind of thing that a plan may not touch.
var fuzzConversations = []string{
	hostileInput,
	`[{"role":"user","content":"Do not change the tests."},{"role":"assistant","content":"I look at it now, in some more words than a label has."},` +
		`{"role":"user","content":[{"type":"text","text":"<system-reminder>a reminder that says more than it needs to say</system-reminder>"},{"type":"text","text":"And then?"}]},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{"a":"b"}},{"type":"tool_use","id":"2","name":"run","input":{"a":"b"}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"one output of many words, so that there is something to save"},{"type":"tool_result","tool_use_id":"2","content":"another output of many words, so that there is something to save"}]},` +
		`{"role":"assistant","content":"Both are fine, as far as anybody can see from here."},{"role":"user","content":"Thanks."}]`,
	`[{"role":"system","content":"You help, in as many words as it takes."},{"role":"user","content":"Go on with what you were asked to do before."},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"run","arguments":"{}"}},{"id":"2","type":"function","function":{"name":"run","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"1","content":"one output of many words, so that there is something to save"},{"role":"tool","tool_call_id":"2","content":"another output of many words, so that there is something to save"},` +
		`{"role":"assistant","content":"Done, and everything is as it should be now."},{"role":"user","content":"And the other one, please, in the same way."},{"role":"assistant","content":"That one too."}]`,
	`[{"role":"user","content":"[Compressed]\n\n[part 1]\nThe first part of a summary, with words.\n\n[part 2]\nThe second part of it."},{"role":"assistant","content":"Understood. Continuing."},{"role":"user","content":"Go."}]`,
}

// FuzzApply hands Apply plans that no NewPlan made. It never panics, refuses with one of three codes, and what it
// accepts leaves a conversation without a problem that was not there before.
func FuzzApply(f *testing.F) {
	for i, text := range fuzzConversations {
		c := parse(f, text)
		for j, info := range policy.Presets() {
			for _, p := range []policy.Policy{info.Policy, fuzzPolicy(f, j)} {
				if plan, err := core.NewPlan(c, "", p, core.Env{Force: true}); err == nil {
					plan.Base = "" // filled in below
					f.Add(uint8(i), uint8(j), mustJSON(f, plan))
				}
			}
		}
	}
	f.Add(uint8(1), uint8(0),
		[]byte(`{"length":7,"archive":[{"start":0,"end":7}],"regions":[{"spans":[{"start":3,"end":4}],"requests":["a"],"level":1,"tokens":500}],"requests":[{"id":"a","maxTokens":50}]}`))
	f.Add(uint8(1), uint8(6),
		[]byte(`{"length":7,"archive":[{"start":0,"end":7}],"regions":[{"spans":[{"start":4,"end":5}],"blocks":[{"message":4,"block":1}],"requests":["a"],"level":1,"tokens":500},`+
			`{"spans":[{"start":3,"end":5}],"requests":["b"],"level":1,"tokens":500}],"requests":[{"id":"a","maxTokens":50},{"id":"b","maxTokens":50}]}`))
	f.Add(uint8(3), uint8(5),
		[]byte(`{"length":3,"archive":[{"start":0,"end":1}],"regions":[{"spans":[{"start":0,"end":1}],"blocks":[{"message":0,"block":0}],"requests":["a","b"],"level":2,"tokens":500}],"requests":[{"id":"a","maxTokens":50},{"id":"b","maxTokens":50}]}`))
	f.Fuzz(func(t *testing.T, conversation, preset uint8, document []byte) {
		var plan core.Plan
		if json.Unmarshal(document, &plan) == nil {
			requireSafe(t, parse(t, fuzzConversations[int(conversation)%len(fuzzConversations)]), fuzzPolicy(t, int(preset)),
				&plan)
		}
	})
}

// The same with plans drawn part by part, which gets further into the checks than broken JSON does.
func TestHostilePlans(t *testing.T) {
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, rapid.SampledFrom(fuzzConversations).Draw(t, "conversation"))
		p := fuzzPolicy(t, rapid.IntRange(0, 20).Draw(t, "preset"))
		plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
		if err != nil || rapid.Bool().Draw(t, "parse again") {
			plan = &core.Plan{Length: rapid.IntRange(-1, len(c.Messages)+1).Draw(t, "length")}
		}
		plan.Base = ""
		drawHostile(t, plan, len(c.Messages))
		if requireSafe(t, c, p, plan) {
			accepted++
		}
	})
	require.NotZero(t, accepted, "some of them are good plans")
}

// drawHostile changes a plan here and there.
func drawHostile(t *rapid.T, plan *core.Plan, n int) {
	message := rapid.IntRange(-1, n)
	span := rapid.Custom(func(t *rapid.T) core.Span {
		start := message.Draw(t, "start")
		return core.Span{Start: start, End: start + rapid.IntRange(0, 3).Draw(t, "len")}
	})
	ref := rapid.Custom(func(t *rapid.T) msg.Ref {
		return msg.Ref{Message: message.Draw(t, "message"), Block: rapid.IntRange(-1, 2).Draw(t, "block")}
	})
	id := rapid.SampledFrom([]string{"a", "b", "c"})
	edit := rapid.Custom(func(t *rapid.T) core.Edit {
		r := ref.Draw(t, "ref")
		kind := rapid.SampledFrom([]string{"clear_result", "clear_input", "drop_thinking", "limit_output", "oversize_input",
			"x"}).Draw(t, "kind")
		var e core.Edit
		require.NoError(t, json.Unmarshal([]byte(`{"kind":"`+kind+`"}`), &e))
		e.Message, e.Block, e.Text = r.Message, r.Block, rapid.SampledFrom([]string{"", "{}", "[gone]"}).Draw(t, "text")
		return e
	})
	region := rapid.Custom(func(t *rapid.T) core.Region {
		r := core.Region{Spans: rapid.SliceOfN(span, 0, 2).Draw(t, "spans"),
			Requests: rapid.SliceOfN(id, 0, 2).Draw(t, "requests"),
			Tokens:   rapid.IntRange(-1, 500).Draw(t, "tokens"),
			Level:    rapid.SampledFrom([]int{0, 1, 1, 1, 2, 2}).Draw(t, "level")}
		switch rapid.IntRange(0, 3).Draw(t, "inPlace") {
		case 0:
			r.Blocks = rapid.SliceOfN(ref, 0, 3).Draw(t, "blocks")
		case 1: // nearly right
			m, b := rapid.IntRange(0, n-1).Draw(t, "message"), rapid.IntRange(0, 1).Draw(t, "block")
			r.Spans = []core.Span{{Start: m, End: m + 1}}
			r.Blocks = []msg.Ref{{Message: m, Block: b}}
			if next := rapid.IntRange(0, 1).Draw(t, "next"); next > 0 && m+1 < n {
				r.Spans[0].End++
				r.Blocks = append(r.Blocks, msg.Ref{Message: m + next, Block: 0})
			}
		}
		return r
	})
	if rapid.Bool().Draw(t, "edits") {
		plan.Edits = append(plan.Edits, rapid.SliceOfN(edit, 0, 2).Draw(t, "more edits")...)
	}
	if rapid.Bool().Draw(t, "regions") {
		plan.Regions = rapid.SliceOfN(region, 0, 3).Draw(t, "more regions")
		plan.Requests = nil
		for _, r := range plan.Regions {
			for _, id := range r.Requests {
				plan.Requests = append(plan.Requests, core.SummaryRequest{ID: id, MaxTokens: rapid.IntRange(-1, 60).Draw(t, "max"),
					Tokens: r.Tokens})
			}
		}
	}
	switch rapid.IntRange(0, 2).Draw(t, "archive") {
	case 0:
		plan.Archive = rapid.SliceOfN(span, 0, 3).Draw(t, "spans")
	case 1:
		plan.Archive = []core.Span{{Start: 0, End: max(plan.Length, 0)}}
	}
	plan.Target = rapid.SampledFrom([]int{0, 10, 1000, -1}).Draw(t, "target")
}

// requireSafe applies a plan with several sets of results. It reports whether the plan was accepted.
func requireSafe(t require.TestingT, c *msg.Conversation, p policy.Policy, plan *core.Plan) bool {
	// the digest alone must not stop the checks behind it
	if plan.Base == "" && plan.Length >= 0 && plan.Length <= len(c.Messages) {
		idle, err := policy.Preset("clear_thinking")
		require.NoError(t, err)
		same, err := core.NewPlan(c.WithMessages(c.Messages[:plan.Length]), "", idle, core.Env{})
		require.NoError(t, err)
		plan.Base = same.Base
	}
	var results []core.SummaryResult
	for i, q := range plan.Requests {
		if i%3 < 2 {
			results = append(results, core.SummaryResult{ID: q.ID, Text: convtest.Vouched(q.User, "It went well.")})
		}
	}
	extracted, err := core.Summarize(c, "", p, core.Env{}, plan, nil)
	if err != nil {
		requireRefusal(t, err)
	}
	core.Archive(c, plan)
	accepted := false
	for _, rs := range [][]core.SummaryResult{results, extracted, nil} {
		out, err := core.Apply(c, "", p, core.Env{}, plan, rs)
		if err != nil {
			requireRefusal(t, err)
			continue
		}
		accepted = true
		was, again := refusals(c), reread(t, out.Conversation)
		for _, problem := range refusals(again) {
			require.Contains(t, was, problem, "%s", again.Messages)
		}
	}
	return accepted
}

// fuzzPolicy is a preset's policy with something to do on a few messages.
func fuzzPolicy(t require.TestingT, preset int) policy.Policy {
	names := policy.Names()
	p, err := policy.Preset(names[preset%len(names)])
	require.NoError(t, err)
	p.Clear.MinChars, p.Clear.KeepRecent, p.Clear.MinSavings, p.Clear.ProtectTokens = 0, 0, 0, 0
	p.Pin.RecentTurns, p.Pin.RecentTokens, p.Pin.KeepTurns = 0, 0, 1
	p.Summary.ShareExtra, p.Summary.ChunkMessages = 0, min(p.Summary.ChunkMessages, 2)
	p.Summary.MaxTokens = min(p.Summary.MaxTokens, 20)
	require.NoError(t, p.Validate())
	return p
}

func requireRefusal(t require.TestingT, err error) {
	var e *core.Error
	require.ErrorAs(t, err, &e)
	require.True(t, slices.Contains([]core.Code{msg.BadPlan, msg.StalePlan, msg.BadRequest}, e.Code), "%s: %s", e.Code,
		e.Msg)
}

// refusals lists the problems that a provider would refuse, by rule and text.
func refusals(c *msg.Conversation) []string {
	var list []string
	for _, p := range validity.Check(c) {
		if p.Severity == validity.SeverityError {
			list = append(list, strings.Join([]string{string(p.Rule), p.Message}, ": "))
		}
	}
	return list
}
