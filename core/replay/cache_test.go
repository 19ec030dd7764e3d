package replay

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/hash"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

func parse(t require.TestingT, data string) *msg.Conversation {
	c, err := format.Parse([]byte(data), "")
	require.NoError(t, err)
	return c
}

// marked draws breakpoints for a request at random places, those of an hour first.
func marked(t *rapid.T, c *msg.Conversation) *msg.Conversation {
	hours := rapid.IntRange(0, 3).Draw(t, "hours")
	with := func(blocks []msg.Block) []msg.Block {
		out := make([]msg.Block, len(blocks))
		for i, b := range blocks {
			var cache *msg.Cache
			if rapid.IntRange(0, 5).Draw(t, "breakpoint") == 0 {
				cache = &msg.Cache{Type: "ephemeral"}
				if hours > 0 {
					hours--
					cache.TTL = "1h"
				}
			}
			out[i] = b.WithCache(cache)
			for k := range b.Parts {
				out[i].Parts[k].Cache = nil
			}
		}
		return out
	}
	out := *c
	out.Cache = nil
	out.Tools, out.System = with(c.Tools), with(c.System)
	out.Messages = nil
	for _, m := range c.Messages {
		out.Messages = append(out.Messages, m.WithBlocks(with(m.Blocks)))
	}
	if rapid.IntRange(0, 3).Draw(t, "automatic") == 0 {
		out.Cache = &msg.Cache{Type: "ephemeral"}
	}
	return &out
}

// The cache agrees with its reference implementation: growing conversations, sometimes changed in the middle, with
// breakpoints at any place and any time between calls.
func TestCacheAgreesWithTheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{msg.Anthropic, msg.OpenAIChat}).Draw(t, "format")
		c := parse(t, string(convtest.Conversation(t, name)))
		meter := tokens.NewMeter(rapid.SampledFrom([]tokens.Counter{tokens.Chars4, tokens.Estimate}).Draw(t,
			"counter"), c)
		minTokens := rapid.SampledFrom([]int{0, 1, 20, 200}).Draw(t, "minimum")
		ttl := rapid.SampledFrom([]int{300, 3600}).Draw(t, "ttl")
		var fast cache = &automaticCache{ttlMillis: 1000 * ttl, minTokens: automaticMinimum}
		var slow interface {
			send(slowRequest, int) bill
		} = &slowAutomatic{ttl: ttl, minTokens: 1024}
		if name == msg.Anthropic {
			fast = &explicitCache{minTokens: minTokens, entries: map[hash.Hash128]entry{}}
			slow = &slowBreakpoints{minTokens: minTokens}
		}
		reader := newReader(meter, c, fit{}, map[messageKey]messageInfo{})
		messages, now := c.Messages, 0
		for range rapid.IntRange(1, 12).Draw(t, "calls") {
			now += 1000 * rapid.SampledFrom([]int{0, 1, 60, 299, 300, 301, 3599, 3600}).Draw(t, "seconds")
			if len(messages) > 0 && rapid.IntRange(0, 3).Draw(t, "compact") == 0 {
				at := rapid.IntRange(0, len(messages)-1).Draw(t, "at")
				messages = append([]msg.Message(nil), messages...)
				messages[at] = msg.TextMessage(msg.User, "changed "+strconv.Itoa(now))
			}
			prompt := c.WithMessages(messages[:rapid.IntRange(0, len(messages)).Draw(t, "length")])
			asked := marked(t, prompt)
			q, counts := reader.readRequest(prompt, false)
			require.Equal(t, meter.Conversation(prompt), *counts)
			q.readBreakpoints(asked, true)
			have := fast.send(q, now)
			require.Equal(t, slow.send(slowRead(meter, asked), now), have)
			require.Equal(t, q.total, have.read+have.write5m+have.write1h+have.input)
		}
	})
}

// The replay agrees with its reference implementation under every preset, with a window so small that the policy acts.
func TestReplayAgreesWithTheReference(t *testing.T) {
	convtest.SetCases(t, 100)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		c := parse(t, string(convtest.Conversation(t, name)))
		p, err := policy.Preset(rapid.SampledFrom(policy.Names()).Draw(t, "preset"))
		require.NoError(t, err)
		p.Trigger.Window = rapid.SampledFrom([]int{500, 2000, 20_000}).Draw(t, "window")
		p.Trigger.BufferTokens, p.Trigger.ReserveOutput = min(p.Trigger.BufferTokens, 50), min(p.Trigger.ReserveOutput,
			100)
		p.Clear.MinSavings = min(p.Clear.MinSavings, 50)
		o := Options{Count: tokens.Chars4, Model: "claude-opus-5", Summarize: shortly, IgnoreUsage: true,
			Idle: rapid.SampledFrom([]int{1, 200, 300, 4000}).Draw(t, "idle"),
			None: rapid.IntRange(0, 3).Draw(t, "none") == 0, Breakpoints: rapid.SampledFrom([]string{"", Anchors,
				Automatic, FromRequest}).Draw(t, "breakpoints"),
			TTL: rapid.SampledFrom([]string{"", "5m", "1h"}).Draw(t, "ttl")}
		r, err := Replay(c, p, o)
		require.NoError(t, err)
		copied := *c
		copied.Model = o.Model
		requireSame(t, slowReplay(t, &copied, p, o, 512, slowTimes(t, c, o.Idle)), r)
		again, err := Replay(c, p, o)
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}

