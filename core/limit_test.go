package core_test

import (
	"fmt"
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

// drawSized draws a session of about so many tokens of tokens.Chars4: prompts, answers, rounds of parallel calls and
// their results, of very different sizes. It ends with a prompt, with results, or with an answer. Some have a large
// system prompt.
func drawSized(t *rapid.T, total int) *msg.Conversation {
	n := 0
	text := func(most int) string {
		size := rapid.IntRange(1, max(most, 2)).Draw(t, "size")
		if rapid.IntRange(0, 3).Draw(t, "small") > 0 {
			size = min(size, 400)
		}
		var out strings.Builder
		for out.Len() < 4*size {
			n++
			fmt.Fprintf(&out, "line %d of src/part%d.go took %d ms\n", n, n%97, n*31%991)
		}
		total -= out.Len() / 4
		return out.String()
	}
	var messages []string
	add := func(role, content string) {
		messages = append(messages, fmt.Sprintf(`{"role":%q,"content":%s}`, role, content))
	}
	system := text(total / rapid.SampledFrom([]int{1000, 1000, 8, 2}).Draw(t, "system"))
	most := total / rapid.IntRange(1, 12).Draw(t, "most")
	add("user", fmt.Sprintf("%q", text(most)))
	for id, open := 0, true; total > 0 || open; id++ {
		switch open = false; rapid.IntRange(0, 5).Draw(t, "next") {
		case 0:
			add("assistant", fmt.Sprintf("%q", text(most)))
			add("user", fmt.Sprintf("%q", text(most)))
		default:
			var calls, results []string
			for k := range rapid.IntRange(1, 4).Draw(t, "calls") {
				calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":"t%d_%d","name":"read","input":{"path":"part%d.go"}}`,
					id, k, id))
				results = append(results, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"t%d_%d","content":%q}`,
					id, k, text(most)))
			}
			add("assistant", "["+strings.Join(calls, ",")+"]")
			add("user", "["+strings.Join(results, ",")+"]")
		}
	}
	if rapid.Bool().Draw(t, "closed") {
		add("assistant", `"Done."`)
		add("user", `"Go on."`)
	}
	return parse(t, fmt.Sprintf(`{"model":"claude-opus-4-5","system":%q,"messages":[%s]}`, system,
		strings.Join(messages, ",")))
}

// hardLimit is the hard limit of a policy for a conversation in tokens: the window if it has none.
func hardLimit(p *policy.Policy, counts *tokens.Counts) int {
	hard := p.Trigger.LimitsFor(p.Trigger.Window, counts.System+counts.Tools).Hard
	if hard <= 0 {
		return p.Trigger.Window
	}
	return min(hard, p.Trigger.Window)
}

// compactAll compacts in all rounds. It returns the tokens that are left; 0 if the error is context_overflow.
func compactAll(t *rapid.T, c *msg.Conversation, p policy.Policy, env core.Env,
	answer func(loop *core.Loop) []core.SummaryResult) int {
	loop, err := core.NewLoop(c, "", p, env)
	for round := 0; err == nil && loop.Plan() != nil; round++ {
		require.Less(t, round, 40, "it ends")
		_, err = loop.Apply(answer(loop))
	}
	if isOverflow(err) {
		return 0
	}
	require.NoError(t, err)
	return tokens.NewMeter(env.Count, loop.Conversation()).Conversation(loop.Conversation()).Total
}

// Whatever the session, the trigger and the answers, the outcome is under the hard limit of the policy, or the error is
// context_overflow.
func TestOutcomeIsUnderTheHardLimit(t *testing.T) {
	fits, over := map[string]int{}, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p, err := policy.Preset(rapid.SampledFrom(policy.Names()).Draw(t, "preset"))
		require.NoError(t, err)
		p.Trigger.Window = rapid.SampledFrom([]int{8000, 8000, 13_000, 20_000, 60_000, 200_000}).Draw(t, "window")
		c := drawSized(t, p.Trigger.Window*rapid.IntRange(2, 20).Draw(t, "tenths")/10)
		env := core.Env{Count: tokens.Chars4, Force: rapid.Bool().Draw(t, "force")}
		counts := tokens.NewMeter(env.Count, c).Conversation(c)
		fails := rapid.IntRange(0, 4).Draw(t, "fails") // of four
		left := compactAll(t, c, p, env, func(loop *core.Loop) []core.SummaryResult {
			results, err := loop.Summarize()
			require.NoError(t, err)
			kept := results[:0]
			for _, r := range results {
				if rapid.IntRange(1, 4).Draw(t, "fate") <= fails {
					switch rapid.IntRange(0, 3).Draw(t, "how") {
					case 0:
						r.Text, r.Err = "", "overloaded"
					case 1:
						r.Text, r.Err = " \n", ""
					case 2:
						r.Text, r.Err = strings.Repeat("It went on and on. ", 4000), ""
					case 3:
						continue // not answered
					}
				}
				kept = append(kept, r)
			}
			return kept
		})
		require.LessOrEqual(t, left, hardLimit(&p, &counts), p.Preset)
		if left == 0 {
			over[p.Preset]++
		} else if counts.Total > hardLimit(&p, &counts) {
			fits[p.Preset]++
		}
	})
	t.Log("made to fit: ", fits, ", context_overflow: ", over)
}

// Next to an open round that takes most of the hard limit, an earlier summary with words of the user loses in two
// rounds all that must go: not a few lines in each of twenty, and context_overflow only if the round itself does not
// fit.
func TestSummaryNextToALargeOpenRound(t *testing.T) {
	lines := func(from, n int) string {
		var out strings.Builder
		for i := range n {
			fmt.Fprintf(&out, "line %d of src/part%d.go took %d ms\n", from+i, (from+i)%97, (from+i)*31%997)
		}
		return out.String()
	}
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = 13_000
	for _, size := range []int{940, 960, 980, 1000} {
		c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.User, lines(0, 2))}}
		for i := range 23 {
			c.Messages = append(c.Messages, msg.TextMessage(msg.Assistant, lines(40*i+500, 90)),
				msg.TextMessage(msg.User, lines(40*i+10, 15)))
		}
		use := msg.Block{Kind: msg.KindToolUse, Type: "tool_use", ID: "a", Name: "read", Text: `{"path":"part23.go"}`}
		result := msg.Block{Kind: msg.KindToolResult, Type: "tool_result", ID: "a", Text: lines(2384, size)}
		c.Messages = append(c.Messages, msg.Message{Role: msg.Assistant, Blocks: []msg.Block{use}},
			msg.Message{Role: msg.User, Blocks: []msg.Block{result}})
		loop, err := core.NewLoop(c, "", p, core.Env{Count: tokens.Chars4})
		rounds := 0
		for ; err == nil && loop.Plan() != nil; rounds++ {
			results, answered := loop.Summarize()
			require.NoError(t, answered)
			_, err = loop.Apply(results)
		}
		require.NoError(t, err, "%d lines", size)
		require.LessOrEqual(t, rounds, 3, "%d lines", size)
		counts := tokens.NewMeter(tokens.Chars4, c).Conversation(loop.Conversation())
		require.LessOrEqual(t, counts.Total, hardLimit(&p, &counts))
	}
}

// The user's command does at least what the hard limit does.
func TestForceReachesWhatTheLimitReaches(t *testing.T) {
	t.Parallel()
	windows := []int{8000, 13_000, 20_000, 60_000}
	if convtest.Fewer() {
		windows = windows[:2]
	}
	rapid.Check(t, func(t *rapid.T) {
		p, err := policy.Preset(rapid.SampledFrom(policy.Names()).Draw(t, "preset"))
		require.NoError(t, err)
		p.Trigger.Window = rapid.SampledFrom(windows).Draw(t, "window")
		c := drawSized(t, p.Trigger.Window*rapid.IntRange(8, 30).Draw(t, "tenths")/10)
		counts := tokens.NewMeter(tokens.Chars4, c).Conversation(c)
		answer := func(loop *core.Loop) []core.SummaryResult {
			results, err := loop.Summarize()
			require.NoError(t, err)
			return results
		}
		automatic := compactAll(t, c, p, core.Env{Count: tokens.Chars4}, answer)
		forced := compactAll(t, c, p, core.Env{Count: tokens.Chars4, Force: true}, answer)
		require.LessOrEqual(t, forced, hardLimit(&p, &counts))
		if automatic > 0 {
			require.Positive(t, forced, "%s: without the command %d of %d tokens are left", p.Preset, automatic, counts.Total)
		}
	})
}
