package core_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// answersWithFallbacks draws a conversation twice: as it is, and without the thinking that its answers have before
// their last fallback block.
func answersWithFallbacks(t *rapid.T) (whole, without []string) {
	add := func(role string, blocks []string, left int) {
		message := func(blocks []string) string {
			return `{"role":"` + role + `","content":[` + strings.Join(blocks, ",") + `]}`
		}
		whole, without = append(whole, message(blocks)), append(without, message(blocks[left:]))
	}
	words := func(label string, n int) string {
		return strings.Repeat(fmt.Sprintf("%s %d has words. ", label, len(whole)), rapid.IntRange(1, n).Draw(t, label))
	}
	thinking := func(n int) (list []string) {
		for range rapid.IntRange(0, n).Draw(t, "thoughts") {
			list = append(list, `{"type":"thinking","thinking":"`+words("thinking", 200)+`","signature":"c2ln"}`)
		}
		return list
	}
	fallback := `{"type":"fallback","from":{"model":"claude-fable-5-2"},"to":{"model":"claude-opus-5-5"}}`
	rounds := rapid.IntRange(1, 12).Draw(t, "rounds")
	for i := range rounds {
		if i == 0 || rapid.IntRange(0, 3).Draw(t, "prompt") == 0 {
			add("user", []string{`{"type":"text","text":"` + words("prompt", 30) + `"}`}, 0)
		}
		var blocks []string
		left := 0
		if rapid.Bool().Draw(t, "fallback") {
			blocks = thinking(3)
			left = len(blocks)
			if left == 0 || rapid.Bool().Draw(t, "part") {
				blocks = append(blocks, `{"type":"text","text":"`+words("part", 10)+`"}`)
			}
			blocks = append(blocks, fallback)
		}
		blocks = append(append(blocks, thinking(1)...), `{"type":"text","text":"`+words("answer", 30)+`"}`)
		if i == rounds-1 && rapid.Bool().Draw(t, "ends") {
			add("assistant", blocks, left)
			break
		}
		id := fmt.Sprintf("toolu_%d", i)
		add("assistant", append(blocks, `{"type":"tool_use","id":"`+id+`","name":"read","input":{}}`), left)
		add("user", []string{`{"type":"tool_result","tool_use_id":"` + id + `","content":"` + words("result", 600) + `"}`}, 0)
	}
	return whole, without
}

// leftOut removes from a rendered conversation what its answers have before a fallback block, and the references to
// archives, which are digests of the originals.
func leftOut(t *rapid.T, c *msg.Conversation) string {
	text, err := format.Render(c)
	require.NoError(t, err)
	before := regexp.MustCompile(`\{"type":"thinking","thinking":"[^"]*","signature":"c2ln"\},`)
	var list []string
	for _, message := range rawjson.Value(text).Member("messages").List() {
		if end := strings.LastIndex(string(message), `{"type":"fallback"`); end >= 0 {
			message = rawjson.Value(before.ReplaceAllString(string(message[:end]), "") + string(message[end:]))
		}
		list = append(list, string(message))
	}
	return regexp.MustCompile(`[0-9a-f]{16,}`).ReplaceAllString(strings.Join(list, "\n"), "REF")
}

// The provider drops thinking before a fallback block, wherever it is: a session and a plan count it as nothing, do not
// wait for it and do not list it as lost, and Apply does not move it. All else is as without it, on models that
// bind thinking and on others.
func TestThinkingBeforeFallbacksChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole, without := answersWithFallbacks(t)
		model := rapid.SampledFrom([]string{bindingModel, bindingModel, "claude-opus-4-8"}).Draw(t, "model")
		member := rapid.SampledFrom([]string{"", `"thinking":{"type":"enabled","budget_tokens":2000},`}).Draw(t, "member")
		p, err := policy.Preset(rapid.SampledFrom(policy.Names()).Draw(t, "preset"))
		require.NoError(t, err)
		p.Trigger.Window = rapid.SampledFrom([]int{0, 4000, 12_000}).Draw(t, "window")
		p.Thinking.KeepTurns = rapid.SampledFrom([]int{0, 0, 2}).Draw(t, "keepTurns")
		p.Summary.InputChars = 0 // some published designs send and measure the JSON, with all thinking
		if p.Trigger.Measure == "chars4_json" {
			p.Trigger.Measure = "counter"
		}
		env := core.Env{Count: tokens.Chars3, Force: rapid.Bool().Draw(t, "force"), Thinking: rapid.SampledFrom(
			[]string{"", core.KeepThinking, core.DropBlock}).Draw(t, "thinking")}
		fail := rapid.IntRange(0, 4).Draw(t, "fail") // a request that fails
		kept := map[string]bool{}
		for _, text := range whole {
			kept[text] = true
		}

		type seen struct {
			Turns    []core.Turn
			Err      string
			Rounds   []any
			Rendered []string
		}
		run := func(messages []string) (s seen) {
			c := parse(t, `{"model":"`+model+`",`+member+`"messages":[`+strings.Join(messages, ",")+`]}`)
			require.Empty(t, brokenIn(c))
			session, err := core.NewSession(c.WithMessages(nil), "", p, env.Count)
			require.NoError(t, err)
			for m := range c.Messages {
				session.Append(c.Messages[m : m+1])
				s.Turns = append(s.Turns, session.Turn(env))
			}
			plan, err := core.NewPlan(c, "", p, env)
			for state := core.State(""); err == nil && plan != nil && len(s.Rounds) < 8; {
				var warnings []string
				for _, w := range plan.Warnings {
					if w.Code != string(validity.A21Fallback) {
						warnings = append(warnings, w.Code)
					}
				}
				var sizes, results = []any{}, []core.SummaryResult{}
				for i := range plan.Edits {
					e := &plan.Edits[i]
					sizes = append(sizes, e.Message, e.Kind, e.Tokens, e.After)
				}
				for i, q := range plan.Requests {
					sizes = append(sizes, q.System, q.User, q.Span, q.Tokens, q.MaxTokens)
					result := core.SummaryResult{ID: q.ID, Text: convtest.Vouched(q.User, fmt.Sprintf("Part %d.", i))}
					if i == fail {
						result = core.SummaryResult{ID: q.ID, Err: "overloaded"}
					}
					results = append(results, result)
				}
				s.Rounds = append(s.Rounds, []any{plan.Trigger, plan.Before, plan.After, plan.Target, plan.Limit, plan.Advice,
					plan.Archive, warnings, sizes})
				out, failed := core.Apply(c, state, p, env, plan, results)
				if err = failed; err != nil {
					break
				}
				s.Rounds = append(s.Rounds, out.Before, out.After)
				c, state, plan = out.Conversation, out.State, out.Next
				for m := range c.Messages {
					if c.Messages[m].Fallback() > 0 && !c.Messages[m].Changed {
						require.True(t, &messages[0] == &without[0] || kept[string(c.Messages[m].Raw)])
					}
				}
				s.Rendered = append(s.Rendered, leftOut(t, c))
			}
			if err != nil {
				s.Err = err.Error()
			}
			return s
		}
		require.Equal(t, run(without), run(whole))
	})
}
