package replay

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

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

func preset(t require.TestingT, name string) policy.Policy {
	p, err := policy.Preset(name)
	require.NoError(t, err)
	return p
}

// rounds is a session of an agent that reads n files of size tokens.
func rounds(n, size int) string {
	var b strings.Builder
	b.WriteString(`{"model":"claude-opus-4-5","system":"Be careful.","messages":[{"role":"user","content":"Read every file of the project."}`)
	text := strings.Repeat("line of core/msg/raw.go\\n", size*4/24)
	for i := range n {
		id := string(rune('a'+i/26)) + string(rune('a'+i%26))
		b.WriteString(`,{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"read","input":{"path":"` +
			id + `.go"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"` + text + `"}]}`)
	}
	b.WriteString(`,{"role":"assistant","content":"That is all."}]}`)
	return b.String()
}

// Without compaction, each call sends the tokens of its prompt, in each segment of a log.
func TestBaselineSendsTheSession(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		c := parse(t, string(convtest.Conversation(t, name)))
		o := Options{None: true, IgnoreUsage: true}
		r, err := Replay(c, policy.Policy{}, o)
		require.NoError(t, err)
		w, err := newReplayer(c, policy.Policy{}, o)
		require.NoError(t, err)
		calls := r.Calls
		for i := range w.segments {
			s := &w.segments[i]
			meter := tokens.NewMeter(nil, s.c)
			for range s.answers {
				call := calls[0]
				calls = calls[1:]
				prompt := s.c.WithMessages(s.c.Messages[:call.Message])
				require.Equal(t, meter.Conversation(prompt).Total, call.Sent)
				require.Equal(t, call.Sent, call.Uncompacted)
				require.Equal(t, call.Sent, call.CacheRead+call.CacheWrite+call.Input)
				at, err := At(c, policy.Policy{}, o, call.Number)
				require.NoError(t, err)
				want, err := format.Render(prompt)
				require.NoError(t, err)
				have, err := format.Render(at)
				require.NoError(t, err)
				require.Equal(t, string(want), string(have))
			}
		}
		require.Empty(t, calls)
		require.Equal(t, 1000, r.Misses.Permille)
		require.Zero(t, r.Misses.Calls+r.Misses.Reads+r.Misses.LeftOut)
		require.Zero(t, r.Totals.Compactions)
	})
}

// For any input, also invalid requests: no error, no panic, and the sums hold.
func TestBrokenSessions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		c, err := format.Parse(convtest.Break(t, name, convtest.Conversation(t, name)), name)
		if err != nil {
			return // not parsable
		}
		p := preset(t, rapid.SampledFrom(policy.Names()).Draw(t, "preset"))
		p.Trigger.Window = rapid.SampledFrom([]int{500, 20_000}).Draw(t, "window")
		p.Trigger.BufferTokens, p.Trigger.ReserveOutput = min(p.Trigger.BufferTokens, 50), min(p.Trigger.ReserveOutput,
			100)
		r, err := Replay(c, p, Options{})
		require.NoError(t, err)
		for _, call := range r.Calls {
			require.Equal(t, call.Sent, call.CacheRead+call.CacheWrite+call.Input)
			require.LessOrEqual(t, call.Sent, call.Uncompacted)
		}
		require.LessOrEqual(t, r.Misses.Missed, r.Misses.Names)
	})
}

// The session itself is not changed.
func TestReplayChangesNothing(t *testing.T) {
	doc := rounds(30, 2000)
	c := parse(t, doc)
	p := preset(t, "balanced")
	p.Trigger.Window = 40_000
	r, err := Replay(c, p, Options{})
	require.NoError(t, err)
	require.Positive(t, r.Totals.Compactions)
	out, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, doc, string(out))
}

// At returns the conversation that Replay accounts for. It is valid at every call and renders in the session's format.
func TestAtIsWhatWasSent(t *testing.T) {
	c := parse(t, rounds(30, 2000))
	p := preset(t, "balanced")
	p.Trigger.Window = 40_000
	r, err := Replay(c, p, Options{})
	require.NoError(t, err)
	for _, call := range r.Calls {
		at, err := At(c, p, Options{}, call.Number)
		require.NoError(t, err)
		require.Equal(t, call.Sent, tokens.NewMeter(nil, at).Conversation(at).Total, "call %d", call.Number)
		for _, problem := range validity.Check(at) {
			require.NotEqual(t, validity.SeverityError, problem.Severity, "call %d: %s", call.Number, problem.Message)
		}
		out, err := format.Render(at)
		require.NoError(t, err)
		require.NotContains(t, string(out), "cache_control")
	}
	for _, call := range []int{0, -1, len(r.Calls) + 1} {
		_, err = At(c, p, Options{}, call)
		requireCode(t, err, msg.BadRequest)
	}
}

