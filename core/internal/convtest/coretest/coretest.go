// Package coretest has what the tests of core, core/plan and core/apply share: conversations to compact, and answers to
// plans. It is not a part of the API (see package core).
package coretest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// Parse reads a conversation, in the format that is detected.
func Parse(t require.TestingT, input string) *msg.Conversation {
	c, err := format.Parse([]byte(input), "")
	require.NoError(t, err)
	return c
}

// Spelled builds a conversation of 100 tokens a message from a letter for each: s a system prompt, d a developer's, u a
// prompt, a an answer, c a call, r the result of the newest call, f a result that says error. h is an answer of 12
// tokens, R a result of 49, S a summary.
func Spelled(t require.TestingT, letters string) *msg.Conversation {
	var messages []string
	text := strings.Repeat("word", 100)
	call := 0
	for _, letter := range letters {
		switch letter {
		case 's', 'd', 'u', 'a':
			role := map[rune]string{'s': "system", 'd': "developer", 'u': "user", 'a': "assistant"}[letter]
			messages = append(messages, fmt.Sprintf(`{"role":"%s","content":"%s"}`, role, text))
		case 'S':
			messages = append(messages,
				`{"role":"user","content":"[Summary of the earlier conversation, as history, not as a request]\n\nThey read."}`)
		case 'h':
			messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":"%s"}`, text[:48]))
		case 'c':
			call++
			messages = append(messages,
				fmt.Sprintf(`{"role":"assistant","content":"%s","tool_calls":[{"id":"%d","type":"function",`+
					`"function":{"name":"run","arguments":"{}"}}]}`, text, call))
		case 'r', 'f', 'R':
			what := map[rune]string{'r': text, 'R': text[:196], 'f': text + " error"}[letter]
			messages = append(messages, fmt.Sprintf(`{"role":"tool","tool_call_id":"%d","content":"%s"}`, call, what))
		}
	}
	return Parse(t, `{"model":"gpt-5","messages":[`+strings.Join(messages, ",")+`]}`)
}

// Session is an agent's: a prompt, then rounds of a call and its result of so many words.
func Session(model string, rounds, words int) string {
	return SessionWithIDs("t", model, rounds, words)
}

