package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// Codex writes the usage of a call before its items from 0.34 to 0.64, and after them else. Both are that of the call,
// also if it is written again, and if the version is not known.
func TestUsageOfCodexCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.Bool().Draw(t, "before")
		again := rapid.Bool().Draw(t, "again")
		version := rapid.SampledFrom([]string{"", "0.34.0", "0.64.1-alpha.2"}).Draw(t, "version")
		if !before {
			version = rapid.SampledFrom([]string{"", "0.33.9", "0.65.0", "0.150.0", "1.40.0"}).Draw(t, "version")
		}
		item := func(kind, payload string) string {
			return `{"timestamp":"t","type":"` + kind + `","payload":` + payload + "}\n"
		}
		log, total := "", 0
		if version != "" {
			log = item("session_meta", `{"id":"s","cli_version":"`+version+`"}`)
		}
		var want []int
		log += item("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}`)
		for k := range rapid.IntRange(1, 4).Draw(t, "calls") {
			n := 1000 + 10*k
			total += n
			usage := item("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d},`+
				`"last_token_usage":{"input_tokens":%d,"cached_input_tokens":5,"output_tokens":7}}}`, total, n))
			answer := item("response_item", `{"type":"reasoning","summary":[]}`) +
				item("response_item", fmt.Sprintf(`{"type":"function_call","name":"f","arguments":"{}","call_id":"c%d"}`, k))
			output := item("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":"x"}`, k))
			if before {
				log += usage + answer + output
			} else {
				log += answer + output + usage
			}
			if again {
				log += usage
			}
			want = append(want, n)
		}
		c, err := format.Parse([]byte(log), "")
		require.NoError(t, err)
		var got []int
		for i := range c.Messages {
			if u := c.Messages[i].Usage; u != nil {
				require.Equal(t, msg.Assistant, c.Messages[i].Role)
				got = append(got, u.Prompt())
			}
		}
		require.Equal(t, want, got, "%s", log)
	})
}

// The usage after Claude Code's own compaction counts: the calls were made with its summary.
func TestUsageAfterOwnSummary(t *testing.T) {
	line := func(uuid, parent, rest string) string {
		return `{"uuid":"` + uuid + `","parentUuid":` + parent + `,"timestamp":"2026-10-01T10:00:0` + uuid + `Z",` + rest + "}\n"
	}
	for _, content := range []string{`"Summary of it"`, `[{"type":"text","text":"Summary of it"}]`} {
		log := line("1", "null", `"type":"system","subtype":"compact_boundary","compactMetadata":{"preTokens":9}`) +
			line("2", `"1"`, `"type":"user","isCompactSummary":true,"message":{"role":"user","content":`+content+`}`) +
			line("3", `"2"`, `"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"Yes"}],`+
				`"usage":{"input_tokens":900,"output_tokens":9}}`)
		c, err := format.Parse([]byte(log), "")
		require.NoError(t, err)
		var track tokens.Track
		track.Add(c.Messages)
		require.NotNil(t, track.Usage)
		require.Equal(t, 900, track.Usage.Prompt())
	}
}

// What a log says that a call cost is believed, unless other prices are asked for; what the cache was read for is no
// input (OpenClaw counts it twice with Google).
func TestOwnCost(t *testing.T) {
	entry := func(n int, parent, message string) string {
		return fmt.Sprintf(`{"type":"message","id":"e%d","parentId":%s,"timestamp":"2026-02-15T09:00:00Z","message":%s}`, n, parent, message)
	}
	log := []string{`{"type":"session","version":3,"id":"s"}`, entry(0, "null", `{"role":"user","content":[{"type":"text","text":"go"}]}`)}
	for k := range 4 {
		log = append(log, entry(2*k+1, fmt.Sprintf(`"e%d"`, 2*k), fmt.Sprintf(`{"role":"assistant","model":"gemini-3-pro-preview",`+
			`"api":"google-generative-ai","stopReason":"stop","content":[{"type":"text","text":"ok"}],"usage":{"input":%d,"output":2,`+
			`"cacheRead":48000,"cacheWrite":0,"totalTokens":%d,"cost":{"total":0.01%d}}}`, 50000+k, 50002+k, k)),
			entry(2*k+2, fmt.Sprintf(`"e%d"`, 2*k+1), `{"role":"user","content":[{"type":"text","text":"more"}]}`))
	}
	c, err := format.Parse([]byte(strings.Join(log, "\n")), "")
	require.NoError(t, err)
	for i := range c.Messages {
		if u := c.Messages[i].Usage; u != nil {
			require.Equal(t, 50000+i/2, u.Prompt())
		}
	}
	a, err := Audit(c, preset(t, "balanced"), Options{})
	require.NoError(t, err)
	require.Equal(t, 10_000+11_000+12_000+13_000, a.Cost)
	require.Equal(t, a.Cost, a.Compacted, "nothing is compacted")
	r, err := Replay(c, policy.Policy{}, Options{None: true, Prices: &models.Price{Input: 1}})
	require.NoError(t, err)
	require.NotEqual(t, a.Cost, r.Totals.Cost)
}