// shortly answers every request with a short text.
func shortly(_ *msg.Conversation, plan *core.Plan) ([]core.SummaryResult, error) {
	results := make([]core.SummaryResult, len(plan.Requests))
	for i, q := range plan.Requests {
		results[i] = core.SummaryResult{ID: q.ID,
			Text: convtest.Vouched(q.User, "What was done, in a few words: request "+strconv.Itoa(i+1)+".")}
	}
	return results, nil
}

// requireSame compares the fields of each call that the reference implementation computes.
func requireSame(t require.TestingT, want []Call, r *Report) {
	require.Len(t, r.Calls, len(want))
	sent := 0
	for i, have := range r.Calls {
		require.Equal(t, want[i].Error != "", have.Error != "", "call %d", i+1)
		want[i].Error, want[i].Time, want[i].Cost, want[i].API = have.Error, have.Time, have.Cost, have.API
		want[i].Trigger, want[i].SummaryTokens, want[i].SummaryCost = have.Trigger, have.SummaryTokens, have.SummaryCost
		want[i].Breaks, want[i].Notes = have.Breaks, have.Notes
		want[i].Names, want[i].Missed, want[i].Lost, want[i].Misses = have.Names, have.Missed, have.Lost, have.Misses
		want[i].ReadCost = have.ReadCost
		require.Equal(t, want[i], have, "call %d", i+1)
		require.Equal(t, have.Sent, have.CacheRead+have.CacheWrite+have.Input)
		require.Equal(t, have.Uncompacted-have.Sent >= 0, true, "tokens never grow")
		sent += have.Sent
	}
	require.Equal(t, sent, r.Totals.Sent)
}

// letters makes a conversation of blocks with 100 tokens each: t is a text, u a call, r a result; an upper-case letter
// has a breakpoint.
func letters(s string) (*msg.Conversation, tokens.Meter) {
	c := &msg.Conversation{Format: msg.Anthropic}
	for i := range len(s) {
		b := msg.TextBlock(strings.Repeat("x", 396) + strconv.Itoa(1000+i))
		switch s[i] | 0x20 {
		case 'u':
			b.Kind, b.Type = msg.KindToolUse, "tool_use"
		case 'r':
			b.Kind, b.Type = msg.KindToolResult, "tool_result"
		}
		if s[i] < 'a' {
			b.Cache = &msg.Cache{Type: "ephemeral"}
		}
		c.Messages = append(c.Messages, msg.Message{Role: msg.User, Blocks: []msg.Block{b}})
	}
	return c, tokens.NewMeter(tokens.Chars4, c)
}

// Each rule on its own: a first request, a pause in seconds, and the reads and writes of a second request.
func TestCacheRules(t *testing.T) {
	run := func(n int) string { return strings.Repeat("t", n) }
	for _, row := range []struct {
		why             string
		minTokens, idle int
		first, second   string
		read, write     int
	}{
		{"a written entry is read", 0, 10, "ttT", "ttT", 300, 0},
		{"nothing is written without a breakpoint", 0, 10, "ttt", "ttT", 0, 300},
		{"nothing is read without a breakpoint", 0, 10, "ttT", "ttt", 0, 0},
		{"an entry ends at its breakpoint, not before", 0, 10, "ttT", "tTt", 0, 200},
		{"the longest hit counts", 0, 10, "TtT", "TtTt", 300, 0},
		{"an entry before the breakpoint is found", 0, 10, "tT", "ttttT", 200, 300},
		{"the breakpoint's own position is the first of twenty", 0, 10, "T", "t" + run(18) + "T", 100, 1900},
		{"the twenty-first position is not checked", 0, 10, "T", "t" + run(19) + "T", 0, 2100},
		{"a run of results is one position", 0, 10, "T", "t" + run(17) + strings.Repeat("r", 30) + "T", 100, 4800},
		{"a run of calls is one position too, and results after it the next", 0, 10, "T",
			"t" + run(16) + "uuuuurrrrrT", 100, 2700},
		{"a second breakpoint looks back from its own place", 0, 10, "T", "t" + run(9) + "T" + run(18) + "T", 100,
			2900},
		{"five minutes less a second", 0, 299, "ttT", "ttT", 300, 0},
		{"five minutes", 0, 300, "ttT", "ttT", 0, 300},
		{"the minimum is met", 300, 10, "ttT", "ttT", 300, 0},
		{"one token below the minimum", 301, 10, "ttT", "ttT", 0, 0},
	} {
		t.Run(row.why, func(t *testing.T) {
			s := &explicitCache{minTokens: row.minTokens, entries: map[hash.Hash128]entry{}}
			var b bill
			for i, text := range []string{row.first, row.second} {
				c, meter := letters(text)
				q, _ := newReader(meter, c, fit{}, map[messageKey]messageInfo{}).readRequest(c, false)
				q.readBreakpoints(c, true)
				b = s.send(q, i*1000*row.idle)
				require.Equal(t, 100*len(text), b.read+b.write5m+b.input)
			}
			require.Equal(t, row.read, b.read, "read")
			require.Equal(t, row.write, b.write5m, "written")
		})
	}
}

