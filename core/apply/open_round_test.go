package apply_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/policy"
)

// unreadRounds has rounds of parallel calls; the model has not read the results of the last one, of size bytes each.
func unreadRounds(t *testing.T, name string, rounds, calls, size int) *msg.Conversation {
	messages := []string{`{"role":"user","content":"Find which sensor failed."}`}
	for i := range rounds {
		var uses, results []string
		for k := range calls {
			uses = append(uses, fmt.Sprintf(`{"type":"tool_use","id":"t%d_%d","name":"query","input":{"part":%d,"k":%d}}`, i, k, i, k))
			results = append(results, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"t%d_%d","content":"MARK_%d_%d %s END_%d_%d"}`,
				i, k, i, k, strings.Repeat("sensor value is fine. ", size/22), i, k))
		}
		messages = append(messages, `{"role":"assistant","content":[`+strings.Join(uses, ",")+`]}`,
			`{"role":"user","content":[`+strings.Join(results, ",")+`]}`)
	}
	return claudeSession(t, messages, name)
}

// The results of the open round are whole in every outcome: each preset keeps the round, except those which replace
// everything by one message; there they are in that message, after the summary. Or the outcome says that they are cut,
// or it is an error.
func TestTheOpenRoundIsWhole(t *testing.T) {
	compacted := map[string]int{}
	for _, preset := range policy.Names() {
		for _, name := range []string{msg.Anthropic, msg.OpenAIChat, msg.Gemini} {
			for _, calls := range []int{1, 5} {
				for _, size := range []int{150, 900, 3000, 9000, 16_000} {
					p, err := policy.Parse(preset, []byte(`{"trigger":{"window":16000}}`))
					require.NoError(t, err)
					c := unreadRounds(t, name, 30, calls, size)
					out, err := core.Compact(c, "", p, core.Env{}, core.Host{Save: func([]byte) error { return nil }})
					if isOverflow(err) {
						continue
					}
					require.NoError(t, err)
					if out.Conversation == c {
						continue
					}
					at := fmt.Sprint(preset, " ", name, " ", calls, " ", size)
					if len(out.Warnings) > 0 {
						require.Equal(t, "open_round_cut", out.Warnings[0].Code, at)
						compacted["cut"]++
						continue
					}
					compacted[preset]++
					sent, err := format.Render(out.Conversation)
					require.NoError(t, err)
					after := parse(t, string(sent))
					requireNoErrors(t, after)
					if p.Summary.Strategy != "whole" || preset == "prune" {
						open := msg.OpenRound(after)
						require.Less(t, open, len(after.Messages), at)
						require.Equal(t, texts(c.Messages[msg.OpenRound(c):]), texts(after.Messages[open:]), at)
						continue
					}
					for k := range calls {
						first, last := fmt.Sprintf("MARK_29_%d ", k), fmt.Sprintf(" END_29_%d", k)
						all := whole(t, after)
						inner, _, found := strings.Cut(all[strings.LastIndex(all, first)+len(first):], last)
						require.True(t, found, at)
						require.GreaterOrEqual(t, len(inner), size/22*22-1, at)
					}
				}
			}
		}
	}
	for _, preset := range []string{"balanced", "harness", "s06", "turns", "critical", "hierarchical", "prune"} {
		require.Positive(t, compacted[preset], "%s: %v", preset, compacted)
	}
	require.Positive(t, compacted["cut"], "the last resort")
}

// Results that stand next to a summary are left out by the next compaction, with a ref: else they would stay forever.
func TestResultsNextToASummaryAreLeftOutOnceRead(t *testing.T) {
	for _, preset := range []string{"harness", "s06"} {
		p, err := policy.Parse(preset, []byte(`{"trigger":{"window":16000}}`))
		require.NoError(t, err)
		c, state := unreadRounds(t, msg.Anthropic, 12, 2, 9000), core.State("")
		sizes := []int{}
		for range 5 {
			out, err := core.Compact(c, state, p, core.Env{Force: true}, core.Host{Save: func([]byte) error { return nil }})
			require.NoError(t, err)
			sizes = append(sizes, out.After)
			more := unreadRounds(t, msg.Anthropic, 6, 2, 9000)
			c, state = out.Conversation.WithMessages(append(out.Conversation.Messages, more.Messages[1:]...)), out.State
		}
		require.Less(t, sizes[4]-sizes[0], 4*2500, "%s: a summary each, and no results: %v", preset, sizes)
	}
}
