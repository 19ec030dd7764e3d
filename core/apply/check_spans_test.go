package apply_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// A region of whole messages that came from outside: it is archived, before all that is pinned, holds pairs whole, and
// shares nothing with another region. S in the letters is a summary that an earlier Apply wrote.
func TestApplyChecksRegionsOfMessages(t *testing.T) {
	one := func(start, end int) core.Region {
		return core.Region{Spans: []core.Span{{Start: start, End: end}}, Requests: []string{"a"}, Level: 1, Tokens: 300}
	}
	second := func(start, end int) core.Region {
		r := one(start, end)
		r.Requests = []string{"b"}
		return r
	}
	level := func(r core.Region, level int) core.Region {
		r.Level = level
		return r
	}
	merged := func(span core.Span, refs ...msg.Ref) core.Region {
		return core.Region{Spans: []core.Span{span}, Blocks: refs, Requests: []string{"a"}, Level: 2, Tokens: 300}
	}
	two := func(r core.Region) core.Region {
		r.Spans = append(r.Spans, core.Span{Start: 3, End: 4})
		return r
	}
	all := []core.Span{{Start: 0, End: 11}}
	const (
		ok       = ""
		archive  = "a message of the region is not in the archive"
		pinned   = "the region contains pinned messages"
		overlap  = "the region overlaps another region"
		kept     = "the region contains an instruction or an earlier summary"
		prompt   = "the region contains a prompt of the user"
		half     = "the region separates a call from its result"
		inside   = "the region begins between a call and its result"
		noMerge  = "a region of level 2 must be one summary"
		unknown  = "the level of the region is unknown"
		shared   = "a request belongs to two regions"
		noRegion = "the request belongs to no region"
	)
	rows := []struct {
		why, policy, letters string
		archive              []core.Span
		regions              []core.Region
		want, path           string
	}{
		{"a region", "turns", "uauauacruau", all, []core.Region{one(0, 4)}, ok, ""},
		{"its first message is not archived", "turns", "uauauacruau", []core.Span{{Start: 1, End: 11}},
			[]core.Region{one(0, 4)}, archive, "/plan/regions/0"},
		{"its last message is not archived", "turns", "uauauacruau", []core.Span{{Start: 0, End: 3}},
			[]core.Region{one(0, 4)}, archive, "/plan/regions/0"},
		{"nor is one between", "turns", "uauauacruau", []core.Span{{Start: 0, End: 2}, {Start: 3, End: 4}},
			[]core.Region{one(0, 4)}, archive, "/plan/regions/0"},
		{"up to the kept turns", "turns", "uauauacruau", all, []core.Region{one(0, 9)}, ok, ""},
		{"into the kept turns", "turns", "uauauacruau", all, []core.Region{one(0, 10)}, pinned, "/plan/regions/0"},
		{"critical keeps them as well", "critical", "uauauacruau", all, []core.Region{one(0, 10)}, pinned, "/plan/regions/0"},
		{"whole: to the end", "harness", "uauauacruau", all, []core.Region{one(0, 11)}, ok, ""},
		{"whole: a call that waits", "harness", "uauauauauac", all, []core.Region{one(0, 11)}, pinned, "/plan/regions/0"},
		{"chunks: the open round", "hierarchical", "uauauauaucr", all, []core.Region{one(0, 11)}, pinned, "/plan/regions/0"},
		{"chunks: up to the open round", "hierarchical", "uauauauaucr", all, []core.Region{one(0, 9)}, ok, ""},
		{"two regions", "turns", "uauauacruau", all, []core.Region{one(0, 2), second(2, 4)}, ok, ""},
		{"one message in both", "turns", "uauauacruau", all, []core.Region{one(0, 3), second(2, 4)}, overlap,
			"/plan/regions/1"},
		{"one request for both", "turns", "uauauacruau", all, []core.Region{one(0, 2), one(2, 4)}, shared, "/plan/regions/1"},
		{"a request for none", "turns", "uauauacruau", all, []core.Region{second(0, 2)}, noRegion, "/plan/requests/0"},
		{"an instruction", "turns", "uauasacruau", all, []core.Region{one(0, 6)}, kept, "/plan/regions/0"},
		{"a summary", "turns", "Sauauacruau", all, []core.Region{one(0, 4)}, kept, "/plan/regions/0"},
		{"after a summary", "turns", "Sauauacruau", all, []core.Region{one(1, 4)}, ok, ""},
		{"a prompt that is folded", "balanced", "uauauacruau", all, []core.Region{one(0, 4)}, ok, ""},
		{"between prompts", "balanced", "uauauacruau", all, []core.Region{one(5, 8)}, ok, ""},
		{"a call without its result", "turns", "uauauacruau", all, []core.Region{one(4, 7)}, half, "/plan/regions/0"},
		{"a result without its call", "turns", "uauauacruau", all, []core.Region{one(7, 8)}, inside, "/plan/regions/0"},
		{"a call and its result apart", "turns", "uauauacruau", all, []core.Region{one(5, 7), second(7, 8)}, inside,
			"/plan/regions/1"},
		{"the first of two results", "turns", "uauaucrruau", all, []core.Region{one(4, 6), second(8, 9)}, half,
			"/plan/regions/0"},
		{"level 0", "turns", "uauauacruau", all, []core.Region{level(one(0, 4), 0)}, unknown, "/plan/regions/0"},
		{"level 3", "turns", "uauauacruau", all, []core.Region{level(one(0, 4), 3)}, unknown, "/plan/regions/0"},
		{"a summary is merged", "turns", "Sauauacruau", all, []core.Region{merged(core.Span{Start: 0, End: 1}, msg.Ref{})},
			ok, ""},
		{"no summary", "turns", "Sauauacruau", all, []core.Region{merged(core.Span{Start: 1, End: 2}, msg.Ref{Message: 1})},
			noMerge, "/plan/regions/0"},
		{"a summary and a message", "turns", "Sauauacruau", all,
			[]core.Region{merged(core.Span{Start: 0, End: 2}, msg.Ref{})}, noMerge, "/plan/regions/0"},
		{"no block of it", "turns", "Sauauacruau", all, []core.Region{merged(core.Span{Start: 0, End: 1})}, noMerge,
			"/plan/regions/0"},
		{"two blocks of it", "turns", "Sauauacruau", all,
			[]core.Region{merged(core.Span{Start: 0, End: 1}, msg.Ref{}, msg.Ref{})}, noMerge, "/plan/regions/0"},
		{"two spans", "turns", "Sauauacruau", all, []core.Region{two(merged(core.Span{Start: 0, End: 1}, msg.Ref{}))},
			noMerge, "/plan/regions/0"},
		{"the summary of another message", "turns", "Sauauacruau", all,
			[]core.Region{merged(core.Span{Start: 1, End: 2}, msg.Ref{})}, noMerge, "/plan/regions/0"},
		{"a block before the first", "turns", "Sauauacruau", all,
			[]core.Region{merged(core.Span{Start: 0, End: 1}, msg.Ref{Block: -1})}, noMerge, "/plan/regions/0"},
		{"a block off the end", "turns", "Sauauacruau", all,
			[]core.Region{merged(core.Span{Start: 0, End: 1}, msg.Ref{Block: 1})}, noMerge, "/plan/regions/0"},
	}
	for _, row := range rows {
		t.Run(row.policy+"/"+row.letters+"/"+row.why, func(t *testing.T) {
			require.Len(t, row.letters, 11)
			c := spelled(t, row.letters)
			p, err := policy.Preset(row.policy)
			require.NoError(t, err)
			p.Clear.Enabled, p.Pin.KeepTurns, p.Pin.RecentTurns, p.Pin.RecentTokens = false, 1, 1, 0
			p.Trigger = policy.Triggers{Measure: "counter"}
			env := core.Env{Count: tokens.Chars4}
			plan, err := core.NewPlan(c, "", p, env)
			require.NoError(t, err)
			require.Empty(t, plan.Requests)
			plan.Archive, plan.Regions = row.archive, row.regions
			plan.Requests = []core.SummaryRequest{{ID: "a", MaxTokens: 50, Tokens: 300}}
			if len(row.regions) > 1 && row.want != shared {
				plan.Requests = append(plan.Requests, core.SummaryRequest{ID: "b", MaxTokens: 50, Tokens: 300})
			}
			out, err := core.Apply(c, "", p, env, plan, answerAll(plan, core.SummaryResult{Text: "They read on."}))
			if row.want == ok {
				require.NoError(t, err)
				require.NotNil(t, out)
				return
			}
			require.ErrorContains(t, err, "cannot apply: "+row.want)
			var e *core.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, core.Code(msg.BadPlan), e.Code)
			require.Equal(t, row.path, e.Path)
		})
	}
}
