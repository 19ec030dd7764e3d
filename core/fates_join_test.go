package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// The joined fates of all steps agree with the last outcome, as the fates of one step do with its own.
func TestJoinedFatesAgreeWithLastOutcome(t *testing.T) {
	seen, merged := map[string]int{}, 0
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		first := parse(t, string(convtest.Conversation(t, name)))
		p, env := drawPolicy(t), drawEnv(t)
		if rapid.Bool().Draw(t, "merges") {
			merging, err := policy.Preset("hierarchical")
			require.NoError(t, err)
			p.Summary, env.Force = merging.Summary, true
			p.Summary.ChunkMessages, p.Summary.MergeAbove = 2, 1
		}
		var fates []core.MessageFate
		c, state := first, core.State("")
		for plan := planOrOverflow(t, c, state, p, env); plan != nil; {
			out, err := core.Apply(c, state, p, env, plan, drawResults(t, plan))
			if isOverflow(err) {
				return
			}
			require.NoError(t, err)
			if fates == nil {
				fates = out.Fates
			} else {
				fates, err = core.JoinFates(fates, out.Fates)
				require.NoError(t, err)
				merged++
			}
			requireFatesOf(t, first, env, fates, out, seen)
			document, err := format.Render(out.Conversation)
			require.NoError(t, err)
			c, err = format.Parse(document, out.Conversation.Format)
			require.NoError(t, err)
			state, plan = out.State, out.Next
		}
	})
	require.Positive(t, merged, "no step was the second")
	requireEveryFate(t, seen)
}

// The second step may summarize more messages, next to the summaries of the first step.
func TestJoinedFatesOfMoreSummaries(t *testing.T) {
	const settings = `{"preset":"regions","trigger":{"window":8000,"bufferTokens":0},"pin":{"recentTokens":0,"recentTurns":2}}`
	const length = 1 + 2*40
	env := core.Env{}
	env.Count, _ = tokens.Lookup("cjk")
	c := parse(t, session("claude-opus-4-5", 100, 100))
	p, err := policy.Parse("", []byte(settings))
	require.NoError(t, err)
	plan, err := core.NewPlan(c.WithMessages(c.Messages[:length:length]), "", p, env)
	require.NoError(t, err)
	first, err := core.Apply(c, "", p, env, plan, answerAll(plan, core.SummaryResult{Text: "Part 1."}))
	require.NoError(t, err)
	require.NotNil(t, first.Next)
	second, err := core.Apply(first.Conversation, first.State, p, env, first.Next,
		answerAll(first.Next, core.SummaryResult{Text: "Part 2."}))
	require.NoError(t, err)
	fates, err := core.JoinFates(first.Fates, second.Fates)
	require.NoError(t, err)
	seen := map[string]int{}
	requireFatesOf(t, c, env, fates, second, seen)
	summaries := map[string]bool{}
	for _, f := range fates {
		for _, block := range f.Blocks {
			if block.Summary != nil {
				text := second.Conversation.At(*block.Summary).Text
				summaries[text[strings.LastIndex(text, "Part"):][:len("Part 1.")]] = true
			}
		}
	}
	require.Equal(t, map[string]bool{"Part 1.": true, "Part 2.": true}, summaries)
}

