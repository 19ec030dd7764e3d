package replay

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// Three real sessions: 471 calls as a request body, 103 as a log with timestamps, 15 in OpenAI's format. The replay
// agrees with the reference implementation call by call, and the sums are fixed. Tokens are counted by a published rule
// (chars4), the presets are published designs, and summaries are a fixed text: so only a change of the replay itself
// can change the sums.
func TestRealSessions(t *testing.T) {
	sessions := map[string]struct {
		path, model       string
		minTokens, window int // minimum of the cache; window of the policies, so small that they act
	}{
		"body": {"anthropic/pi-mono--before-compaction.json", "claude-opus-4-5", 4096, 100_000},
		"log": {"claude-code/claude-code-log--a7da6a22-facc-4fcd-8bab-f83c87862004.jsonl", "claude-sonnet-4-5", 1024,
			40_000},
		"chat": {"openai-chat/kimi-cli--531d195b-6436-426e-b010-4bf723a992de-read-1.json", "gpt-5", 0, 20_000},
	}
	type sums struct{ sent, peak, read, write, input, cost, compactions int }
	for _, row := range []struct {
		session, preset, ttl, breakpoints string
		want                              sums
	}{
		{"body", NoPreset, "5m", Anchors, sums{98_482_379, 362_167, 98_120_045, 362_167, 167, 54_916_612, 0}},
		{"body", "turns", "5m", Anchors, sums{19_034_647, 74_844, 18_623_361, 397_778, 13_508, 15_799_575, 5}},
		// not a published design: compared with the reference implementation only
		{"body", "balanced", "5m", Anchors, sums{}},
		{"log", NoPreset, "5m", Anchors, sums{4_337_359, 74_707, 4_180_994, 155_598, 767, 2_268_375, 0}},
		{"log", NoPreset, "1h", Anchors, sums{4_337_359, 74_707, 4_231_424, 105_168, 767, 2_331_026, 0}},
		{"log", NoPreset, "5m", Automatic, sums{4_337_359, 74_707, 4_180_994, 155_598, 767, 2_268_375, 0}},
		{"log", "harness", "5m", Anchors, sums{1_776_670, 30_850, 1_489_451, 286_452, 767, 1_951_616, 88}},
		{"log", "prune", "1h", Automatic, sums{452_983, 7_963, 370_426, 79_478, 3_079, 1_264_179, 10}},
		{"chat", NoPreset, "5m", Anchors, sums{256_614, 32_995, 220_928, 0, 35_686, 96_385, 0}},
		{"chat", "prune", "5m", Anchors, sums{125_928, 17_876, 87_936, 0, 37_992, 105_993, 2}},
		{"chat", "turns", "5m", Anchors, sums{120_833, 24_957, 70_528, 0, 50_305, 99_115, 2}},
	} {
		t.Run(row.session+"/"+row.preset+"/"+row.ttl+"/"+row.breakpoints, func(t *testing.T) {
			s := sessions[row.session]
			c := corpus(t, s.path)
			copied := *c
			copied.Model = s.model
			o := Options{Count: tokens.Chars4, Summarize: shortly, TTL: row.ttl, Breakpoints: row.breakpoints, IgnoreUsage: true,
				None: row.preset == NoPreset, Model: s.model}
			var p policy.Policy
			if !o.None {
				var err error
				p, err = policy.Preset(row.preset)
				require.NoError(t, err)
				p.Trigger.Window = s.window
			}
			r, err := Replay(&copied, p, o)
			require.NoError(t, err)
			// The reference takes most of the time: 11 s for the longest session, with "balanced", whose sums are not fixed.
			// TestAccountsAgree compares other figures of short sessions with every preset.
			if !convtest.Fewer() || row.session == "chat" {
				requireSame(t, slowReplay(t, &copied, p, o, s.minTokens, slowTimes(t, c, DefaultIdle)), r)
			}
			sum := &r.Totals
			if row.preset != "balanced" {
				require.Equal(t, row.want, sums{sum.Sent, sum.Peak, sum.CacheRead, sum.CacheWrite, sum.Input, sum.Cost,
					sum.Compactions})
			}
			if row.session == "log" {
				require.Equal(t, msg.Usage{Input: 2250, CacheRead: 8505166, CacheWrite: 175207, Output: 31430}, sum.API)
				require.Equal(t, sum.Calls, sum.APICalls)
			}
		})
	}
}

// accounts are the models of TestAccountsAgree by format, with the prices and the minimum of a cached prefix of the
// providers' pages. For GPT-5.6, Options.Prices sets others.
var accounts = []struct {
	formats, model string
	minTokens      int
	price          slowPrice
	prices         *models.Price
}{
	{"anthropic claude-code openai-chat", "claude-opus-5", 512, slowPrice{5, .5, 6.25, 10, 25}, nil},
	{"anthropic", "claude-haiku-4-5", 4096, slowPrice{1, .1, 1.25, 2, 5}, nil},
	{"openai-chat openai-responses", "gpt-5.6", 1024, slowPrice{2, .2, 2.5, 2.5, 16},
		&models.Price{Input: 2000, Output: 16_000, Read: 100, Write5m: 1250, Write1h: 1250}},
	{"openai-chat openai-responses", "gpt-5", 1024, slowPrice{1.25, .125, 0, 0, 10}, nil},
	{"gemini", "gemini-2.5-pro", 2048, slowPrice{1.25, .125, 0, 0, 10}, nil},
}

// The reference accountant agrees with the replay to the token and to the millionth of a dollar, over the real sessions
// and every preset. `make test` takes the small sessions; TAMP_ACCOUNTS=all takes all of them, which lasts many
// minutes.
func TestAccountsAgree(t *testing.T) {
	limit := int64(45_000) // bytes
	if os.Getenv("TAMP_ACCOUNTS") == "all" {
		limit = 1 << 30
	}
	sessions, calls := map[string]bool{}, 0
	for n, account := range accounts {
		if n == 1 {
			limit /= 3 // the first model has most of the formats
		}
		for _, file := range convtest.Corpus(t, strings.Fields(account.formats)...) {
			info, err := os.Stat(file)
			require.NoError(t, err)
			if info.Size() > limit {
				continue
			}
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			c, err := format.Parse(data, "")
			require.NoError(t, err)
			if len(format.SegmentsOf(c).Earlier) > 0 {
				continue // the reference reads one segment
			}
			sessions[file] = true
			for _, name := range convtest.OneOfFew(append(policy.Names(), NoPreset), len(sessions)) {
				o := Options{Count: tokens.Chars4, Model: account.model, Summarize: shortly, IgnoreUsage: true,
					None: name == NoPreset, Prices: account.prices}
				p := preset(t, "balanced")
				if !o.None {
					p = preset(t, name)
				}
				p.Trigger.Window = 30_000
				r, err := Replay(c, p, o)
				require.NoError(t, err)
				copied := *c
				copied.Model = o.Model
				requireSame(t, slowReplay(t, &copied, p, o, account.minTokens, slowTimes(t, c, DefaultIdle)), r)
				for i := range r.Calls {
					call := &r.Calls[i]
					require.InDelta(t, 1e6*account.price.cost(call), call.Cost-call.SummaryCost, 0.501, "%s, %s, call %d",
						file, name, i+1)
				}
				calls += len(r.Calls)
			}
		}
	}
	t.Logf("%d sessions, %d calls, no difference", len(sessions), calls)
	require.Greater(t, calls, 500) // the sessions were read
}
