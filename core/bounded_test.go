package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/marker"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
	"tamp/core/words"
)

// grow appends one exchange to a session: a prompt now and then, a call with its result or an answer.
func grow(t *rapid.T, messages []string, n int) []string {
	text := func(count int) string {
		return strings.TrimSpace(strings.Repeat(fmt.Sprintf("step %d reads part_%d.go and finds value %d. ", n, n, n*17), count))
	}
	quote := func(text string) string { return string(rawjson.Quote(text)) }
	if n == 0 || rapid.IntRange(0, 5).Draw(t, "prompt") == 0 {
		messages = append(messages, `{"role":"user","content":`+quote(fmt.Sprintf("Task %d: look at part_%d.go. Never change port %d.", n, n,
			8000+n))+`}`)
	}
	if rapid.IntRange(0, 3).Draw(t, "answer") == 0 {
		return append(messages, `{"role":"assistant","content":`+quote(text(rapid.IntRange(1, 30).Draw(t, "words")))+`}`)
	}
	size := rapid.SampledFrom([]int{1, 5, 20, 60, 150}).Draw(t, "size")
	return append(messages,
		fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"read_file","input":{"path":"part_%d.go"}}]}`, n, n),
		fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%s}]}`, n, quote(text(size))))
}

// summaryTokens counts the summaries of a conversation without the user's words in them, and how many there are.
func summaryTokens(c *msg.Conversation, counts tokens.Counts) (sum, n int) {
	for m := range c.Messages {
		if block := &c.Messages[m].Blocks[0]; block.Kind == msg.KindText {
			if l, text := marker.Parse(block.Text); l.Form == marker.Turns {
				said, _ := words.Cut(text)
				sum += counts.Messages[m].Tokens - tokens.NewMeter(nil, c).Text(words.Section(said))
				n++
			}
		}
	}
	return sum, n
}

// The limits on sizes hold after every compaction of a session, with any answers: the summaries stay in their
// share, the first and the newest prompt stay, the result is valid, and the session never overflows.
func TestSizesStayBounded(t *testing.T) {
	convtest.SetCases(t, 100)
	rapid.Check(t, func(t *rapid.T) {
		p, err := policy.Preset("balanced")
		require.NoError(t, err)
		p.Trigger.Window = rapid.SampledFrom([]int{8000, 16_000, 40_000}).Draw(t, "window")
		p.Clear.When = "" // every compaction at the soft limit
		var messages []string
		state, compactions := core.State(""), 0
		first := ""
		for n := 0; n < 60 && compactions < 6; n++ {
			messages = grow(t, messages, n)
			if first == "" {
				first = messages[0]
			}
			c := parse(t, "["+strings.Join(messages, ",")+"]")
			loop, err := core.NewLoop(c, state, p, core.Env{})
			require.NoError(t, err, "no overflow")
			for loop.Plan() != nil {
				plan, before := loop.Plan(), loop.Conversation()
				out, err := loop.Apply(drawAnswers(t, before, p, plan))
				require.NoError(t, err)
				if out.Conversation == before || len(plan.Regions) == 0 {
					continue
				}
				compactions++
				counts := tokens.NewMeter(nil, out.Conversation).Conversation(out.Conversation)
				sum, count := summaryTokens(out.Conversation, counts)
				require.LessOrEqual(t, sum, plan.Target*p.Summary.SummaryPermille/1000+count*80, "of a target of %d", plan.Target)
				require.Less(t, counts.Total, p.Trigger.Window)
				require.True(t, validity.Valid(validity.Check(out.Conversation)))
			}
			rendered, err := format.Render(loop.Conversation())
			require.NoError(t, err)
			state = loop.State()
			list := rawjson.Value(rendered)
			messages = messages[:0]
			prompt := false
			for _, m := range list.Elements() {
				messages = append(messages, string(m))
				prompt = prompt || string(m) == first
			}
			require.True(t, prompt, "the first prompt stays word for word")
		}
	})
}

// drawAnswers answers the requests of a plan: without a model, shortly, at length, or not at all.
// Next to tools that take three quarters of the window the summaries are condensed, too: the session stays below its
// hard limit, and not every call compacts.
func TestSizesStayBoundedNextToLargeTools(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = 40_000
	system := strings.Repeat("You help with the project and follow each of its rules. ", 2200)
	quote := func(text string) string { return string(rawjson.Quote(text)) }
	messages := []string{`{"role":"user","content":"Work through all parts of the project."}`}
	state, compactions, rounds := core.State(""), 0, 150
	for n := range rounds {
		part := fmt.Sprintf("line %d of part %d of the project holds value %d\n", n, n, n*17)
		messages = append(messages,
			fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"Round %d: the next part."},
				{"type":"tool_use","id":"t%d","name":"bash","input":{"command":"cat part_%d.go"}}]}`, n, n, n),
			fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%s}]}`, n,
				quote(strings.Repeat(part, 30))))
		c := parse(t, `{"system":`+quote(system)+`,"messages":[`+strings.Join(messages, ",")+`]}`)
		outcome, err := core.Compact(c, state, p, core.Env{}, core.Host{Save: func([]byte) error { return nil }})
		require.NoError(t, err)
		state = outcome.State
		counts := tokens.NewMeter(nil, outcome.Conversation).Conversation(outcome.Conversation)
		require.Greater(t, counts.System, p.Trigger.Window*7/10)
		require.LessOrEqual(t, counts.Total, p.Trigger.LimitsFor(p.Trigger.Window, counts.System).Hard, "round %d", n)
		if len(outcome.Conversation.Messages) < len(messages) {
			compactions++
		}
		messages = rendered(t, outcome.Conversation)
	}
	require.Positive(t, compactions)
	require.Less(t, compactions, rounds/2)
}

