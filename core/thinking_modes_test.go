package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/validity"
)

// inOpenRound is a request in the middle of a long task: one prompt, rounds with thinking and a result of size lines,
// and the newest round is open.
func inOpenRound(t *testing.T, model, member string, rounds, size int) *msg.Conversation {
	var list strings.Builder
	list.WriteString(`{"role":"user","content":"Read all files. Never change the port."}`)
	for i := range rounds {
		id := "toolu_" + string(rune('A'+i/26)) + string(rune('a'+i%26))
		list.WriteString(`,{"role":"assistant","content":[{"type":"thinking","thinking":"File ` + id +
			` is next.","signature":"c2ln"},{"type":"tool_use","id":"` + id + `","name":"read","input":{"path":"` + id +
			`.go"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"` +
			strings.Repeat(id+" has a line of text. ", size) + `"}]}`)
	}
	return parse(t, `{"model":"`+model+`",`+member+`"messages":[`+list.String()+`]}`)
}

var saves = core.Host{Save: func([]byte) error { return nil }}

func thinkingIn(c *msg.Conversation) (all, open int) {
	round := msg.OpenRound(c)
	for it := c.Walk(); it.Next(); {
		if it.Block.Kind == msg.KindThinking {
			all++
			if it.Ref.Message >= round {
				open++
			}
		}
	}
	return all, open
}

func hasWarning(plan *core.Plan, code string) bool {
	for i := range plan.Warnings {
		if plan.Warnings[i].Code == code {
			return true
		}
	}
	return false
}

// An agent's request ends in an open round. Over the hard limit, and if forced, what precedes it changes all the same,
// and the thinking that is bound to it goes, whole; between the limits the plan waits for the end of the round.
func TestThinkingOfAnOpenRound(t *testing.T) {
	const model = bindingModel
	over, between, below := `{"preset":"balanced","trigger":{"window":60000}}`,
		`{"preset":"balanced","clear":{"enabled":false},"trigger":{"window":105000}}`, `{"preset":"balanced"}`
	for _, row := range []struct {
		name, model, member, policy string
		env                         core.Env
		changed                     bool
		open                        int // thinking blocks left in the open round
		warning                     string
	}{
		{"over the hard limit", model, "", over, core.Env{}, true, 0, "thinking_lost"},
		{"adaptive", model, `"thinking":{"type":"adaptive"},`, over, core.Env{}, true, 0, "thinking_lost"},
		{"between the limits", model, "", between, core.Env{}, false, 1, "thinking_open_round"},
		{"forced", model, "", below, core.Env{Force: true}, true, 0, "thinking_lost"},
		{"strip by name", model, "", over, core.Env{Thinking: core.StripThinking}, true, 0, "thinking_lost"},
		{"keep", model, "", over, core.Env{Thinking: core.KeepThinking}, false, 1, ""},
		{"keep, forced", model, "", below, core.Env{Thinking: core.KeepThinking, Force: true}, false, 1,
			"thinking_open_round"},
		{"drop_block, between the limits", model, "", between, core.Env{Thinking: core.DropBlock}, true, 1, ""},
		{"drop_block", model, "", over, core.Env{Thinking: core.DropBlock}, true, 1, ""},
		{"a budget of thinking", model, `"thinking":{"type":"enabled","budget_tokens":2000},`, over, core.Env{}, false, 1, ""},
		{"a budget of thinking, forced", model, `"thinking":{"type":"enabled","budget_tokens":2000},`, below,
			core.Env{Force: true}, false, 1, "thinking_open_round"},
		{"not bound", "claude-opus-4-5", "", over, core.Env{}, true, 1, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := inOpenRound(t, row.model, row.member, 30, 200)
			p, err := policy.Parse("", []byte(row.policy))
			require.NoError(t, err)
			plan, err := core.NewPlan(c, "", p, row.env)
			if !row.changed && row.policy == over {
				require.True(t, isOverflow(err))
				return
			}
			require.NoError(t, err)
			if row.warning != "" {
				require.True(t, hasWarning(plan, row.warning), "%v", plan.Warnings)
			} else {
				require.Empty(t, plan.Warnings)
			}
			out, err := core.Compact(c, "", p, row.env, saves)
			require.NoError(t, err)
			if !row.changed {
				newest := len(c.Messages) - 1 // its result may be cut
				require.Equal(t, whole(t, c.WithMessages(c.Messages[:newest])),
					whole(t, out.Conversation.WithMessages(out.Conversation.Messages[:newest])))
				return
			}
			require.Less(t, out.After, out.Before)
			all, open := thinkingIn(out.Conversation)
			require.Equal(t, row.open, open)
			before, _ := thinkingIn(c)
			lost := validity.CheckAppend(c, out.Conversation)
			switch {
			case row.model != model:
				require.Zero(t, plan.Advice.Thinking)
			case row.env.Thinking == core.DropBlock:
				require.Positive(t, plan.Advice.Thinking)
			default:
				require.Positive(t, plan.Advice.Thinking)
				require.Less(t, all, before)
				for _, problem := range lost {
					require.NotEqual(t, validity.A9ThinkingBound, problem.Rule)
				}
			}
			require.Empty(t, errorsOf(out.Conversation))
		})
	}
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	c := parse(t, `[{"role":"user","content":"Hi."}]`)
	_, planned := core.NewPlan(c, "", p, core.Env{Thinking: "maybe"})
	s, err := core.NewSession(c, "", p, nil)
	require.NoError(t, err)
	_, ofSession := s.Plan(core.Env{Thinking: "maybe"})
	for _, err := range []error{planned, ofSession} {
		var e *core.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, "/thinking", e.Path)
	}
}

// OpenAI takes reasoning after a change and does not show it to the model: the advice counts it.
func TestReasoningIsWithheld(t *testing.T) {
	var list strings.Builder
	list.WriteString(`{"role":"user","content":"Read all files."}`)
	for i := range 30 {
		id := "call_" + string(rune('a'+i))
		list.WriteString(`,{"type":"reasoning","id":"rs_` + id + `","summary":[],"encrypted_content":"` +
			strings.Repeat("gAAA", 60) + `"},{"type":"function_call","call_id":"` + id +
			`","name":"read","arguments":"{}"},{"type":"function_call_output","call_id":"` + id + `","output":"` +
			strings.Repeat("a line of text. ", 300) + `"}`)
	}
	c := parse(t, `{"model":"gpt-6.1-sol","store":false,"input":[`+list.String()+`]}`)
	p, err := policy.Parse("", []byte(`{"preset":"balanced","trigger":{"window":60000}}`))
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	require.Positive(t, plan.Advice.Thinking)
	require.Contains(t, plan.Decisions[0].Reason, "the provider does not show them to the model")
	out, err := core.Compact(c, "", p, core.Env{}, saves)
	require.NoError(t, err)
	_, open := thinkingIn(out.Conversation)
	require.Positive(t, open, "it stays in the request")
}
