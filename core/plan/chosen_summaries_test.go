package plan_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
)

// What the host chose to summarize is replaced if the request is answered, unchanged if it is not, and in the archive;
// what it did not choose stays, except the other halves of pairs; and the provider takes the outcome, under any policy.
func TestChosenSummaries(t *testing.T) {
	done, asked, replaced := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, string(convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format"))))
		requireNoErrors(t, c)
		if len(c.Messages) == 0 {
			return
		}
		p, env := drawPolicy(t), drawEnv(t)
		chosen := &core.Chosen{}
		from := rapid.IntRange(0, len(c.Messages)-1).Draw(t, "from")
		to := rapid.IntRange(from, len(c.Messages)-1).Draw(t, "to")
		whole := rapid.Bool().Draw(t, "whole messages")
		for it := c.WalkIn(msg.Span{Start: from, End: to + 1}); it.Next(); {
			if m := &c.Messages[it.Ref.Message]; m.Role == msg.System || m.Role == msg.Developer {
				continue
			}
			if it.Ref.Message < msg.OpenRound(c) && (whole || rapid.Bool().Draw(t, "one")) {
				chosen.Summarize = append(chosen.Summarize, it.Ref)
			}
		}
		if len(chosen.Summarize) == 0 {
			return
		}
		if rapid.Bool().Draw(t, "drops, too") {
			chosen.Drop = []msg.Ref{{Message: rapid.IntRange(0, from).Draw(t, "drop")}}
			if len(c.Messages[chosen.Drop[0].Message].Blocks) == 0 {
				chosen.Drop = nil
			}
		}
		env.Chosen = chosen
		plan, err := core.NewPlan(c, "", p, env)
		if err != nil {
			require.ErrorContains(t, err, "cannot summarize message")
			return
		}
		again, err := core.NewPlan(c, "", p, env)
		require.NoError(t, err)
		require.Equal(t, plan, again, "the same bytes")
		done++
		asked += len(plan.Requests)
		require.Equal(t, "summarize", plan.Trigger.Kind)
		isChosen := map[msg.Ref]bool{}
		for _, r := range chosen.Summarize {
			isChosen[r] = true
		}
		archive := core.Archive(c, plan)
		results := drawResults(t, plan)
		if rapid.Bool().Draw(t, "without a model") {
			results, err = core.Summarize(c, "", p, env, plan, nil)
			require.NoError(t, err)
		}
		out, err := core.Apply(c, "", p, env, plan, results)
		require.NoError(t, err)
		same, err := core.Apply(c, "", p, env, plan, results)
		require.NoError(t, err)
		require.Equal(t, out, same)
		requireNoErrors(t, reread(t, out.Conversation))
		pairs := msg.Pair(c)
		for m := range out.Fates {
			for b, fate := range out.Fates[m].Blocks {
				r := msg.Ref{Message: m, Block: b}
				if fate.Fate != "summarized" {
					require.NotEqual(t, "truncated", fate.Fate, "nothing is lost without a summary")
					continue
				}
				replaced++
				require.NotNil(t, fate.Summary)
				if raw := c.Messages[m].Raw; raw != nil {
					require.True(t, bytes.Contains(archive, raw.Line()), "in the archive")
				}
				if !isChosen[r] { // with a pair that was chosen, or in the message of a block that has no text
					require.True(t, joins(c, pairs, m, isChosen), "%v: nothing asks for it", r)
				}
			}
		}
		for now, state, next := out.Conversation, out.State, out.Next; next != nil; {
			step, err := core.Apply(now, state, p, env, next, drawResults(t, next))
			if isOverflow(err) {
				return
			}
			require.NoError(t, err)
			requireNoErrors(t, reread(t, step.Conversation))
			now, state, next = step.Conversation, step.State, step.Next
		}
	})
	t.Logf("%d plans, %d requests, %d blocks replaced", done, asked, replaced)
	require.Positive(t, replaced)
}

// joins reports whether message m has a chosen block, or is between the halves of a pair.
func joins(c *msg.Conversation, pairs msg.Pairing, m int, chosen map[msg.Ref]bool) bool {
	for b := range c.Messages[m].Blocks {
		if chosen[msg.Ref{Message: m, Block: b}] {
			return true
		}
	}
	found := false
	for it := c.Walk(); it.Next(); {
		ref := it.Ref
		pairs.Linked(ref, func(other msg.Ref) {
			found = found || min(ref.Message, other.Message) <= m && m <= max(ref.Message, other.Message)
		})
	}
	return found
}

const chosenSession = `{"system":"Be brief.","messages":[{"role":"user","content":"QUESTION"},
{"role":"assistant","content":[{"type":"text","text":"I read both."},{"type":"tool_use","id":"a","name":"read","input":{"path":"a.go"}},
{"type":"tool_use","id":"b","name":"read","input":{"path":"b.go"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"FIRST"},{"type":"tool_result","tool_use_id":"b","content":"SECOND"}]},
{"role":"assistant","content":"ANSWER"},{"role":"user","content":"go on"},
{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"read","input":{"path":"c.go"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"THIRD"}]}]}`

