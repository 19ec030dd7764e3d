package core_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/tokens"
)

var formats = []string{msg.Anthropic, msg.OpenAIChat}

// drawPolicy draws a policy that has something to do on small conversations.
func drawPolicy(t *rapid.T) core.Policy {
	name := rapid.SampledFrom(core.PresetNames()).Draw(t, "preset")
	p, err := core.Preset(name)
	require.NoError(t, err)
	p.Clear.KeepRecent = rapid.IntRange(0, 3).Draw(t, "keepRecent")
	p.Clear.MinChars = rapid.SampledFrom([]int{0, 10, 100}).Draw(t, "minChars")
	p.Clear.ProtectTokens = rapid.SampledFrom([]int{0, 20, 200}).Draw(t, "protectTokens")
	p.Clear.ProtectExchanges = rapid.IntRange(0, 2).Draw(t, "protectExchanges")
	p.Clear.MinSavings = rapid.SampledFrom([]int{0, 0, 30}).Draw(t, "minSavings")
	p.Clear.TriggerTokens = rapid.SampledFrom([]int{0, 0, 100}).Draw(t, "triggerTokens")
	p.Clear.ClearAtLeast = rapid.SampledFrom([]int{0, 0, 50}).Draw(t, "clearAtLeast")
	if rapid.Bool().Draw(t, "inputs") {
		p.Clear.ClearToolInputs = []string{"*"}
	}
	p.Thinking.KeepTurns = rapid.IntRange(0, 2).Draw(t, "keepTurns")
	return p
}

func drawEnv(t *rapid.T) core.Env {
	counter, _ := tokens.Lookup(rapid.SampledFrom(tokens.Names()).Draw(t, "counter"))
	return core.Env{Count: counter, Force: rapid.Bool().Draw(t, "force")}
}

func step(t require.TestingT, c *msg.Conversation, p core.Policy, env core.Env) (*core.Plan, *core.Outcome) {
	plan, err := core.NewPlan(c, "", p, env)
	require.NoError(t, err)
	out, err := core.Apply(c, "", p, env, plan, nil)
	require.NoError(t, err)
	return plan, out
}

// The invariants that hold after every operation, whatever the policy.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		input := convtest.Conversation(t, rapid.SampledFrom(formats).Draw(t, "format"))
		c := parse(t, string(input))
		requireNoErrors(t, c)
		p, env := drawPolicy(t), drawEnv(t)
		plan, out := step(t, c, p, env)

		require.LessOrEqual(t, out.After, out.Before, "tokens never grow")
		require.Equal(t, plan.Before, out.Before)
		require.Equal(t, plan.After, out.After, "the plan says what Apply will do")
		require.Len(t, out.Conversation.Messages, len(c.Messages), "layer 1 removes no message")
		requireUntouched(t, c, plan, out)

		rendered, err := format.Render(out.Conversation)
		require.NoError(t, err)
		again := parse(t, string(rendered))
		requireNoErrors(t, again)
		require.Equal(t, out.After, tokens.NewMeter(env.Count, again).Conversation(again).Total,
			"the outcome's count is that of its bytes, read anew")
		if len(plan.Edits) == 0 {
			require.Equal(t, string(input), string(rendered), "nothing to do gives the same bytes")
		}

		second, twice := step(t, again, p, env)
		require.Empty(t, second.Edits, "idempotent")
		renderedTwice, err := format.Render(twice.Conversation)
		require.NoError(t, err)
		require.Equal(t, string(rendered), string(renderedTwice))
	})
}

// requireUntouched asserts that every message without an edit is the very bytes it was, and every block without one
// reads the same.
func requireUntouched(t require.TestingT, c *msg.Conversation, plan *core.Plan, out *core.Outcome) {
	edited := map[msg.Ref]core.Edit{}
	changed := map[int]bool{}
	for _, e := range plan.Edits {
		edited[e.Ref()] = e
		changed[e.Message] = true
	}
	archived := map[int]bool{}
	for _, s := range plan.Archive {
		for m := s.Start; m < s.End; m++ {
			archived[m] = true
		}
	}
	for m := range c.Messages {
		require.Equal(t, changed[m], archived[m], "what changes is archived, and nothing else")
		was, is := &c.Messages[m], &out.Conversation.Messages[m]
		if !changed[m] {
			require.Equal(t, was, is)
			continue
		}
		i := 0
		for b := range was.Blocks {
			e, ok := edited[msg.Ref{Message: m, Block: b}]
			if ok && e.Kind == "drop_thinking" {
				continue
			}
			if !ok {
				require.Equal(t, was.Blocks[b], is.Blocks[i])
			}
			require.Equal(t, was.Blocks[b].ID, is.Blocks[i].ID)
			i++
		}
		require.Len(t, is.Blocks, i)
	}
}

// Apply(grow(c)) = grow(Apply(c)): a plan stays good for a conversation that has grown, and what came after is kept.
func TestGrowth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := parse(t, string(convtest.Conversation(t, rapid.SampledFrom(formats).Draw(t, "format"))))
		cut := rapid.IntRange(0, len(whole.Messages)).Draw(t, "cut")
		head := whole.WithMessages(whole.Messages[:cut:cut])
		p, env := drawPolicy(t), drawEnv(t)
		plan, out := step(t, head, p, env)
		grown, err := core.Apply(whole, "", p, env, plan, nil)
		require.NoError(t, err)
		require.Equal(t, out.Conversation.Messages, grown.Conversation.Messages[:cut:cut])
		require.Equal(t, whole.Messages[cut:], grown.Conversation.Messages[cut:])
		require.Equal(t, out.Before-out.After, grown.Before-grown.After)
	})
}

// Every original of a changed message is in the archive, a line each, and nothing else.
func TestArchiveHoldsTheOriginals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, string(convtest.Conversation(t, rapid.SampledFrom(formats).Draw(t, "format"))))
		plan, _ := step(t, c, drawPolicy(t), drawEnv(t))
		lines := bytes.SplitAfter(core.Archive(c, plan), []byte("\n"))
		require.Empty(t, lines[len(lines)-1], "the last line ends")
		i := 0
		for _, s := range plan.Archive {
			for m := s.Start; m < s.End; m++ {
				require.NoError(t, msg.Validate(lines[i]))
				require.JSONEq(t, string(c.Messages[m].Raw), string(lines[i]))
				i++
			}
		}
		require.Len(t, lines, i+1)
	})
}
