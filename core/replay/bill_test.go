package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// agentLog writes a session log of an agent, line by line.
type agentLog struct {
	lines  []string
	parent string
	model  string
	later  int // seconds that all further lines come later
}

// newAgentLog writes up to three calls: the prompts have 1,000, 490 and 90 tokens.
func newAgentLog(model string, calls ...usage) *agentLog {
	l := &agentLog{model: model}
	for i, u := range calls {
		l.user([]int{1000, 490, 90}[i])
		l.answer(u)
	}
	return l
}

func (l *agentLog) line(kind, members, message string) string {
	uuid := fmt.Sprintf("u%d", len(l.lines))
	parent := "null"
	if l.parent != "" {
		parent = `"` + l.parent + `"`
	}
	l.lines = append(l.lines, fmt.Sprintf(`{"uuid":%q,"parentUuid":%s,"type":%q%s,"timestamp":"2026-03-01T10:%02d:%02dZ"%s}`,
		uuid, parent, kind, members, (len(l.lines)+l.later)/60, (len(l.lines)+l.later)%60, message))
	return uuid
}

// user writes a prompt of n tokens under the counter chars4.
func (l *agentLog) user(n int) {
	l.parent = l.line("user", "", `,"message":{"role":"user","content":"`+strings.Repeat("text", n)+`"}`)
}

// usage is the API's usage of a call: input, read, written for five minutes, for an hour, output.
type usage [5]int

func (u usage) json() string {
	return fmt.Sprintf(`{"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,`+
		`"cache_creation":{"ephemeral_5m_input_tokens":%d,"ephemeral_1h_input_tokens":%d},"output_tokens":%d}`,
		u[0], u[1], u[2]+u[3], u[2], u[3], u[4])
}

// answer writes an answer of ten tokens with its usage.
func (l *agentLog) answer(u usage) { l.parent = l.answerOn(l.parent, "", u) }

func (l *agentLog) answerOn(parent, members string, u usage) string {
	kept := l.parent
	l.parent = parent
	uuid := l.line("assistant", members, fmt.Sprintf(`,"message":{"id":"m%d","role":"assistant","model":%q,"content":`+
		`[{"type":"text","text":"%s"}],"usage":%s}`, len(l.lines), l.model, strings.Repeat("text", 10), u.json()))
	l.parent = kept
	return uuid
}

// compact writes the boundary of a compaction of the agent, and its summary.
func (l *agentLog) compact(n int) {
	l.parent = ""
	l.parent = l.line("system", `,"subtype":"compact_boundary"`, "")
	l.parent = l.line("user", `,"isCompactSummary":true`, `,"message":{"role":"user","content":"`+strings.Repeat("text", n)+`"}`)
}

func (l *agentLog) parse(t require.TestingT) *msg.Conversation {
	return parse(t, strings.Join(l.lines, "\n")+"\n")
}

// sample is a log of three calls: the system prompt and the tools, which it does not show, have 10,000 tokens.
func sample() *agentLog {
	return newAgentLog("claude-opus-4-5", usage{3, 0, 1000, 9997, 100}, usage{3, 11_000, 497, 0, 200},
		usage{3, 11_497, 100, 0, 300})
}

// Without compaction the report is the bill: to the token, and in money. Opus 4.5 costs $5 for a million tokens of
// input and $25 of output; a read a tenth, a write for five minutes 1.25 times, for an hour twice.
func TestTheBaselineIsTheBill(t *testing.T) {
	c := sample().parse(t)
	for name, o := range map[string]Options{"default": {}, "chars": {Count: tokens.Chars4}} {
		o.None = true
		r, err := Replay(c, policy.Policy{}, o)
		require.NoError(t, err)
		require.Equal(t, FromUsage, r.Basis, name)
		require.Equal(t, 11_000+11_500+11_600, r.Totals.Sent)
		require.Equal(t, 11_000+11_497, r.Totals.CacheRead)
		require.Equal(t, 1000+9997+497+100, r.Totals.CacheWrite)
		require.Equal(t, 9997, r.Totals.CacheWrite1h)
		require.Equal(t, 9, r.Totals.Input)
		// 3 × 5 + 1,000 × 6.25 + 9,997 × 10 + 100 × 25 = 15 + 6,250 + 99,970 + 2,500 = 108,735
		require.Equal(t, 108_735, r.Calls[0].Cost)
		// 15 + 11,000 × 0.5 + 497 × 6.25 + 200 × 25 = 15 + 5,500 + 3,106.25 + 5,000 = 13,621
		require.Equal(t, 13_621, r.Calls[1].Cost)
		// 15 + 5,748.5 + 625 + 7,500 = 13,888.5
		require.Equal(t, 13_889, r.Calls[2].Cost)
		require.Equal(t, r.Totals.Cost, r.Totals.CostLow)
		require.Equal(t, r.Totals.Cost, r.Totals.CostHigh)
	}
}

