package plan_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/words"
)

// A compaction by hand (Env.Force) is one step, also where its outcome is above the trigger: the next turn plans
// further.
func TestForcedPlanHasNoNext(t *testing.T) {
	counter, _ := tokens.Lookup("cjk")
	whole := parse(t, session("claude-opus-4-5", 100, 100))
	const length = 1 + 2*40
	p, err := policy.Parse("",
		[]byte(`{"preset":"regions","trigger":{"window":8000,"bufferTokens":0},"pin":{"recentTokens":0,"recentTurns":2}}`))
	require.NoError(t, err)
	for _, forced := range []bool{true, false} {
		env := core.Env{Count: counter, Force: forced}
		plan, err := core.NewPlan(whole.WithMessages(whole.Messages[:length:length]), "", p, env)
		require.NoError(t, err)
		require.Equal(t, forced, plan.Trigger.Kind == "manual")
		out, err := core.Apply(whole, "", p, core.Env{Count: counter}, plan,
			answerAll(plan, core.SummaryResult{Text: "They read on."}))
		require.NoError(t, err)
		ahead, err := core.NewPlan(out.Conversation, out.State, p, core.Env{Count: counter})
		require.NoError(t, err)
		require.NotEmpty(t, ahead.Requests, "there is more to ask for")
		require.Equal(t, forced, out.Next == nil)
	}
}

var notSummarized = regexp.MustCompile(`: (\d+) are not summarized`)

// A compaction by hand leaves at most 40 % of a real session. If more stays as it is, the plan says how much, and the
// summaries take at most a fifth of the rest, or 1,000 tokens of a short one.
func TestForcedPlansLeaveTwoFifths(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	reached := 0
	for _, file := range convtest.Corpus(t, "anthropic", "openai-chat", "openai-responses", "codex", "claude-code") {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := format.Parse(data, "")
		require.NoError(t, err)
		plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
		require.NoError(t, err)
		after := plan.After // of the last round: the answers to the requests of one region are merged
		maxTokens := map[string]int{}
		for _, q := range plan.Requests {
			maxTokens[q.ID] = q.MaxTokens
		}
		for _, r := range plan.Regions {
			for _, id := range r.Requests[min(len(r.Requests), 1):] {
				after -= maxTokens[id]
			}
		}
		if after*5 <= plan.Before*2 {
			reached++
			continue
		}
		require.NotEmpty(t, plan.Warnings, file)
		message := plan.Warnings[len(plan.Warnings)-1].Message
		if strings.HasPrefix(message, "nothing can be freed") {
			require.Empty(t, plan.Requests, file)
			continue
		}
		found := notSummarized.FindStringSubmatch(message)
		require.NotNil(t, found, "%s: %s", file, message)
		stays, err := strconv.Atoi(found[1])
		require.NoError(t, err)
		rest := plan.Before - stays
		const label = 16 + words.FrameTokens // tokens of a summary's label and heading at most
		count := 0
		for _, r := range plan.Regions {
			count += r.Words
		}
		require.LessOrEqual(t, plan.After, stays+count+max(rest/5, min(rest/2, 1000))+label*len(plan.Requests),
			"%s: %s", filepath.Base(file), message)
	}
	require.Greater(t, reached, 20, "27 of the 92 sessions: the others are short or have large prompts and newest turns")
}

// A forced compaction leaves as much as an automatic one, at most 40 % of the conversation, and is near that: the
// newest messages stay. Another one right after it changes nothing, whether the host sends the outcome or what it has
// read from it, with its State or without; after a new message there is something to do again only over the target.
func TestForcedPlansKeepRecentMessages(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	automatic := 200_000 * p.Trigger.TargetPermille / 1000
	for _, rounds := range []int{2000, 300, 100} { // of seven windows, of one, and of a half
		c := parse(t, session("claude-opus-4-5", rounds, 200))
		env := core.Env{Force: true}
		plan, err := core.NewPlan(c, "", p, env)
		require.NoError(t, err)
		out, err := core.Apply(c, "", p, env, plan, answerAll(plan, core.SummaryResult{Text: "They read on."}))
		require.NoError(t, err)
		most := min(plan.Before*2/5, max(automatic, min(plan.Before/5, plan.Limit)))
		require.LessOrEqual(t, out.After, most+most/20, rounds)
		require.Greater(t, out.After, min(most, automatic)/2, rounds) // the answers are short
		last := len(c.Messages) - 1
		require.Equal(t, c.Messages[last].Blocks, out.Conversation.Messages[len(out.Conversation.Messages)-1].Blocks)

		sent, err := format.Render(out.Conversation)
		require.NoError(t, err)
		for _, same := range []*msg.Conversation{out.Conversation, parse(t, string(sent))} {
			again, err := core.NewPlan(same, out.State, p, env)
			require.NoError(t, err)
			require.Empty(t, again.Regions)
			require.Empty(t, again.Edits)
			require.Equal(t, "there are no messages since the last forced compaction", again.Warnings[0].Message)
		}
	}
}
