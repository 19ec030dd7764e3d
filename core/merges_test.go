package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/internal/marker"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/words"
)

// The summaries that an Apply wrote in parts and its next plan merges, with their places. A request for more than
// 3350 tokens is split.
func TestNextMergesParts(t *testing.T) {
	reminder := func(size int) string {
		return `{"type":"text","text":"<system-reminder>` + strings.Repeat("word", size) + `</system-reminder>"}`
	}
	const text, thinking = `{"type":"text","text":"Go on."}`, `{"type":"thinking","thinking":"Hm.","signature":"c2ln"}`
	message := func(role string, blocks ...string) string {
		return `{"role":"` + role + `","content":[` + strings.Join(blocks, ",") + `]}`
	}
	say := func(n int, count int) []string {
		var all []string
		for i := range n {
			all = append(all, message([]string{"user", "assistant"}[i%2],
				`{"type":"text","text":"`+strings.Repeat("word", count)+`"}`))
		}
		return all
	}
	// Two runs of injected text, each in two messages: the first behind thinking that is dropped, the second longer.
	injected := []string{message("user", text), message("assistant", thinking, reminder(2000)),
		message("user", reminder(2000), text),
		message("assistant", text), message("user", text, reminder(3000)), message("assistant", reminder(3000), text),
		message("user", text), message("assistant", text), message("user", text)}
	// Two runs of answers between the prompts, the second longer.
	answers := []string{message("user", text)}
	for _, n := range []int{2, 3} {
		for range n {
			answers = append(answers, message("assistant", `{"type":"text","text":"`+strings.Repeat("word", 2000)+`"}`))
		}
		answers = append(answers, message("user", text))
	}
	answers = append(answers, message("assistant", text), message("user", text))
	rows := []struct {
		why, policy string
		messages    []string
		want        []string // the blocks that are merged, in the conversation after
	}{
		{"as many chunks as stay in parts", `{"preset":"hierarchical","summary":{"chunkMessages":2,"mergeAbove":3}}`,
			say(8, 100), nil},
		{"one chunk more", `{"preset":"hierarchical","summary":{"chunkMessages":2,"mergeAbove":3}}`, say(10, 100),
			[]string{"0/0"}},
		{"one chunk is not merged", `{"preset":"hierarchical","summary":{"chunkMessages":2,"mergeAbove":0}}`, say(4, 100),
			nil},
		{"two chunks are", `{"preset":"hierarchical","summary":{"chunkMessages":2,"mergeAbove":0}}`, say(6, 100),
			[]string{"0/0"}},
		{"two chunks, one of them split", `{"preset":"hierarchical","summary":{"chunkMessages":2,"mergeAbove":9}}`,
			say(6, 2000), []string{"0/0"}},
		{"one request", `{"preset":"turns"}`, say(20, 100), nil},
		{"one that was split", `{"preset":"turns"}`, say(20, 2000), []string{"0/0"}},
		{"the answer to the fixed question", `{"preset":"prune","summary":{"maxTokens":50}}`, say(20, 2000), []string{"1/0"}},
		{"one request for each run", `{"preset":"balanced","summary":{"window":100000}}`, answers, nil},
		{"runs that were split", `{"preset":"balanced"}`, answers, []string{"1/0"}},
		{"one request for each run of blocks", `{"preset":"regions","summary":{"window":100000}}`, injected, nil},
		{"in place", `{"preset":"regions"}`, injected, []string{"1/0", "4/1"}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p, err := policy.Parse("", []byte(row.policy))
			require.NoError(t, err)
			if !strings.Contains(row.policy, "window") {
				p.Summary.Window = 4000
			}
			p.Summary.MaxTokens, p.Summary.MergeTokens, p.Summary.CutText, p.Summary.CutString = 50, 40, 0, 0
			p.Clear.Enabled, p.Pin.KeepTurns, p.Pin.RecentTurns, p.Pin.RecentTokens = false, 1, 1, 0
			p.Thinking.KeepTurns = 1
			c := parse(t, `{"model":"claude-opus-4-5","messages":[`+strings.Join(row.messages, ",")+`]}`)
			env := core.Env{Count: tokens.Chars4, Force: true, Focus: "the names"}
			plan, err := core.NewPlan(c, "", p, env)
			require.NoError(t, err)
			var rs []core.SummaryResult
			for i, q := range plan.Requests {
				rs = append(rs, core.SummaryResult{ID: q.ID,
					Text: convtest.Vouched(q.User, fmt.Sprintf("Part %d: they read on, and on, and on, and on, and on.", i))})
			}
			out, err := core.Apply(c, "", p, env, plan, rs)
			require.NoError(t, err)
			if row.want == nil {
				require.NotEmpty(t, plan.Requests)
				require.Nil(t, out.Next)
				return
			}
			require.NotNil(t, out.Next)
			next := out.Next
			var have []string
			after, mergeTokens := next.Before, 40
			if p.IsBounded() {
				mergeTokens = plan.Requests[0].MaxTokens
			}
			counts := tokens.NewMeter(tokens.Chars4, out.Conversation).Conversation(out.Conversation)
			for i, r := range next.Regions {
				require.Equal(t, 2, r.Level)
				require.Len(t, r.Blocks, 1)
				ref := r.Blocks[0]
				have = append(have, fmt.Sprintf("%d/%d", ref.Message, ref.Block))
				require.Equal(t, []core.Span{{Start: ref.Message, End: ref.Message + 1}}, r.Spans)
				require.Contains(t, next.Archive, core.Span{Start: ref.Message, End: ref.Message + 1})
				require.Equal(t, counts.Messages[ref.Message].Blocks[ref.Block], r.Tokens)
				require.Equal(t, mergeTokens, next.Requests[i].MaxTokens)
				written := out.Conversation.At(ref).Text
				_, text := marker.Parse(written)
				said, _ := words.Cut(text)
				require.Equal(t, tokens.Chars4.Count(words.Section(said)), r.Words)
				after -= max(r.Tokens-mergeTokens-r.Words-16, 0)
				require.Contains(t, written, "\n\n[part 2]\nPart ")
				_, parts, _ := strings.Cut(written, "[part 1]\n")
				require.Contains(t, next.Requests[i].User, parts, "the request has its parts")
				require.Contains(t, next.Requests[i].System+next.Requests[i].User, "the names", "and the focus")
			}
			require.Equal(t, row.want, have)
			require.Equal(t, out.After, next.Before)
			require.Equal(t, after, next.After)
			require.Equal(t, plan.Trigger, next.Trigger)
			failed, err := core.Apply(out.Conversation, out.State, p, env, next,
				answerAll(next, core.SummaryResult{Err: "overloaded"}))
			require.NoError(t, err)
			require.Same(t, out.Conversation, failed.Conversation, "the parts stay")
			require.Contains(t, string(mustJSON(t, failed.Actions)), "the partial summaries are kept: the request failed")
			merged, err := core.Apply(out.Conversation, out.State, p, env, next,
				answerAll(next, core.SummaryResult{Text: "All of it."}))
			require.NoError(t, err)
			require.NotContains(t, strings.Join(texts(merged.Conversation.Messages), "\n"), "[part 1]")
			require.Equal(t, saidIn(out.Conversation), saidIn(merged.Conversation), "the user's words stay")
			require.LessOrEqual(t, merged.After, next.After, "the plan says how much at most")
			if merged.Next != nil {
				require.Equal(t, 1, merged.Next.Regions[0].Level)
			}
		})
	}
}