// A result alone is replaced in place, a call with its results, and a text alone; whatever the policy. The user's words
// stay.
func TestChosenSummariesOfEachKind(t *testing.T) {
	long := func(word string) string { return strings.Repeat(word+" is one of many words here. ", 60) }
	text := chosenSession
	for _, word := range []string{"QUESTION", "FIRST", "SECOND", "ANSWER", "THIRD"} {
		text = strings.Replace(text, word, long(word), 1)
	}
	ref := func(m, b int) msg.Ref { return msg.Ref{Message: m, Block: b} }
	all := []msg.Ref{ref(0, 0), ref(1, 0), ref(1, 1), ref(1, 2), ref(2, 0), ref(2, 1), ref(3, 0)}
	for _, name := range policy.Names() {
		for _, test := range []struct {
			why      string
			refs     []msg.Ref
			messages int
			gone     []string
		}{
			{"one result", all[4:5], 7, []string{"FIRST"}},
			{"both results, whose calls stay", all[4:6], 7, []string{"FIRST", "SECOND"}},
			{"a call", all[2:3], 6, []string{"FIRST", "SECOND"}},
			{"a prompt, whose words stay", all[:1], 7, []string{}},
			{"an answer", all[6:], 7, []string{"ANSWER"}},
			{"the text of a message with calls", all[1:2], 7, nil}, // too short for a summary
			{"all above the last prompt", all, 4, []string{"FIRST", "SECOND", "ANSWER"}},
		} {
			c := parse(t, text)
			p, err := policy.Preset(name)
			require.NoError(t, err)
			env := core.Env{Chosen: &core.Chosen{Summarize: test.refs}}
			plan, err := core.NewPlan(c, "", p, env)
			require.NoError(t, err)
			var results []core.SummaryResult
			for _, q := range plan.Requests {
				results = append(results, core.SummaryResult{ID: q.ID, Text: convtest.Vouched(q.User, "The files were read.")})
			}
			out, err := core.Apply(c, "", p, env, plan, results)
			require.NoError(t, err)
			left := strings.Join(rendered(t, out.Conversation), "\n")
			for _, word := range []string{"QUESTION", "FIRST", "SECOND", "ANSWER", "THIRD"} {
				gone := strings.Contains(strings.Join(test.gone, " "), word)
				require.Equal(t, !gone, strings.Contains(left, word+" is one"), "%s, %s: %s", name, test.why, word)
			}
			require.Len(t, out.Conversation.Messages, test.messages, "%s, %s", name, test.why)
			requireNoErrors(t, out.Conversation)
			for next := out.Next; next != nil; next = out.Next { // of the policy: no summary is cleared
				out, err = core.Apply(out.Conversation, out.State, p, core.Env{}, next, nil)
				require.NoError(t, err)
			}
			left = strings.Join(rendered(t, out.Conversation), "\n")
			require.Equal(t, test.gone != nil, strings.Contains(left, "The files were read."), "%s, %s", name, test.why)
		}
	}
}

// A block that cannot be summarized is an error that names its place in the list and the reason.
func TestChosenSummariesThatCannotBe(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	c := parse(t, `{"model":"gpt-5","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"`+
		strings.Repeat("many words ", 50)+`"},{"role":"assistant","content":"Yes."},{"role":"user","content":"go on"},`+
		`{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"read","arguments":"{}"}}]},`+
		`{"role":"tool","tool_call_id":"a","content":"ok"}]}`)
	for _, test := range []struct {
		chosen core.Chosen
		path   string
		why    string
	}{
		{core.Chosen{Summarize: []msg.Ref{{Message: 1}, {Message: 0}}}, "/summarize/1", "instructions are never touched"},
		{core.Chosen{Summarize: []msg.Ref{{Message: 4}}}, "/summarize/0", "open tool round"},
		{core.Chosen{Summarize: []msg.Ref{{Message: 5}}}, "/summarize/0", "open tool round"},
		{core.Chosen{Summarize: []msg.Ref{{Message: 9}}}, "/summarize/0", "has no block"},
		{core.Chosen{Summarize: []msg.Ref{{Message: 1}}, Keep: []msg.Ref{{Message: 1}}}, "/summarize/0", "kept or removed"},
		{core.Chosen{Summarize: []msg.Ref{{Message: 1}}, Drop: []msg.Ref{{Message: 1}}}, "/summarize/0", "kept or removed"},
	} {
		_, err := core.NewPlan(c, "", p, core.Env{Chosen: &test.chosen})
		var e *core.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, test.path, e.Path)
		require.ErrorContains(t, err, test.why)
	}
	// One that has a summary already, by itself; with other messages, the summary is a part of the new one.
	chosen := core.Env{Chosen: &core.Chosen{Summarize: []msg.Ref{{Message: 1}}}}
	plan, err := core.NewPlan(c, "", p, chosen)
	require.NoError(t, err)
	out, err := core.Apply(c, "", p, chosen, plan, []core.SummaryResult{{ID: plan.Requests[0].ID, Text: "Words."}})
	require.NoError(t, err)
	_, err = core.NewPlan(out.Conversation, out.State, p, chosen)
	require.ErrorContains(t, err, "it is a summary already")
}

// A block that the host chose to remove, and that stays, says why.
func TestChosenThatStays(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	c := parse(t, `{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"a"}]}`)
	plan, err := core.NewPlan(c, "", p, core.Env{Chosen: &core.Chosen{Drop: []msg.Ref{{}}}})
	require.NoError(t, err)
	require.Len(t, plan.Decisions, 1)
	require.Equal(t, "instructions are never touched", plan.Decisions[0].Reason)
}
