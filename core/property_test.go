package core_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

func step(t require.TestingT, c *msg.Conversation, p policy.Policy, env core.Env) (*core.Plan, *core.Outcome) {
	plan, err := core.NewPlan(c, "", p, env)
	require.NoError(t, err)
	out, err := core.Apply(c, "", p, env, plan, nil)
	require.NoError(t, err)
	return plan, out
}

// planOrOverflow plans; a conversation that cannot be made to fit is an error of its own and is skipped. The plan has
// no limit: limit_test.go has the outcomes that are over it.
func planOrOverflow(t *rapid.T, c *msg.Conversation, st core.State, p policy.Policy, env core.Env) *core.Plan {
	plan, err := core.NewPlan(c, st, p, env)
	if err != nil {
		var e *core.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, msg.ContextOverflow, e.Code)
		t.Skip("context overflow")
	}
	requireInspected(t, c, st, p, env, plan)
	plan.Limit = 0
	return plan
}

// requireInspected: Inspect says what the plan does, though it writes no requests.
func requireInspected(t *rapid.T, c *msg.Conversation, st core.State, p policy.Policy, env core.Env, plan *core.Plan) {
	report, err := core.Inspect(c, st, p, env)
	require.NoError(t, err)
	require.Equal(t, []any{plan.Before, plan.After, plan.Trigger, plan.Decisions},
		[]any{report.Before, report.After, report.Trigger, report.Actions})
	for _, region := range plan.Regions {
		for _, ref := range region.Blocks {
			require.Equal(t, "summarized", report.Messages[ref.Message].Blocks[ref.Block].Fate)
		}
	}
}

// The invariants that hold after every operation, whatever the policy and whichever requests fail.
func TestInvariants(t *testing.T) {
	convtest.EachFormat(t, invariants)
}

func invariants(t *rapid.T, name string) {
	input := convtest.Conversation(t, name)
	c := parse(t, string(input))
	requireNoErrors(t, c)
	p, env := drawPolicy(t), drawEnv(t)
	plan := planOrOverflow(t, c, "", p, env)
	state := core.State("")
	for round := 0; plan != nil; round++ {
		require.Less(t, round, 10, "it ends")
		out, err := core.Apply(c, state, p, env, plan, drawResults(t, plan))
		if isOverflow(err) {
			return
		}
		require.NoError(t, err)
		require.LessOrEqual(t, out.After, out.Before, "tokens never grow")
		require.Equal(t, plan.Before, out.Before)
		requireUntouched(t, c, plan, out)

		again := reread(t, out.Conversation)
		requireNoErrors(t, again)
		// Responses and Codex have items, not messages: two model responses that become neighbours, because what was between
		// them went, are read as one message, with one overhead less.
		meter := tokens.NewMeter(env.Count, again)
		joined := len(out.Conversation.Messages) - len(again.Messages)
		require.Equal(t, out.After, meter.Conversation(again).Total+joined*meter.Profile.PerMessage,
			"the outcome's count is that of its bytes, parsed again")
		if len(plan.Edits)+len(plan.Regions) == 0 {
			require.Equal(t, c, out.Conversation, "nothing to do changes nothing")
		}
		c, state, plan = again, out.State, out.Next
		if plan != nil {
			plan, err = core.NewPlan(c, state, p, env)
			var e *core.Error
			if err != nil {
				require.ErrorAs(t, err, &e)
				require.Equal(t, msg.ContextOverflow, e.Code)
				return
			}
			if len(plan.Requests) == 0 {
				return
			}
		}
	}
}

// requireUntouched asserts that every message that stayed is the very one it was, in the same order, that only
// archived blocks changed or went, and that nothing else is archived.
func requireUntouched(t require.TestingT, c *msg.Conversation, plan *core.Plan, out *core.Outcome) {
	archived := make([]bool, len(c.Messages))
	for _, s := range plan.Archive {
		for m := s.Start; m < s.End; m++ {
			archived[m] = true
		}
	}
	next := 0
	for m := range out.Conversation.Messages {
		is := &out.Conversation.Messages[m]
		if is.Path == "" { // made by Tamp
			continue
		}
		for next < len(c.Messages) && c.Messages[next].Path != is.Path {
			require.True(t, archived[next], "message %d went without being archived", next)
			next++
		}
		require.Less(t, next, len(c.Messages), "the order is kept")
		if !archived[next] {
			require.Equal(t, c.Messages[next], *is)
		}
		next++
	}
	for ; next < len(c.Messages); next++ {
		require.True(t, archived[next], "message %d went without being archived", next)
	}
}