func drawAnswers(t *rapid.T, c *msg.Conversation, p policy.Policy, plan *core.Plan) []core.SummaryResult {
	results, err := core.Summarize(c, "", p, core.Env{}, plan, nil)
	require.NoError(t, err)
	for i := range results {
		switch rapid.SampledFrom([]string{"extract", "extract", "short", "long", "error"}).Draw(t, "answer") {
		case "short":
			results[i].Text = "They read on."
		case "long":
			results[i].Text = strings.Repeat("They read part_7.go again and found nothing new in it. ", 2000)
		case "error":
			results[i].Text, results[i].Err = "", "overloaded"
		}
	}
	return results
}

// A recent message that is too large for the window does not end it: its parallel results are cut to what the target
// leaves. Next to a shorter window summaries would lose most of their lines.
func TestTheWindowIsFilled(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window, p.Clear.When = 40_000, ""
	quote := func(text string) string { return string(rawjson.Quote(text)) }
	page := func(n, lines int) string {
		var w strings.Builder
		for i := range lines {
			fmt.Fprintf(&w, "func handler_%d_%d() returns value %d of part %d\n", n, i, n*17+i, n)
		}
		return w.String()
	}
	for _, large := range []string{"results", "call"} {
		messages := []string{`{"role":"user","content":"Work through all parts."}`}
		add := func(n, results, lines int, input string) {
			calls, answers := make([]string, results), make([]string, results)
			for i := range results {
				id := fmt.Sprintf("t%d_%d", n, i)
				calls[i] = `{"type":"tool_use","id":"` + id + `","name":"put","input":{"part":"` + id + `","text":` + quote(input) + `}}`
				answers[i] = `{"type":"tool_result","tool_use_id":"` + id + `","content":` + quote(page(n*10+i, lines)) + `}`
			}
			messages = append(messages, `{"role":"assistant","content":[`+strings.Join(calls, ",")+`]}`,
				`{"role":"user","content":[`+strings.Join(answers, ",")+`]}`)
		}
		compact := func(state core.State) (core.State, *msg.Conversation, *core.Plan) {
			c := parse(t, "["+strings.Join(messages, ",")+"]")
			loop, err := core.NewLoop(c, state, p, core.Env{})
			require.NoError(t, err)
			plan := loop.Plan()
			require.NotNil(t, plan)
			results, err := core.Summarize(c, "", p, core.Env{}, plan, nil)
			require.NoError(t, err)
			out, err := loop.Apply(results)
			require.NoError(t, err)
			return out.State, out.Conversation, plan
		}
		for n := range 45 {
			add(n, 1, 80, "")
		}
		state, c, _ := compact("")
		_, before := summaryTokens(c, tokens.NewMeter(nil, c).Conversation(c))
		require.Positive(t, before)
		rendered, err := format.Render(c)
		require.NoError(t, err)
		messages = nil
		for _, m := range rawjson.Value(rendered).Elements() {
			messages = append(messages, string(m))
		}
		for n := 45; n < 49; n++ {
			add(n, 1, 80, "")
		}
		if large == "call" {
			add(49, 1, 1, page(9, 600))
		} else {
			add(49, 8, 90, "")
		}
		add(50, 1, 30, "")
		_, c, plan := compact(state)
		counts := tokens.NewMeter(nil, c).Conversation(c)
		summaries, _ := summaryTokens(c, counts)
		t.Logf("%s: total %d target %d summaries %d", large, counts.Total, plan.Target, summaries)
		require.Greater(t, counts.Total, plan.Target*3/4, large)
		require.Greater(t, summaries, plan.Target/4, large)
		require.LessOrEqual(t, summaries*100, counts.Total*45, large)
	}
}

// A long session with many prompts is summarized by few requests: each is a model call of its own, and a host may have
// a limit on these.
func TestBoundedPlansHaveFewRequests(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"role":"user","content":"Write the whole program."}`)
	for i := range 80 {
		fmt.Fprintf(&b, `,{"role":"assistant","content":"%s"},{"role":"user","content":"Go on with part %d."}`,
			strings.Repeat(fmt.Sprintf("part %d of the answer ", i), 500), i)
	}
	c := parse(t, "["+b.String()+"]")
	for _, row := range []struct {
		preset string
		limit  int
	}{{"balanced", 8}, {"balanced", 3}, {"balanced", 0}, {"regions", 5}} {
		p, err := policy.Preset(row.preset)
		require.NoError(t, err)
		require.True(t, row.limit != 8 || p.Summary.MaxRequests == 8, "the default")
		p.Trigger.Window, p.Summary.MaxRequests, p.Summary.Granularity = 200_000, row.limit, "span"
		plan, err := core.NewPlan(c, "", p, core.Env{})
		require.NoError(t, err)
		require.Greater(t, plan.Before, 190_000) // it almost fills the window
		if row.limit == 0 {
			require.Greater(t, len(plan.Requests), 20) // more than any limit of the rows
			continue
		}
		require.NotEmpty(t, plan.Requests)
		require.LessOrEqual(t, len(plan.Requests), row.limit)
		if row.preset == "balanced" { // joined, so that nothing waits
			require.LessOrEqual(t, plan.After, plan.Target)
		}
	}
}