// A preset that fires at a share of the window fires there, also in a log whose requests have tokens that the log has
// not, and more tokens than we count: no request is larger.
func TestShareOfTheWindowWithHiddenTokens(t *testing.T) {
	const window, hidden, calls = 110_000, 40_000, 200
	log, parent := "", ""
	line := func(kind, id, message string) {
		log += fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%q,"message":%s}`+"\n", kind, id, parent, message)
		parent = id
	}
	line("user", "u", `{"role":"user","content":"go"}`)
	prompt := hidden
	for k := range calls {
		line("assistant", fmt.Sprint("a", k), fmt.Sprintf(`{"id":"m%d","role":"assistant","model":"claude-opus-4-5","content":`+
			`[{"type":"tool_use","id":"t%d","name":"f","input":{}}],"usage":{"input_tokens":%d,"output_tokens":1}}`, k, k, prompt))
		output := strings.Repeat(fmt.Sprintf("result %d of a tool. ", k), 100)
		line("user", fmt.Sprint("r", k), fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d",`+
			`"content":%q}]}`, k, output))
		prompt += tokens.Estimate.Count(output) * 3 / 2
	}
	c, err := format.Parse([]byte(log), "")
	require.NoError(t, err)
	for _, preset := range []string{"turns", "critical", "hierarchical"} {
		p, err := policy.Preset(preset)
		require.NoError(t, err)
		p.Trigger.Window = window
		r, err := Replay(c, p, Options{})
		require.NoError(t, err)
		require.InDelta(t, hidden, r.Hidden, hidden/20, "the fit") // frames of calls are not in the usage of this log
		require.Equal(t, window*3/4, r.Soft, preset)
		require.Positive(t, r.Totals.Compactions, preset)
		require.LessOrEqual(t, r.Totals.Peak, r.Soft+r.Soft/100, preset) // counts are rounded
		require.Greater(t, r.Totals.Peak, r.Soft*9/10, preset)
	}
}

// What the provider says about cache misses in a log is counted by reason.
func TestReasonsOfCacheMisses(t *testing.T) {
	log, parent := "", ""
	line := func(kind, id, message string) {
		log += fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%q,"message":%s}`+"\n", kind, id, parent, message)
		parent = id
	}
	for k, reason := range []string{"", "tools_changed", "messages_changed", "messages_changed", "A secret.",
		"unavailable"} {
		line("user", fmt.Sprint("u", k), `{"role":"user","content":"go"}`)
		diagnostics := "null"
		if reason != "" {
			diagnostics = fmt.Sprintf(`{"cache_miss_reason":{"type":%q,"cache_missed_input_tokens":%d}}`, reason, 100*k)
		}
		line("assistant", fmt.Sprint("a", k), fmt.Sprintf(`{"id":"m%d","role":"assistant","model":"claude-opus-4-5",`+
			`"diagnostics":%s,"content":[{"type":"text","text":"x"}],"usage":{"input_tokens":%d,"output_tokens":1}}`,
			k, diagnostics, 1000+k))
	}
	c, err := format.Parse([]byte(log), "")
	require.NoError(t, err)
	r, err := Replay(c, policy.Policy{}, Options{None: true})
	require.NoError(t, err)
	require.Equal(t, []CacheMiss{{"messages_changed", 2, 500}, {"unavailable", 1, 500}, {"tools_changed", 1, 100}},
		r.CacheMisses)
	require.Equal(t, "tools_changed", r.Calls[1].API.MissReason)
	require.Empty(t, r.Calls[4].API.MissReason, "no name of a reason")
}
