package core_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/validity"
)

// TestCorpus runs every preset over every real conversation, with answered and with failed requests: what comes out is
// no worse than what went in, untouched messages are the same bytes, and a second application changes nothing.
func TestCorpus(t *testing.T) {
	for i, file := range convtest.Corpus(t, "anthropic", "openai-chat", "claude-code") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			c, err := format.Parse(data, "")
			require.NoError(t, err)
			for _, info := range convtest.OneOfFew(policy.Presets(), i) {
				p := info.Policy
				if info.Name == "clear_thinking" {
					p.Thinking.KeepTurns = 1
				}
				for _, answer := range []core.SummaryResult{{Text: "They went on with it."}, {Err: "overloaded"}} {
					everyRound(t, c, p, core.Env{Force: true}, answer)
				}
			}
		})
	}
}

// everyRound goes round until nothing is left to do, checking each outcome, and then once more.
func everyRound(t *testing.T, c *msg.Conversation, p policy.Policy, env core.Env, answer core.SummaryResult) {
	was := errorsOf(c)
	plan, err := core.NewPlan(c, "", p, env)
	if err != nil {
		require.ErrorContains(t, err, "start a new session")
		return
	}
	state := core.State("")
	for plan != nil {
		out, err := core.Apply(c, state, p, env, plan, answerAll(plan, answer))
		require.NoError(t, err)
		require.LessOrEqual(t, out.After, out.Before)
		requireUntouched(t, c, plan, out)
		rendered, err := format.Render(out.Conversation)
		require.NoError(t, err)
		c = parse(t, string(rendered))
		for rule, n := range errorsOf(c) {
			require.LessOrEqual(t, n, was[rule], "%s makes nothing worse: %s", p.Preset, rule)
		}
		state, plan = out.State, out.Next
		require.True(t, plan == nil || out.After < out.Before, "progress, or an end")
	}
	second, err := core.NewPlan(c, state, p, env)
	if err != nil {
		require.ErrorContains(t, err, "start a new session")
		return
	}
	again, err := core.Apply(c, state, p, env, second, answerAll(second, answer))
	require.NoError(t, err)
	if answer.Err == "" { // a region smaller than its summary is asked about again, and stays again
		require.Same(t, c, again.Conversation, "%s: a second application changes nothing", p.Preset)
	}
}

// errorsOf counts what a provider would refuse, by rule.
func errorsOf(c *msg.Conversation) map[validity.Rule]int {
	counts := map[validity.Rule]int{}
	for _, p := range validity.Check(c) {
		if p.Severity == validity.SeverityError {
			counts[p.Rule]++
		}
	}
	return counts
}