// The hidden tokens and the factor follow from the usage, and with them the simulation meets the bill.
func TestHiddenTokensFollowFromTheUsage(t *testing.T) {
	r, err := Replay(sample().parse(t), policy.Policy{}, Options{None: true, Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, 10_000, r.Hidden)
	require.Equal(t, 1000, r.Factor)
	s := r.Simulated
	require.Equal(t, 3, s.Calls)
	require.Equal(t, r.Totals.API.Prompt(), s.CacheRead+s.CacheWrite+s.Input, "the whole input")
	require.Equal(t, 11_000+11_500, s.CacheRead, "each call reads the previous one")
	require.Equal(t, 10_000+1000, s.CacheWrite1h, "the first call writes for an hour, mostly")
	require.Equal(t, r.Totals.Cost, s.Billed)
	require.InEpsilon(t, s.Billed, s.Cost, 0.05)

	// Twice the tokens of chars4 for every text: a factor of two.
	l := &agentLog{model: "claude-opus-4-5"}
	prompt := 5000
	for range 6 {
		l.user(490)
		prompt += 2 * 490
		l.answer(usage{prompt, 0, 0, 0, 20})
		prompt += 2 * 10
	}
	r, err = Replay(l.parse(t), policy.Policy{}, Options{None: true, Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, 5000, r.Hidden)
	require.Equal(t, 2000, r.Factor)
	require.Contains(t, notes(r), "uncached", "no call used the cache")
	require.Equal(t, r.Simulated.Billed, r.Simulated.Cost, "so nothing is cached, and all is input")
}

func notes(r *Report) []string {
	var codes []string
	for _, n := range r.Notes {
		codes = append(codes, n.Code)
	}
	return codes
}

// A policy that changes nothing costs exactly the bill; one that clears costs less than the bill by what the simulation
// finds, and the tokens of each call are those of the bill without those that were cleared.
func TestAPolicyIsChargedTheDifference(t *testing.T) {
	c := sample().parse(t)
	base, err := Replay(c, policy.Policy{}, Options{None: true})
	require.NoError(t, err)
	for _, name := range policy.Names() {
		r, err := Replay(c, preset(t, name), Options{})
		require.NoError(t, err)
		require.Zero(t, r.Totals.Compactions, name)
		require.Equal(t, base.Totals.Cost, r.Totals.Cost, name)
		require.Equal(t, base.Totals.Sent, r.Totals.Sent, name)
	}

	b := bill{read: 50_000, write5m: 1000, input: 3}
	require.Equal(t, b, b.changed(bill{read: 49_000, write5m: 1500}, bill{read: 49_000, write5m: 1500}))
	require.Equal(t, bill{read: 11_000, write5m: 30_003}, // 10,000 tokens fewer, 39,000 of them no longer read
		b.changed(bill{read: 49_000, write5m: 1500}, bill{read: 10_000, write5m: 30_500}))
	require.Equal(t, bill{input: 3}, bill{input: 903}.changed(bill{input: 900}, bill{}), "never less than nothing")
	require.Equal(t, bill{}, bill{read: 500}.changed(bill{read: 900}, bill{}))
}

// The result never has a negative part, and its parts sum up to the size.
func TestChangedBillsAddUp(t *testing.T) {
	parts := []int{0, 1, 999, 50_000}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				from, to := bill{a, b, c, 3}, bill{b, c, a, 5}
				got := bill{c, a, b, 7}.changed(from, to)
				require.GreaterOrEqual(t, min(got.read, got.write5m, got.write1h, got.input), 0)
				require.Equal(t, max(a+b+c+7+to.sent()-from.sent(), 0), got.sent())
			}
		}
	}
}