// A region that is larger than the summarizer's window has a summary in parts. Merged without a model, it has as many
// tokens as a summary in one part, and each file and each statement of the user once.
func TestPartsAreMergedByTheirLines(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.TargetPermille = 20
	var messages []string
	for i := range 60 {
		messages = append(messages, fmt.Sprintf(`{"role":"user","content":"Go on with part %d."}`, i),
			fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"e%d","name":"Edit","input":{"file_path":"store.go",`+
				`"old_string":"limit%d := 1","new_string":"rowLimit%d := %d"}}]}`, i, i, i, 100+i),
			fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"e%d","content":"ok"}]}`, i),
			fmt.Sprintf(`{"role":"assistant","content":"The cause of failure %d was that loadOrders%d ignored rowLimit%d. %s"}`,
				i, i, i, strings.Repeat("It reads on. ", 100)))
	}
	messages[20] = `{"role":"user","content":"Rename the limits. You must never touch billing.go."}`
	c := parse(t, `{"model":"claude-opus-4-5","messages":[`+strings.Join(messages, ",")+`]}`)
	env := core.Env{Count: tokens.Chars4, Force: true}
	summaryOf := func(window int, answer func(*core.Loop) ([]core.SummaryResult, error)) (text string, requests int) {
		p.Summary.Window = window
		l, err := core.NewLoop(c, "", p, env)
		require.NoError(t, err)
		requests = len(l.Plan().Requests)
		for l.Plan() != nil {
			rs, err := answer(l)
			require.NoError(t, err)
			_, err = l.Apply(rs)
			require.NoError(t, err)
		}
		for _, text := range texts(l.Conversation().Messages) {
			if strings.HasPrefix(text, "user: [compacted summary of turns ") {
				return text, requests
			}
		}
		return "", requests
	}
	whole, one := summaryOf(100_000, (*core.Loop).Summarize)
	merged, several := summaryOf(8000, (*core.Loop).Summarize)
	require.Equal(t, 1, one)
	require.Greater(t, several, 2)
	require.NotContains(t, merged, "[part ")
	require.Equal(t, 1, strings.Count(merged, "- store.go (edited"), merged)
	require.Equal(t, 1, strings.Count(merged, "You must never touch billing.go."))
	require.Greater(t, tokens.Chars4.Count(merged), tokens.Chars4.Count(whole)*2/3)

	byModel, _ := summaryOf(8000, func(l *core.Loop) ([]core.SummaryResult, error) {
		return answerAll(l.Plan(), core.SummaryResult{Text: "They renamed the limits, one after the other."}), nil
	})
	require.Contains(t, byModel, "You must never touch billing.go.", "a model's merged answer is checked, too")
}
