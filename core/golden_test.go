package core_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// TestGolden runs the scenarios of testdata. Each opens with prose that says what must happen and why; request.json and
// input.json go in, outcome.txt and output.json must come out.
func TestGolden(t *testing.T) {
	convtest.Golden(t, "*.txtar", func(t *testing.T, s *convtest.Scenario) {
		outcome, output := scenario(t, s.Section("request.json"), s.Section("input.json"))
		s.Want("outcome.txt", outcome)
		s.Want("output.json", output)
	})
}

// request is what a scenario asks for. Answers go to the requests in the order in which they come, over all rounds; one
// that begins with "!" is a failed call, and where there are no more, requests stay unanswered.
type request struct {
	Preset, Counter, Focus string
	Policy                 json.RawMessage
	Usage                  *core.Usage
	Force                  bool
	Answers                []string
}

// scenario repeats until nothing is left to do, and writes down the decisions. A further round must change nothing.
func scenario(t *testing.T, ask, input []byte) (outcome, output []byte) {
	var r request
	require.NoError(t, json.Unmarshal(ask, &r))
	p, err := policy.Parse(r.Preset, r.Policy)
	require.NoError(t, err)
	counter, ok := tokens.Lookup(r.Counter)
	require.True(t, ok)
	env := core.Env{Count: counter, Force: r.Force, Focus: r.Focus, Usage: r.Usage}
	c, err := format.Parse(input, "")
	require.NoError(t, err)

	var text bytes.Buffer
	plan, err := core.NewPlan(c, "", p, env)
	if err != nil {
		fmt.Fprintln(&text, err)
		return text.Bytes(), input
	}
	state := core.State("")
	for round := 1; plan != nil; round++ {
		fmt.Fprintf(&text, "round %d: trigger %s %d/%d, %d tokens, %d expected, target %d\n", round, plan.Trigger.Kind,
			plan.Trigger.Used, plan.Trigger.Limit,
			plan.Before, plan.After, plan.Target)
		for _, w := range plan.Warnings {
			fmt.Fprintf(&text, "warning    %s: %s\n", w.Code, w.Message)
		}
		var results []core.SummaryResult
		for _, q := range plan.Requests {
			said := "(none)"
			if len(r.Answers) > 0 {
				said = r.Answers[0]
				result := core.SummaryResult{ID: q.ID, Text: said}
				if err, failed := strings.CutPrefix(said, "!"); failed {
					result = core.SummaryResult{ID: q.ID, Err: err}
				}
				results = append(results, result)
				r.Answers = r.Answers[1:]
			}
			fmt.Fprintf(&text, "request    %d-%d level %d, %d tokens, at most %d: %.60q\n", q.Span.Start, q.Span.End, q.Level,
				q.Tokens, q.MaxTokens, said)
			for _, line := range strings.Split(q.User, "\n") {
				fmt.Fprintf(&text, "           | %s\n", line)
			}
		}
		out, err := core.Apply(c, state, p, env, plan, results)
		require.NoError(t, err)
		for _, a := range out.Actions {
			fmt.Fprintf(&text, "%-13s %-25s %4d -> %-4d %s\n", a.Kind, a.Path, a.Before, a.After, a.Reason)
		}
		for _, line := range strings.Split(strings.TrimSuffix(string(core.Archive(c, plan)), "\n"), "\n") {
			if line != "" {
				fmt.Fprintf(&text, "archived      %.60s…\n", line)
			}
		}
		fmt.Fprintf(&text, "tokens        %d -> %d\n", out.Before, out.After)
		if len(plan.Requests) == 0 {
			require.Equal(t, plan.After, out.After, "the plan says what Apply will do")
		}
		output, err = format.Render(out.Conversation)
		require.NoError(t, err)
		c, state, plan = parse(t, string(output)), out.State, out.Next
		requireNoErrors(t, c)
	}
	env.Usage, env.Force = nil, false
	second, err := core.NewPlan(c, state, p, env)
	if err == nil {
		require.Empty(t, second.Edits, "a second round changes nothing")
	}
	return text.Bytes(), output
}