// A log with two compactions: all its calls count, each once, and each segment starts with the agent's summary.
func TestEverySegmentIsReplayed(t *testing.T) {
	l := sample()
	l.compact(300)
	l.user(90)
	l.answer(usage{3, 10_000, 387, 0, 50})
	l.compact(200)
	l.user(190)
	l.answer(usage{3, 10_000, 387, 0, 50})
	l.user(90)
	l.answer(usage{3, 10_387, 100, 0, 50})
	c := l.parse(t)
	require.Len(t, c.Messages, 5, "the last segment alone")
	for _, none := range []bool{true, false} {
		r, err := Replay(c, preset(t, "balanced"), Options{None: none, Count: tokens.Chars4})
		require.NoError(t, err)
		require.Equal(t, 3, r.Segments)
		require.Len(t, r.Calls, 6)
		require.Equal(t, 11_000+11_500+11_600+10_390+10_390+10_490, r.Totals.Sent)
		require.Equal(t, r.Totals.API.Prompt(), r.Totals.Sent)
		require.Equal(t, 11_600, r.Totals.Peak)
		require.Contains(t, notes(r), "segments")
		require.Equal(t, 10_000, r.Simulated.CacheRead-(11_000+11_500+10_000+10_390), "the system prompt survives")
		for n, want := range []int{1, 3, 5, 2, 2, 4} {
			at, err := At(c, preset(t, "balanced"), Options{None: none}, n+1)
			require.NoError(t, err)
			require.Len(t, at.Messages, want, "call %d", n+1)
			_, err = format.Render(at)
			require.NoError(t, err)
		}
	}
}

// Calls of subagents and of branches that the user left are counted apart.
func TestOtherCalls(t *testing.T) {
	l := sample()
	branch := l.parent
	l.answerOn(branch, `,"isSidechain":true`, usage{10, 0, 1000, 0, 10})
	l.answerOn("u0", "", usage{20, 100, 0, 2000, 10})
	l.user(10)
	l.answer(usage{3, 11_597, 20, 0, 10})
	r, err := Replay(l.parse(t), policy.Policy{}, Options{None: true})
	require.NoError(t, err)
	require.Len(t, r.Calls, 4)
	require.Equal(t, 11_000+11_500+11_600+11_620, r.Totals.Sent)
	times := map[int]int{} // of line n: n seconds after ten o'clock
	for n := range l.lines {
		times[n] = parseTime("2026-03-01T10:00:00Z") + 1000*n
	}
	// 10 × 5 + 1,000 × 6.25 + 250, and 20 × 5 + 100 × 0.5 + 2,000 × 10 + 250
	require.Equal(t, &Others{Calls: 2, Cost: 6550 + 20_400,
		Usage: msg.Usage{Input: 30, CacheRead: 100, CacheWrite: 3000, CacheWrite1h: 2000, Output: 20},
		Tracks: []Track{
			{Subagent: true, Cost: 6550, Calls: []TrackCall{{After: 3, Time: times[6], Sent: 1010, Cost: 6550}}},
			{Cost: 20_400, Calls: []TrackCall{{After: 3, Time: times[7], Sent: 2120, Cost: 20_400}}},
		}}, r.Others)
	require.Contains(t, notes(r), "other_calls")
}

// A log that switches models: each call has the price and the cache of its own.
func TestModelsSwitch(t *testing.T) {
	l := &agentLog{model: "claude-opus-4-5"}
	l.user(5000)
	l.answer(usage{0, 0, 5000, 0, 10})
	l.user(90)
	l.model = "claude-sonnet-4-5"
	l.answer(usage{0, 0, 5100, 0, 10})
	l.user(90)
	l.model = "claude-opus-4-5"
	l.answer(usage{0, 5000, 200, 0, 10})
	c := l.parse(t)
	for _, ignore := range []bool{false, true} {
		r, err := Replay(c, policy.Policy{}, Options{None: true, Count: tokens.Chars4, IgnoreUsage: ignore})
		require.NoError(t, err)
		require.Equal(t, "claude-opus-4-5", r.Model)
		require.Equal(t, []string{"", "claude-sonnet-4-5", ""},
			[]string{r.Calls[0].Model, r.Calls[1].Model, r.Calls[2].Model})
		require.Equal(t, 31_250+250, r.Calls[0].Cost)
		require.Equal(t, 19_125+150, r.Calls[1].Cost, "5,100 are written at 3.75: Sonnet has no entry of Opus")
		require.Equal(t, 2500+1250+250, r.Calls[2].Cost, "5,000 are read at 0.5, 200 written")
		require.Contains(t, notes(r), "models")
	}
	r, err := Replay(c, policy.Policy{}, Options{None: true, Count: tokens.Chars4, Model: "claude-sonnet-4-5"})
	require.NoError(t, err)
	require.Equal(t, Estimated, r.Basis, "the usage is not that of the requested model")
	require.Equal(t, 5000+5100, r.Totals.CacheRead)
}

