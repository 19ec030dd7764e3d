package replay

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
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
		{"body", NoPreset, "5m", Anchors, sums{98_512_847, 362_033, 97_934_350, 362_033, 216_464, 55_901_061, 0}},
		{"body", "turns", "5m", Anchors, sums{13_731_068, 56_102, 13_039_023, 380_283, 311_762, 14_431_457, 7}},
		{"body", "balanced", "5m", Anchors, sums{}}, // not a published design: compared with the reference implementation only
		{"log", NoPreset, "5m", Anchors, sums{4_337_359, 74_707, 4_011_372, 166_999, 158_988, 2_734_902, 0}},
		{"log", NoPreset, "1h", Anchors, sums{4_337_359, 74_707, 4_154_619, 105_122, 77_618, 2_538_256, 0}},
		{"log", NoPreset, "5m", Automatic, sums{4_337_359, 74_707, 4_180_994, 155_598, 767, 2_268_375, 0}},
		{"log", "harness", "5m", Anchors, sums{1_770_600, 30_750, 127_427, 1_550_209, 92_964, 6_558_695, 89}},
		{"log", "prune", "1h", Automatic, sums{457_893, 7_963, 368_842, 82_018, 7_033, 1_290_752, 10}},
		{"chat", NoPreset, "5m", Anchors, sums{256_614, 32_995, 220_928, 0, 35_686, 96_385, 0}},
		{"chat", "prune", "5m", Anchors, sums{161_310, 21_082, 123_392, 0, 37_918, 86_984, 1}},
		{"chat", "turns", "5m", Anchors, sums{105_214, 24_452, 19_584, 0, 85_630, 137_638, 6}},
	} {
		t.Run(row.session+"/"+row.preset+"/"+row.ttl+"/"+row.breakpoints, func(t *testing.T) {
			s := sessions[row.session]
			c := corpus(t, s.path)
			copied := *c
			copied.Model = s.model
			o := Options{Count: tokens.Chars4, Summarize: shortly, TTL: row.ttl, Breakpoints: row.breakpoints,
				None: row.preset == NoPreset}
			var p core.Policy
			if !o.None {
				var err error
				p, err = core.Preset(row.preset)
				require.NoError(t, err)
				p.Trigger.Window = s.window
			}
			r, err := Replay(&copied, p, o)
			require.NoError(t, err)
			requireSame(t, slowReplay(t, &copied, p, o, s.minTokens, slowTimes(t, c, DefaultIdle)), r)
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