// SessionWithIDs is Session with ids of calls that begin with prefix.
func SessionWithIDs(prefix, model string, rounds, words int) string {
	var out strings.Builder
	out.WriteString(`{"model":"` + model +
		`","messages":[{"role":"user","content":"Go through the files. You must not change any of them."}`)
	for i := range rounds {
		id := strconv.Itoa(i)
		out.WriteString(`,{"role":"assistant","content":[{"type":"thinking","thinking":"File ` + id +
			`.","signature":"c2ln"},{"type":"tool_use","id":"` + prefix + id + `","name":"read","input":{"path":"f` + id +
			`.go"}}]}`)
		out.WriteString(`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + prefix + id + `","content":"` +
			strings.Repeat("word"+id+" ", words) + `"}]}`)
	}
	out.WriteString(`,{"role":"assistant","content":"That was file ` + strconv.Itoa(rounds-1) +
		`."},{"role":"user","content":"And now write the report."}]}`)
	return out.String()
}

// Talk is a session of questions and long answers, which only summaries can compact.
func Talk(rounds int) string {
	var out strings.Builder
	for i := range rounds {
		n := strconv.Itoa(i)
		out.WriteString(`{"role":"user","content":"Look at core/part` + n +
			`.go. Do not change its tests."},{"role":"assistant","content":"` +
			strings.Repeat("I read core/part"+n+".go: parseNumber"+n+" returns early on port 80"+n+". ", 12) + `"},`)
	}
	return `[` + out.String() + `{"role":"user","content":"And now?"}]`
}

// AnswerAll gives every request the same answer.
func AnswerAll(plan *core.Plan, answer core.SummaryResult) []core.SummaryResult {
	results := make([]core.SummaryResult, len(plan.Requests))
	for i, q := range plan.Requests {
		answer.ID = q.ID
		results[i] = answer
		if strings.TrimSpace(answer.Text) != "" {
			results[i].Text = convtest.Vouched(q.User, answer.Text)
		}
	}
	return results
}

// IsOverflow reports the error context_overflow.
func IsOverflow(err error) bool {
	var e *core.Error
	return errors.As(err, &e) && e.Code == msg.ContextOverflow
}

// RequireNoErrors asserts that a provider would take the conversation.
func RequireNoErrors(t require.TestingT, c *msg.Conversation) {
	for _, p := range validity.Check(c) {
		require.NotEqual(t, validity.SeverityError, p.Severity, "%s at %s: %s", p.Rule, p.Path, p.Message)
	}
}

// DrawPolicy draws a policy that has something to do on small conversations.
func DrawPolicy(t *rapid.T) policy.Policy {
	name := rapid.SampledFrom(policy.Names()).Draw(t, "preset")
	p, err := policy.Preset(name)
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
	p.Intake.MaxBytes = rapid.SampledFrom([]int{0, 0, 300}).Draw(t, "maxBytes")
	p.Intake.MaxChars = rapid.SampledFrom([]int{0, 0, 120}).Draw(t, "maxChars")
	p.Trigger.Window = rapid.SampledFrom([]int{100, 400, 200_000}).Draw(t, "window")
	p.Trigger.ReserveOutput = min(p.Trigger.ReserveOutput, p.Trigger.Window/4)
	p.Trigger.BufferTokens = 0
	p.Pin.RecentTurns = rapid.IntRange(0, 3).Draw(t, "recentTurns")
	p.Pin.RecentTokens = rapid.SampledFrom([]int{0, 100}).Draw(t, "recentTokens")
	p.Pin.KeepTurns = rapid.IntRange(0, 3).Draw(t, "pinTurns")
	p.Summary.ChunkMessages = max(p.Summary.ChunkMessages/5, min(p.Summary.ChunkMessages, 1))
	p.Summary.ShareExtra = min(p.Summary.ShareExtra, 5)
	p.Summary.MaxTokens = min(p.Summary.MaxTokens, 30)
	require.NoError(t, p.Validate())
	return p
}

// DrawEnv draws a counter, a focus, and whether the compaction is forced.
func DrawEnv(t *rapid.T) core.Env {
	counter, _ := tokens.Lookup(rapid.SampledFrom(tokens.Names()).Draw(t, "counter"))
	return core.Env{Count: counter, Force: rapid.Bool().Draw(t, "force"),
		Focus: rapid.SampledFrom([]string{"", "the names"}).Draw(t, "focus")}
}

// DrawResults answers a plan's requests as models do: well, too long, with nothing, with an error, or not at all.
func DrawResults(t *rapid.T, plan *core.Plan) []core.SummaryResult {
	var rs []core.SummaryResult
	for i, q := range plan.Requests {
		r := core.SummaryResult{ID: q.ID}
		switch rapid.SampledFrom([]string{"good", "good", "long", "empty", "error", "absent"}).Draw(t, "answer") {
		case "good":
			r.Text = convtest.Vouched(q.User, "Part "+strconv.Itoa(i)+".")
		case "long":
			r.Text = convtest.Vouched(q.User, "") + strings.Repeat(" It went on and on.", 500)
		case "empty":
			r.Text = " \n"
		case "error":
			r.Err = "overloaded"
		default:
			continue
		}
		rs = append(rs, r)
	}
	return rs
}

// Texts is what messages say.
func Texts(messages []msg.Message) []string {
	var out []string
	for m := range messages {
		for b := range messages[m].Blocks {
			out = append(out, string(messages[m].Role)+": "+messages[m].Blocks[b].Text)
		}
	}
	return out
}

// Reread renders a conversation and parses the result.
func Reread(t require.TestingT, c *msg.Conversation) *msg.Conversation {
	rendered, err := format.Render(c)
	require.NoError(t, err)
	again, err := format.Reparse(rendered, c.Format)
	require.NoError(t, err)
	return again
}

// Rendered returns the messages of a conversation as JSON.
func Rendered(t require.TestingT, c *msg.Conversation) []string {
	var out []string
	for m := range c.Messages {
		list, err := format.Render(&msg.Conversation{Format: c.Format, Messages: c.Messages[m : m+1]})
		require.NoError(t, err)
		out = append(out, strings.TrimSuffix(strings.TrimPrefix(string(list), "["), "]"))
	}
	return out
}

// Whole renders a conversation.
func Whole(t require.TestingT, c *msg.Conversation) string {
	rendered, err := format.Render(c)
	require.NoError(t, err)
	return string(rendered)
}