// Layer 1 changes only the blocks of its decisions: ids stay, and every other block reads the same.
func TestClearingKeepsBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, string(convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format"))))
		c.Model = "test-model" // which does not bind thinking: that can empty a message
		p, env := drawPolicy(t), drawEnv(t)
		p.Summary = policy.Summary{Strategy: "none"}
		p.Clear.Sticky, p.Trigger.Window = false, 200_000
		plan, out := step(t, c, p, env)
		require.Equal(t, plan.After, out.After, "the plan says what Apply will do")
		require.Len(t, out.Conversation.Messages, len(c.Messages), "layer 1 removes no message")
		edited := map[msg.Ref]bool{}
		for _, e := range plan.Edits {
			edited[e.Ref()] = true
		}
		for m := range c.Messages {
			was, is := c.Messages[m].Blocks, out.Conversation.Messages[m].Blocks
			i := 0
			for b := range was {
				if edited[msg.Ref{Message: m, Block: b}] && was[b].Kind == msg.KindThinking {
					continue
				}
				require.Equal(t, was[b].ID, is[i].ID)
				if !edited[msg.Ref{Message: m, Block: b}] {
					require.Equal(t, was[b], is[i])
				}
				i++
			}
		}
		if p.Clear.When == "" { // whether clearing pays depends on the size of the prompt, which is smaller now
			again := reread(t, out.Conversation)
			again.Model = c.Model
			second, _ := step(t, again, p, env)
			require.Empty(t, second.Edits, "idempotent")
		}
	})
}

// Apply(grow(c)) = grow(Apply(c)): a plan stays good for a conversation that has grown, and what came after is kept.
func TestGrowth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := parse(t, string(convtest.Conversation(t,
			rapid.SampledFrom([]string{msg.Anthropic, msg.OpenAIChat}).Draw(t, "format"))))
		cut := rapid.IntRange(0, len(whole.Messages)).Draw(t, "cut")
		head := whole.WithMessages(whole.Messages[:cut:cut])
		p, env := drawPolicy(t), drawEnv(t)
		plan := planOrOverflow(t, head, "", p, env)
		results := drawResults(t, plan)
		out, err := core.Apply(head, "", p, env, plan, results)
		require.NoError(t, err)
		grown, err := core.Apply(whole, "", p, env, plan, results)
		require.NoError(t, err)
		n := len(out.Conversation.Messages)
		if cut < len(whole.Messages) && n > 0 && parted(out.Conversation.Messages[n-1].Role, whole.Messages[cut].Role) {
			return
		}
		require.Equal(t, texts(out.Conversation.Messages), texts(grown.Conversation.Messages[:n]))
		require.Equal(t, whole.Messages[cut:], grown.Conversation.Messages[n:])
	})
}

// Every original of a changed message is in the archive, a line each, and nothing else.
func TestArchiveHoldsTheOriginals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, string(convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format"))))
		plan := planOrOverflow(t, c, "", drawPolicy(t), drawEnv(t))
		lines := bytes.SplitAfter(core.Archive(c, plan), []byte("\n"))
		require.Empty(t, lines[len(lines)-1], "the last line ends")
		i, end := 0, -1
		for _, s := range plan.Archive {
			require.Greater(t, s.Start, end, "spans that touch are one")
			end = s.End
			for m := s.Start; m < s.End; m++ {
				originals := c.Messages[m].Lines
				if len(originals) == 0 {
					originals = []rawjson.Value{c.Messages[m].Raw}
				}
				for _, original := range originals {
					require.NoError(t, msg.Validate(lines[i]))
					require.Equal(t, string(original.Line())+"\n", string(lines[i]))
					i++
				}
			}
		}
		require.Len(t, lines, i+1)
	})
}