func TestJoinFates(t *testing.T) {
	kept := core.BlockFate{Fate: "kept", After: 10}
	cleared := core.BlockFate{Fate: "cleared", After: 3, Reason: "old"}
	dropped := core.BlockFate{Fate: "dropped", Reason: "thinking"}
	summarized := func(after, message, block int) core.BlockFate {
		return core.BlockFate{Fate: "summarized", After: after, Reason: "turns 1-2",
			Summary: &msg.Ref{Message: message, Block: block}}
	}
	message := func(index int, blocks ...core.BlockFate) core.MessageFate {
		return core.MessageFate{Index: index, Blocks: blocks}
	}
	rows := []struct {
		why               string
		first, next, want []core.MessageFate
	}{
		{"the second step clears a kept block, after a dropped one",
			[]core.MessageFate{message(-1, dropped), message(0, dropped, kept)},
			[]core.MessageFate{message(0, cleared)},
			[]core.MessageFate{message(-1, dropped), message(0, dropped, cleared)}},
		{"the first step's fate stays if the second changes nothing",
			[]core.MessageFate{message(0, cleared)},
			[]core.MessageFate{message(1, kept)},
			[]core.MessageFate{message(1, cleared)}},
		{"a merged summary shortens the shares of all its blocks",
			[]core.MessageFate{message(-1, summarized(30, 0, 0)), message(-1, summarized(10, 0, 0)), message(1, kept)},
			[]core.MessageFate{message(0, summarized(20, 0, 0)), message(1, kept)},
			[]core.MessageFate{message(-1, summarized(15, 0, 0)), message(-1, summarized(5, 0, 0)), message(1, kept)}},
		{"a kept summary moves behind dropped blocks of its message",
			[]core.MessageFate{message(0, kept, summarized(8, 0, 1))},
			[]core.MessageFate{message(2, dropped, kept)},
			[]core.MessageFate{message(2, dropped, summarized(8, 2, 0))}},
		{"a second summary replaces a kept block",
			[]core.MessageFate{message(1, kept)},
			[]core.MessageFate{message(0, kept), message(-1, summarized(4, 1, 0))},
			[]core.MessageFate{message(-1, summarized(4, 1, 0))}},
		{"a dropped summary drops its blocks",
			[]core.MessageFate{message(-1, summarized(8, 0, 0))},
			[]core.MessageFate{message(-1, core.BlockFate{Fate: "dropped", Reason: "no room"})},
			[]core.MessageFate{message(-1, core.BlockFate{Fate: "dropped", Reason: "no room"})}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			got, err := core.JoinFates(row.first, row.next)
			require.NoError(t, err)
			require.Equal(t, row.want, got)
		})
	}
}

// Fates come from outside: positions that do not exist are an error, and no position is a panic.
func TestJoinFatesOfAnotherConversation(t *testing.T) {
	next := []core.MessageFate{{Index: 0, Blocks: []core.BlockFate{{Fate: "kept"}}}}
	for _, first := range []core.MessageFate{
		{Index: 1, Blocks: []core.BlockFate{{Fate: "kept"}}},
		{Index: 0, Blocks: []core.BlockFate{{Fate: "kept"}, {Fate: "kept"}}},
		{Index: -1, Blocks: []core.BlockFate{{Fate: "summarized", Summary: &msg.Ref{Message: 1}}}},
		{Index: -1, Blocks: []core.BlockFate{{Fate: "summarized", Summary: &msg.Ref{Message: -1}}}},
		{Index: -1, Blocks: []core.BlockFate{{Fate: "summarized", Summary: &msg.Ref{Block: -1}}}},
	} {
		_, err := core.JoinFates([]core.MessageFate{first}, next)
		var e *core.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, msg.BadRequest, e.Code)
	}
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.IntRange(-2, 3)
		ref := rapid.Custom(func(t *rapid.T) *msg.Ref {
			if rapid.Bool().Draw(t, "absent") {
				return nil
			}
			return &msg.Ref{Message: number.Draw(t, "message"), Block: number.Draw(t, "block")}
		})
		fates := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) core.MessageFate {
			return core.MessageFate{Index: number.Draw(t, "index"),
				Blocks: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) core.BlockFate {
					return core.BlockFate{Fate: rapid.SampledFrom([]string{"", "kept", "dropped", "summarized"}).Draw(t, "fate"),
						After: rapid.Int().Draw(t, "after"), Summary: ref.Draw(t, "summary")}
				}), 0, 3).Draw(t, "blocks")}
		}), 0, 3)
		first := fates.Draw(t, "first")
		if joined, err := core.JoinFates(first, fates.Draw(t, "next")); err == nil {
			require.Len(t, joined, len(first))
		}
	})
}