func requireCode(t *testing.T, err error, code msg.Code) {
	var e *msg.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, code, e.Code)
}

func TestOptionsAreChecked(t *testing.T) {
	c := parse(t, rounds(2, 10))
	for _, o := range []Options{{TTL: "2h"}, {Idle: -1}, {Breakpoints: "everywhere"}} {
		_, err := Replay(c, preset(t, "turns"), o)
		requireCode(t, err, msg.BadRequest)
		_, err = At(c, preset(t, "turns"), o, 1)
		requireCode(t, err, msg.BadRequest)
	}
	bad := preset(t, "turns")
	bad.Summary.Strategy = "guess"
	_, err := Replay(c, bad, Options{})
	requireCode(t, err, msg.BadPolicy)
	_, err = Replay(c, bad, Options{None: true})
	require.NoError(t, err, "the policy is ignored")
}

// A policy that cannot compact far enough reports it at each such call, and the replay goes on.
func TestOverflowIsRecorded(t *testing.T) {
	words := strings.Repeat("do this and that, ", 400)
	var messages []string
	for range 6 {
		messages = append(messages, `{"role":"user","content":"`+words+`"},{"role":"assistant","content":"done"}`)
	}
	c := parse(t, `[`+strings.Join(messages, ",")+`]`)
	p := preset(t, "regions")
	p.Trigger.Window, p.Trigger.BufferTokens = 5000, 100
	r, err := Replay(c, p, Options{Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, 5000, r.Window)
	require.Equal(t, 3500, r.Soft)
	require.Equal(t, 4400, r.Hard)
	require.Len(t, r.Calls, 6)
	for i, call := range r.Calls {
		require.Equal(t, call.Uncompacted, call.Sent)
		require.Equal(t, i >= 2, call.Error != "", "1,800 tokens a prompt: the third is over the hard line")
	}
	require.Contains(t, r.Calls[5].Error, "cannot compact further")
	require.Equal(t, 4, r.Totals.Errors)
	require.Equal(t, 4, r.Totals.OverWindow)
}

// Progress gets the number of calls done, and false ends the replay with these calls.
func TestProgress(t *testing.T) {
	c := parse(t, rounds(9, 100))
	var seen []int
	r, err := Replay(c, policy.Policy{}, Options{None: true, Progress: func(done, of int) bool {
		require.Equal(t, 10, of)
		seen = append(seen, done)
		return true
	}})
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, seen)
	require.False(t, r.Stopped)

	r, err = Replay(c, policy.Policy{}, Options{None: true, Progress: func(done, _ int) bool { return done < 4 }})
	require.NoError(t, err)
	require.True(t, r.Stopped)
	require.Len(t, r.Calls, 4)
	require.Equal(t, 4, r.Totals.Calls)
}

// The summarizer can be replaced; the tokens that it reads and writes cost the price of its model.
func TestSummariesArePaidFor(t *testing.T) {
	c := parse(t, rounds(30, 2000))
	p := preset(t, "turns")
	p.Trigger.Window = 40_000
	cheap, err := Replay(c, p, Options{Summarize: shortly, SummaryModel: "claude-haiku-4-5"})
	require.NoError(t, err)
	same, err := Replay(c, p, Options{Summarize: shortly})
	require.NoError(t, err)
	require.Equal(t, same.Totals.SummaryTokens, cheap.Totals.SummaryTokens)
	require.Positive(t, cheap.Totals.Summaries)
	require.Equal(t, same.Totals.Cost-same.Totals.SummaryCost, cheap.Totals.Cost-cheap.Totals.SummaryCost)
	require.InDelta(t, same.Totals.SummaryCost, 5*cheap.Totals.SummaryCost, 5*float64(cheap.Totals.Summaries),
		"Haiku costs a fifth of Opus")

	_, err = Replay(c, p, Options{Summarize: func(*msg.Conversation, *core.Plan) ([]core.SummaryResult, error) {
		return nil, errors.New("no model today")
	}})
	require.EqualError(t, err, "no model today")

	failed, err := Replay(c, p, Options{Summarize: func(_ *msg.Conversation, plan *core.Plan) ([]core.SummaryResult,
		error) {
		var results []core.SummaryResult
		for _, q := range plan.Requests {
			results = append(results, core.SummaryResult{ID: q.ID, Err: "busy"})
		}
		return results, nil
	}})
	require.NoError(t, err)
	require.Zero(t, failed.Totals.Summaries)
	require.Positive(t, failed.Totals.SummaryCost, "the input of a failed call is paid")
}