// The logs of other agents name the model of each call, too.
func TestModelsSwitchInAllLogs(t *testing.T) {
	pi := func(id, parent, message string) string {
		return `{"type":"message","id":"` + id + `","parentId":"` + parent + `","message":` + message + "}\n"
	}
	answered := func(model string) string {
		return `{"role":"assistant","content":[{"type":"text","text":"ok"}],"model":"` + model + `","usage":{"input":1000,"output":10}}`
	}
	codex := func(kind, payload string) string {
		return `{"timestamp":"t","type":"` + kind + `","payload":` + payload + "}\n"
	}
	asked := codex("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]}`)
	said := codex("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}`) +
		codex("event_msg", `{"type":"token_count","info":{"last_token_usage":{"input_tokens":1000,"output_tokens":10}}}`)
	opencode := func(n, role, info string) string {
		return `{"info":{"id":"m` + n + `","sessionID":"s","role":"` + role + `","time":{"created":` + n + `}` + info +
			`},"parts":[{"id":"p` + n + `","sessionID":"s","messageID":"m` + n + `","type":"text","text":"ok"}]}`
	}
	used := func(model string) string {
		return `,"modelID":"` + model + `","tokens":{"input":1000,"output":10,"cache":{"read":0,"write":0}}`
	}
	google := func(n, kind, more string) string {
		return `{"id":"` + n + `","type":"` + kind + `","content":"ok"` + more + `}`
	}
	counted := func(model string) string { return `,"model":"` + model + `","tokens":{"input":1000,"output":10}` }
	for _, row := range []struct{ format, log, first, second string }{
		{msg.Pi, `{"type":"session","version":3,"id":"s"}` + "\n" + pi("a", "", `{"role":"user","content":"go on"}`) +
			pi("b", "a", answered("claude-opus-4-5")) + pi("c", "b", `{"role":"user","content":"go on"}`) +
			pi("d", "c", answered("claude-sonnet-4-5")), "claude-opus-4-5", "claude-sonnet-4-5"},
		{msg.Codex, codex("session_meta", `{"id":"s"}`) + codex("turn_context", `{"model":"gpt-5"}`) + asked + said +
			codex("turn_context", `{"model":"gpt-5-mini"}`) + asked + said, "gpt-5", "gpt-5-mini"},
		{msg.OpenCode, `{"info":{"id":"s"},"messages":[` + opencode("1", "user", "") + "," +
			opencode("2", "assistant", used("claude-opus-4-5")) + "," + opencode("3", "user", "") + "," +
			opencode("4", "assistant", used("claude-sonnet-4-5")) + "]}", "claude-opus-4-5", "claude-sonnet-4-5"},
		{msg.GeminiCLI, `{"sessionId":"s","messages":[` + google("1", "user", "") + "," +
			google("2", "gemini", counted("gemini-2.5-pro")) + "," + google("3", "user", "") + "," +
			google("4", "gemini", counted("gemini-2.5-flash")) + "]}", "gemini-2.5-pro", "gemini-2.5-flash"},
	} {
		c, err := format.Parse([]byte(row.log), row.format)
		require.NoError(t, err, row.format)
		r, err := Replay(c, policy.Policy{}, Options{None: true})
		require.NoError(t, err)
		require.Equal(t, row.second, r.Model, row.format)
		require.Len(t, r.Calls, 2)
		require.Equal(t, []string{row.first, ""}, []string{r.Calls[0].Model, r.Calls[1].Model}, row.format)
		price := models.ProfileFor(row.first, row.format).Price
		require.Equal(t, price.Input*1000/1000+price.Output*10/1000, r.Calls[0].Cost, row.format)
		require.Less(t, r.Calls[1].Cost, r.Calls[0].Cost, row.format)
	}
}

// An entry that the log's own call did not find is lost for every account.
func TestLostEntriesAreLost(t *testing.T) {
	l := sample()
	l.user(90)
	l.answer(usage{3, 0, 11_697, 0, 10})
	l.user(90)
	l.answer(usage{3, 11_697, 100, 0, 10})
	r, err := Replay(l.parse(t), policy.Policy{}, Options{None: true, Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, 11_000+11_500+11_700, r.Simulated.CacheRead)
	require.InEpsilon(t, r.Simulated.Billed, r.Simulated.Cost, 0.05)
}

// An entry that the log's own call read after its lifetime is alive for every account; without that it is not.
func TestKeptEntriesAreKept(t *testing.T) {
	for _, row := range []struct {
		after usage // the call after the pause
		read  int
	}{
		{usage{3, 11_497, 100, 0, 10}, 11_500},
		{usage{3, 0, 11_597, 0, 10}, 0},
	} {
		l := newAgentLog("claude-opus-4-5", usage{3, 0, 10_997, 0, 100}, usage{3, 11_000, 497, 0, 200})
		l.later = 400
		l.user(90)
		l.answer(row.after)
		l.user(90)
		l.answer(usage{3, 11_597, 100, 0, 10})
		r, err := Replay(l.parse(t), policy.Policy{}, Options{None: true, Count: tokens.Chars4})
		require.NoError(t, err)
		require.Equal(t, 11_000+row.read+11_600, r.Simulated.CacheRead)
		require.InEpsilon(t, r.Simulated.Billed, r.Simulated.Cost, 0.01)
	}
}

// A first call that reads the cache reads the hidden tokens that another session has written.
func TestHiddenTokensOfAnotherSessionAreRead(t *testing.T) {
	l := newAgentLog("claude-opus-4-5", usage{3, 6000, 4997, 0, 100}, usage{3, 11_000, 497, 0, 200})
	r, err := Replay(l.parse(t), policy.Policy{}, Options{None: true, Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, 10_000, r.Hidden)
	require.Equal(t, 6000+11_000, r.Simulated.CacheRead)
	require.Equal(t, 5000+500, r.Simulated.CacheWrite)
}

// A provider that reads a cache and writes nothing has an automatic cache: prefixes in steps of 128 tokens, and what is
// new costs as input.
func TestAutomaticCacheOfTheLog(t *testing.T) {
	l := newAgentLog("glm-5.2", usage{11_000, 0, 0, 0, 100}, usage{620, 10_880, 0, 0, 200}, usage{208, 11_392, 0, 0, 300})
	r, err := Replay(l.parse(t), policy.Policy{}, Options{None: true, Count: tokens.Chars4})
	require.NoError(t, err)
	require.Contains(t, notes(r), "automatic_cache")
	require.Equal(t, 10_880+11_392, r.Simulated.CacheRead)
	require.Equal(t, 11_000+620+208, r.Simulated.Input)
	require.Equal(t, r.Simulated.Billed, r.Simulated.Cost)
}

// The options that replace what the log shows.
func TestReplayOptions(t *testing.T) {
	c := sample().parse(t)
	prices := &models.Price{Input: 1000, Output: 2000, Read: 500, Write5m: 1000, Write1h: 3000}
	r, err := Replay(c, policy.Policy{}, Options{None: true, Prices: prices})
	require.NoError(t, err)
	require.Equal(t, (3+1000+3*9997+200)+(3+5500+497+400)+6452, r.Totals.Cost) // the last: 3 + 5,748.5 + 100 + 600

	hour, err := Replay(c, policy.Policy{}, Options{None: true, TTL: "1h"})
	require.NoError(t, err)
	require.Equal(t, hour.Totals.Sent, r.Totals.Sent)
	require.Greater(t, hour.Totals.CacheWrite1h, r.Totals.CacheWrite1h, "what the log wrote for five minutes")

	hidden := 7000
	for _, ignore := range []bool{false, true} {
		r, err = Replay(c, policy.Policy{}, Options{None: true, Hidden: &hidden, Count: tokens.Chars4, IgnoreUsage: ignore})
		require.NoError(t, err)
		require.Equal(t, 7000, r.Hidden)
	}
	require.Equal(t, 3*7000+1000+1500+1600, r.Totals.Sent)
	require.Equal(t, 8000+8500, r.Totals.CacheRead)

	bad := MaxHidden + 1
	for path, o := range map[string]Options{"/hidden": {Hidden: &bad}, "/prices": {Prices: &models.Price{Read: -1}},
		"/ttl": {TTL: "2h"}, "/breakpoints": {Breakpoints: "none"}} {
		_, err := Replay(c, policy.Policy{}, o)
		var e *msg.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, path, e.Path)
	}
}

// Without usage and without a system prompt the cost is an interval, and the notes say why.
func TestUnknownsAreSaid(t *testing.T) {
	r, err := Replay(parse(t, `{"model":"claude-opus-4-5","messages":[{"role":"user","content":"`+strings.Repeat("text", 5000)+
		`"},{"role":"assistant","content":"a"},{"role":"user","content":"b"},{"role":"assistant","content":"c"}]}`),
		policy.Policy{}, Options{None: true})
	require.NoError(t, err)
	require.Equal(t, []string{"estimated", "hidden_unknown", "times_assumed"}, notes(r))
	require.Less(t, r.Totals.CostLow, r.Totals.Cost)
	// 30,000 written, then read: 187,500 + 15,000, besides the error of the counter
	require.Greater(t, r.Totals.CostHigh, r.Totals.Cost+202_500)

	r, err = Replay(parse(t, rounds(2, 100)), policy.Policy{}, Options{None: true})
	require.NoError(t, err)
	require.Equal(t, []string{"estimated", "times_assumed"}, notes(r), "a request with a system prompt shows all")
	r, err = Replay(parse(t, strings.Replace(rounds(2, 100), "claude-opus-4-5", "llama-9", 1)), policy.Policy{},
		Options{None: true})
	require.NoError(t, err)
	require.Contains(t, notes(r), "price_unknown")
}

// Haiku 5.5 costs $0.10 for a million tokens of input and $0.50 of output; above 100,000 tokens, cached ones included,
// five times that for the whole call. A read costs a tenth, a write for five minutes 1.25 times, for an hour twice.
func TestLongPromptsAreCharged(t *testing.T) {
	l := newAgentLog("claude-haiku-5-5", usage{3, 0, 99_997, 0, 100}, usage{4, 99_997, 0, 0, 100},
		usage{3, 99_997, 0, 10_000, 200})
	r, err := Replay(l.parse(t), policy.Policy{}, Options{None: true, Count: tokens.Chars4})
	require.NoError(t, err)
	// 100,000 tokens: 3 × 0.1 + 99,997 × 0.125 + 100 × 0.5 = 0.3 + 12,499.625 + 50 = 12,549.925
	require.Equal(t, 12_550, r.Calls[0].Cost)
	// 100,001 tokens: 4 × 0.5 + 99,997 × 0.05 + 100 × 2.5 = 2 + 4,999.85 + 250 = 5,251.85
	require.Equal(t, 5252, r.Calls[1].Cost)
	// 1.5 + 4,999.85 + 10,000 × 1 + 200 × 2.5 = 1.5 + 4,999.85 + 10,000 + 500 = 15,501.35
	require.Equal(t, 15_501, r.Calls[2].Cost)
	require.Equal(t, 12_550+5252+15_501, r.Simulated.Billed)
	require.Equal(t, "2 calls of more than 100,000 tokens: the whole of each is charged at the provider's price for long "+
		"prompts, 5.0 times that of short ones for input and 5.0 times for the answer", textOf(r, "long_prompts"))

	// Given prices are those of calls of any length: 3 × 1 + 99,997 + 200 × 2 + 2 × 10,000 in the last call.
	flat := &models.Price{Input: 1000, Output: 2000, Read: 1000, Write5m: 1000, Write1h: 2000}
	r, err = Replay(l.parse(t), policy.Policy{}, Options{None: true, Count: tokens.Chars4, Prices: flat})
	require.NoError(t, err)
	require.Equal(t, 120_400, r.Calls[2].Cost)
	require.Empty(t, textOf(r, "long_prompts"))
	stepped := *flat
	stepped.Long = models.Long{Above: 105_000, Input: 3000, Output: 1000}
	r, err = Replay(l.parse(t), policy.Policy{}, Options{None: true, Count: tokens.Chars4, Prices: &stepped})
	require.NoError(t, err)
	require.Equal(t, 100_001+200, r.Calls[1].Cost)
	require.Equal(t, 3*120_000+400, r.Calls[2].Cost)

	// The tokens that are paid again and the fixed part have the prices of their calls.
	l = newAgentLog("claude-haiku-5-5", usage{0, 0, 99_000, 0, 100}, usage{0, 0, 101_000, 0, 100})
	a, err := Audit(l.parse(t), preset(t, "balanced"), Options{Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, []Break{{"system", 1, 99_000, 56_925}}, a.Breaks) // 99,000 × (0.625 − 0.05)
	// a read costs 0.01 in the first call, 0.05 in the second
	require.Equal(t, (a.Fixed+50)/100+(5*a.Fixed+50)/100, a.FixedCost)
}

// Without usage, the calls may be longer or shorter than counted, by Scale of the model: the interval has the price of
// the length that they would have.
func TestTheIntervalCoversTheStep(t *testing.T) {
	doc := `[{"role":"system","content":"text"},{"role":"user","content":"` + strings.Repeat("text", 200) +
		`"},{"role":"assistant","content":"text"}]`
	at := func(above int) *Report {
		r, err := Replay(parse(t, doc), policy.Policy{}, Options{None: true, Model: "gpt-5", Prices: &models.Price{
			Input: 1000, Output: 1000, Read: 100, Long: models.Long{Above: above, Input: 2000, Output: 3000}}})
		require.NoError(t, err)
		return r
	}
	r := at(0)
	sent, answer := r.Totals.Sent, r.Totals.Output
	short, long := sent+answer, 2*sent+3*answer
	for above, want := range map[int][3]int{0: {short, short, short}, sent / 2: {long, long, long},
		sent - 1: {short, long, long}, sent: {short, short, long}, 2 * sent: {short, short, short}} {
		r := at(above)
		require.Equal(t, want[1], r.Totals.Cost)
		require.Equal(t, want[0]*950/1000, r.Totals.CostLow, above)
		require.Equal(t, want[2]*1030/1000, r.Totals.CostHigh, above)
	}
}

// textOf returns the text of a note, "" if the report does not have it.
func textOf(r *Report, code string) string {
	for _, n := range r.Notes {
		if n.Code == code {
			return n.Text
		}
	}
	return ""
}

// OpenAI from GPT-5.6 on: a prefix lives 30 minutes, and a write costs 1.25 times the input.
func TestPaidAutomaticCache(t *testing.T) {
	doc := `[{"role":"system","content":"text"},{"role":"user","content":"` + strings.Repeat("text", 1280) + `","timestamp":"2026-03-01T10:00:00Z"},` +
		`{"role":"assistant","content":"text"},{"role":"user","content":"text","timestamp":"2026-03-01T10:29:59Z"},` +
		`{"role":"assistant","content":"text"},{"role":"user","content":"text","timestamp":"2026-03-01T10:59:59Z"},` +
		`{"role":"assistant","content":"text"}]`
	prices := &models.Price{Input: 1000, Output: 0, Read: 100, Write5m: 1250}
	for model, want := range map[string][3]bill{
		"gpt-5.6":   {{write5m: 1280, input: 1}, {read: 1280, input: 3}, {write5m: 1280, input: 5}},
		"gpt-5.5":   {{input: 1281}, {input: 1283}, {input: 1285}},
		"gpt-6-pro": {{write5m: 1280, input: 1}, {read: 1280, input: 3}, {write5m: 1280, input: 5}},
	} {
		o := Options{None: true, Count: tokens.Chars4, Model: model, Prices: prices}
		r, err := Replay(parse(t, doc), policy.Policy{}, o)
		require.NoError(t, err)
		for i, call := range r.Calls {
			got := bill{read: call.CacheRead, write5m: call.CacheWrite, input: call.Input}
			require.Equal(t, want[i], got, "%s, call %d", model, i+1)
		}
	}
}
