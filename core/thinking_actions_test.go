package core_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// On a model that binds thinking to its prefix, thinking goes only behind a change, all of it that is behind one goes,
// and the actions say how many tokens of it went. Where every summary comes, the plan says it already.
func TestThinkingGoesOnlyBehindAChange(t *testing.T) {
	lost, kept := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{msg.Anthropic, msg.ClaudeCode}).Draw(t, "format")
		c := thinking(parse(t, string(convtest.Conversation(t, name))))
		p, env := drawPolicy(t), drawEnv(t)
		p.Thinking.KeepTurns = 0
		p.Summary.MergeAbove = 99
		if p.Trigger.Window < 200_000 {
			p.Trigger.Window, p.Trigger.Tokens, p.Trigger.SoftPermille = 200_000, p.Trigger.Window, 0
		}
		plan := planOrOverflow(t, c, "", p, env)
		if slices.ContainsFunc(plan.Warnings, func(w core.Warning) bool { return w.Code == "thinking_open_round" }) {
			require.Empty(t, plan.Requests)
			round := msg.OpenRound(c)
			require.False(t, slices.ContainsFunc(plan.Edits, func(e core.Edit) bool { return e.Message < round }))
		}
		plan.Target = plan.Before // nothing is truncated
		rs := answerAll(plan, core.SummaryResult{Text: "Ok."})
		allCame := true
		for i := range rs {
			if rapid.IntRange(0, 3).Draw(t, "fails") == 0 {
				rs[i].Text, rs[i].Err, allCame = "", "overloaded", false
			}
		}
		out, err := core.Apply(c, "", p, env, plan, rs)
		require.NoError(t, err)

		said, planned := 0, 0
		summarized := map[string]bool{}
		for _, a := range out.Actions {
			switch a.Kind {
			case "thinking_dropped":
				said += a.Before
			case "summarize":
				summarized[a.Path] = true
			case "failed", "none": // none: the changed conversation would have more tokens
				allCame = false
			}
		}
		for _, a := range plan.Decisions {
			if a.Kind == "thinking_dropped" {
				planned += a.Before
			}
		}
		gone := make([]bool, len(c.Messages))
		for _, r := range plan.Regions {
			for _, s := range r.Spans {
				for m := s.Start; m < s.End; m++ {
					gone[m] = gone[m] || r.Blocks == nil && summarized[c.Messages[r.Spans[0].Start].Path]
				}
			}
		}
		decided := map[string]bool{}
		for _, a := range plan.Decisions {
			if a.Kind != "thinking_dropped" && a.Path != "" {
				require.False(t, decided[a.Path], "one decision a block: %s", a.Path)
				decided[a.Path] = true
			}
		}
		for _, r := range plan.Regions {
			for _, s := range r.Spans {
				require.False(t, r.Blocks == nil && slices.ContainsFunc(plan.Edits, func(e core.Edit) bool {
					return e.Kind == "drop_thinking" && s.Start <= e.Message && e.Message < s.End
				}), "thinking goes with its message")
			}
		}
		after := map[string]*msg.Message{}
		for m := range out.Conversation.Messages {
			after[out.Conversation.Messages[m].Path] = &out.Conversation.Messages[m]
		}
		counts := tokens.NewMeter(env.Count, c).Conversation(c)
		went, changed := 0, false
		for m := range c.Messages {
			is := after[c.Messages[m].Path]
			changed = changed || gone[m]
			next := 0 // of the blocks that are still there
			for b := range c.Messages[m].Blocks {
				block := &c.Messages[m].Blocks[b]
				same := is != nil && next < len(is.Blocks) && is.Blocks[next].Kind == block.Kind &&
					is.Blocks[next].Text == block.Text
				switch {
				case gone[m]:
				case block.Kind != msg.KindThinking:
					changed = changed || !same
					next++
				case same:
					next++
					kept++
					if allCame {
						require.False(t, changed, "thinking behind a change stays: message %d", m)
					}
				default:
					went += counts.Messages[m].Blocks[b]
					if allCame && p.Summary.Strategy == "regions" {
						require.True(t, changed, "thinking before every change goes: message %d", m)
					}
				}
			}
		}
		lost += went
		require.Equal(t, went, said, "the actions say how much: %v", out.Actions)
		if allCame {
			require.Equal(t, planned, said, "the plan said so: %v", out.Actions)
		}
	})
	if !convtest.Fewer() { // 20 cases may all be of the kind
		require.NotZero(t, lost, "some thinking goes")
		require.NotZero(t, kept, "some stays")
	}
}