// An unknown model has no price; the costs use a substitute price.
func TestUnknownPrice(t *testing.T) {
	c := parse(t, rounds(3, 2000))
	r, err := Replay(c, policy.Policy{}, Options{None: true, Model: "house-model"})
	require.NoError(t, err)
	require.False(t, r.Priced)
	require.Equal(t, "house-model", r.Model)
	require.Positive(t, r.Totals.Cost)
	r, err = Replay(c, policy.Policy{}, Options{None: true})
	require.NoError(t, err)
	require.True(t, r.Priced)
}

// A message that the agent wrote in place of the model is not a call.
func TestSyntheticAnswersAreNoCalls(t *testing.T) {
	line := func(kind, uuid, parent, message string) string {
		return `{"type":"` + kind + `","uuid":"` + uuid + `","parentUuid":` + parent +
			`,"timestamp":"2025-01-01T00:00:00Z","message":` + message + `}` + "\n"
	}
	c := parse(t, line("user", "1", "null", `{"role":"user","content":"go"}`)+
		line("assistant", "2", `"1"`,
			`{"id":"m1","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}`)+
		line("user", "3", `"2"`, `{"role":"user","content":"go on"}`)+
		line("assistant", "4", `"3"`,
			`{"id":"m2","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"done"}],"usage":{"input_tokens":7,"output_tokens":3}}`))
	r, err := Replay(c, policy.Policy{}, Options{None: true})
	require.NoError(t, err)
	require.Len(t, r.Calls, 1)
	require.Equal(t, 3, r.Calls[0].Message)
	require.Equal(t, 7, r.Calls[0].API.Input)
	require.Equal(t, 1, r.Totals.APICalls)
}

// parseTime agrees with the time package for RFC 3339, and returns 0 for any other text.
func TestParseTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(1, 253402300799999).Draw(t, "ms"))
		zone := time.FixedZone("", 60*rapid.IntRange(-14*60, 14*60).Draw(t, "zone"))
		layout := rapid.SampledFrom([]string{time.RFC3339, time.RFC3339Nano, "2006-01-02T15:04:05.000Z07:00"}).Draw(t,
			"layout")
		text := at.In(zone).Format(layout)
		if at.In(zone).Year() > 9999 || at.In(zone).Year() < 1970 {
			return
		}
		want, err := time.Parse(time.RFC3339, text)
		require.NoError(t, err)
		require.Equal(t, int(want.UnixMilli()), parseTime(text), text)
	})
	for _, text := range []string{"", "now", "2025-11-17", "2025-11-17T23:50:06", "2025-13-17T23:50:06Z",
		"2025-11-17T24:50:06Z", "2025-11-17T23:50:06+2:00",
		"2025-11-17T23:50:06+25:00", "2025-11-17T23:5x:06Z", "20251117T235006.000Z00", "2025-11-17T23:50:06.Zulu"} {
		require.Zero(t, parseTime(text), text)
	}
}

// The JSON of the report has the members that the page reads.
func TestReportJSON(t *testing.T) {
	r, err := Replay(parse(t, rounds(1, 10)), preset(t, "balanced"), Options{})
	require.NoError(t, err)
	out, err := json.Marshal(r)
	require.NoError(t, err)
	var top map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(out, &top))
	for _, name := range []string{"preset", "model", "priced", "counter", "measure", "window", "soft", "hard", "calls",
		"totals", "misses"} {
		require.Contains(t, top, name)
	}
	empty, err := Replay(parse(t, `[{"role":"user","content":"hi"}]`), policy.Policy{}, Options{None: true})
	require.NoError(t, err)
	out, err = json.Marshal(empty)
	require.NoError(t, err)
	require.Contains(t, string(out), `"calls":[]`)
}