// A read restarts the lifetime of an entry, so every call of a busy session reads.
func TestReadRefreshes(t *testing.T) {
	s := &explicitCache{entries: map[hash.Hash128]entry{}}
	c, meter := letters("ttT")
	reader := newReader(meter, c, fit{}, map[messageKey]messageInfo{})
	for i := range 5 {
		q, _ := reader.readRequest(c, false)
		q.readBreakpoints(c, true)
		b := s.send(q, i*299_000)
		require.Equal(t, i > 0, b.read == 300, "call %d", i)
	}
}

// A read also restarts an entry that is found by looking back, at a place that has no breakpoint any more.
func TestReadRefreshesAnEntryFoundByLookingBack(t *testing.T) {
	s := &explicitCache{entries: map[hash.Hash128]entry{}}
	for i, row := range []struct {
		text string
		read int
	}{{"T", 0}, {"tT", 100}, {"trT", 100}, {"tuT", 0}} {
		c, meter := letters(row.text)
		q, _ := newReader(meter, c, fit{}, map[messageKey]messageInfo{}).readRequest(c, false)
		q.readBreakpoints(c, true)
		require.Equal(t, row.read, s.send(q, []int{0, 200_000, 400_000, 700_000}[i]).read, row.text)
	}
}

// Gemini caches longer prefixes only. Source, of October 2026: ai.google.dev/gemini-api/docs/caching.
func TestAutomaticMinimum(t *testing.T) {
	for model, want := range map[string]int{"gpt-5": 1024, "gpt-5.6": 1024, "gemini-2.5-pro": 2048,
		"gemini-2.5-flash": 2048, "gemini-3.1-pro-preview": 4096, "gemini-4-argon": 4096, "": 4096} {
		s := newCache(model, msg.Gemini, "").(*automaticCache)
		require.Equal(t, want, s.minTokens, model)
		c, meter := letters(strings.Repeat("t", want/100))
		c.Messages[0].Blocks[0].Text += strings.Repeat("xxxx", want%100-1)
		q, _ := newReader(meter, c, fit{}, map[messageKey]messageInfo{}).readRequest(c, false)
		s.send(q, 0)
		require.Zero(t, s.send(q, 1000).read, "%s: one token less", model)
		c.Messages[0].Blocks[0].Text += "xxxx"
		q, _ = newReader(meter, c, fit{}, map[messageKey]messageInfo{}).readRequest(c, false)
		s.send(q, 2000)
		require.Equal(t, want, s.send(q, 3000).read, model)
	}
}

// OpenAI's numbers: from 1,024 tokens on, in steps of 128.
func TestAutomaticSteps(t *testing.T) {
	for _, row := range []struct {
		why        string
		same, read int
	}{
		{"too short", 1023, 0}, {"just long enough", 1024, 1024}, {"less than one step above", 1100,
			1024}, {"a multiple of the step, rounded down", 1200, 1152}, {"fifty", 6400, 6400},
	} {
		t.Run(row.why, func(t *testing.T) {
			s := &automaticCache{ttlMillis: 300_000, minTokens: automaticMinimum}
			text := strings.Repeat("t", row.same/100)
			size := func(c *msg.Conversation) { c.Messages[0].Blocks[0].Text += strings.Repeat("x", row.same%100*4) }
			c, meter := letters(text)
			size(c)
			q, _ := newReader(meter, c, fit{}, map[messageKey]messageInfo{}).readRequest(c, false)
			require.Equal(t, bill{input: row.same}, s.send(q, 0))
			longer, meter := letters(text + "rt")
			size(longer)
			q, _ = newReader(meter, longer, fit{}, map[messageKey]messageInfo{}).readRequest(longer, false)
			require.Equal(t, bill{read: row.read, input: row.same + 200 - row.read}, s.send(q, 299_999))
			q, _ = newReader(meter, longer, fit{}, map[messageKey]messageInfo{}).readRequest(longer, false)
			require.Equal(t, 0, s.send(q, 900_000).read, "the entry has expired")
		})
	}
}
