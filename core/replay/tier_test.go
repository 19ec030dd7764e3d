package replay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/models"
	"tamp/core/replay"
)

func costOf(t *testing.T, log string, o replay.Options) *replay.Used {
	c, err := format.Parse([]byte(log), "")
	require.NoError(t, err)
	u, err := replay.Usage(c, o)
	require.NoError(t, err)
	return u
}

// claudeLog is a log with one call for each of the members of its usage.
func claudeLog(model string, usages ...string) string {
	log := `{"type":"user","uuid":"0","parentUuid":null,"message":{"role":"user","content":"x"}}` + "\n"
	for i, usage := range usages {
		log += fmt.Sprintf(`{"type":"assistant","uuid":"%d","parentUuid":"%d","requestId":"r%d","message":{"id":"m%d","role":"assistant","model":%q,`+
			`"content":[{"type":"text","text":"y"}],"usage":{"input_tokens":1000,"cache_read_input_tokens":20000,"output_tokens":100%s}}}`+"\n",
			i+1, i, i, i, model, usage)
	}
	return log
}

// Each call has the price of its service, by its usage in the log. Prices and factors that are asked for replace it.
func TestServiceOfEachCall(t *testing.T) {
	standard := 1000*5 + 20000*5/10 + 100*25 // Opus 4.6
	for _, row := range []struct {
		usages   []string
		permille int
	}{
		{[]string{`,"service_tier":"standard","speed":"standard"`}, 1000},
		{[]string{`,"speed":"fast"`}, 6000},
		{[]string{`,"service_tier":"standard","speed":"fast"`, ""}, 7000},
		{[]string{`,"service_tier":"batch"`}, 500},
		{[]string{`,"service_tier":"priority"`}, 1000}, // no price is public
		{[]string{`,"service_tier":"batch"`, `,"speed":"fast"`, ""}, 7500},
	} {
		log := claudeLog("claude-opus-4-6", row.usages...)
		require.Equal(t, standard*row.permille/1000, costOf(t, log, replay.Options{}).Cost, row.usages)
	}
	log := claudeLog("claude-opus-4-6", `,"speed":"fast"`, "")
	require.Equal(t, 2*standard, costOf(t, log, replay.Options{Prices: &models.Price{Input: 5000, Output: 25000, Read: 100,
		Write5m: 1250, Write1h: 2000}}).Cost)
	require.Equal(t, 4*standard, costOf(t, log, replay.Options{Multipliers: []models.Multiplier{{Name: "fast",
		Permille: 2000}}}).Cost)
	require.Equal(t, 12*standard, costOf(t, log, replay.Options{Multipliers: []models.Multiplier{{Name: "fast"}}}).Cost)
	require.Equal(t, 7*standard/2, costOf(t, log, replay.Options{Multipliers: []models.Multiplier{{Name: "batch"}}}).Cost)

	mixed := claudeLog("claude-opus-4-6", "") +
		strings.ReplaceAll(strings.Replace(strings.SplitN(claudeLog("claude-haiku-4-5", ""), "\n", 2)[1],
			`"uuid":"1","parentUuid":"0","requestId":"r0"`, `"uuid":"2","parentUuid":"1","requestId":"r2"`, 1), `"id":"m0"`, `"id":"m2"`)
	haiku := 1000 + 20000/10 + 100*5
	require.Equal(t, 6*standard+haiku, costOf(t, mixed,
		replay.Options{Multipliers: []models.Multiplier{{Name: "fast"}}}).Cost,
		"a model without the service has its standard price")
}

// codexLog is a log with a call for each of the lines.
func codexLog(model string, lines ...string) string {
	log := fmt.Sprintf(`{"timestamp":"2026-10-01T10:00:00Z","type":"turn_context","payload":{"model":%q}}`, model) + "\n" +
		`{"timestamp":"2026-10-01T10:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":"x"}}` + "\n"
	for _, line := range lines {
		if line == said {
			line = `"type":"response_item","payload":{"type":"message","role":"user","content":"x"}},` + "\n" +
				`{"timestamp":"2026-10-01T10:00:00Z",` + said
			line = strings.Replace(line, "},\n", "}\n", 1)
		}
		log += `{"timestamp":"2026-10-01T10:00:00Z",` + line + "}\n"
	}
	return log
}

const said = `"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"y"}]}`

func counted(n, input, cached, written, output int, more string) string {
	return fmt.Sprintf(`"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d},"last_token_usage":`+
		`{"input_tokens":%d,"cached_input_tokens":%d,"cache_write_input_tokens":%d,"output_tokens":%d}}%s}`, n, input, cached, written, output, more)
}

func recorded(input, cached, written, output int) string {
	return fmt.Sprintf(`"type":"token_usage_record","payload":{"response_id":"r","usage":{"input_tokens":%d,"cached_input_tokens":%d,`+
		`"cache_write_input_tokens":%d,"output_tokens":%d}}`, input, cached, written, output)
}

// Codex: the service of token_count and of thread_settings_applied, writes to the cache, and the calls of compactions,
// which have a token_usage_record only.
func TestCodexCalls(t *testing.T) {
	plain := 10_000*5 + 40_000*5/10 + 1000*30
	settings := func(tier string) string {
		return `"type":"event_msg","payload":{"type":"thread_settings_applied","thread_settings":{"service_tier":` + tier + `}}`
	}
	call := counted(1, 50_000, 40_000, 0, 1000, "")
	for _, row := range []struct {
		lines []string
		times int
	}{
		{[]string{said, call}, 1},
		{[]string{said, counted(1, 50_000, 40_000, 0, 1000, `,"service_tier":"priority"`)}, 2},
		{[]string{said, counted(1, 50_000, 40_000, 0, 1000, `,"service_tier":"default"`)}, 1},
		{[]string{settings(`"priority"`), said, call}, 2},
		{[]string{settings(`"fast"`), said, call, settings("null"), said, counted(2, 50_000, 40_000, 0, 1000, "")}, 3},
	} {
		require.Equal(t, row.times*plain, costOf(t, codexLog("gpt-5.5", row.lines...), replay.Options{}).Cost, row.lines)
	}
	u := costOf(t, codexLog("gpt-6-astra", said, counted(1, 100_000, 0, 90_000, 100, ""), said, counted(2, 100_500,
		100_000, 0, 100, "")),
		replay.Options{})
	require.Equal(t, 10_000*10+90_000*10*5/4+100*50+500*10+100_000*10/10+100*50, u.Cost, "a write costs 1.25 of the input")

	u = costOf(t, codexLog("gpt-5.5", said, recorded(50_000, 40_000, 0, 1000), call, recorded(20_000, 0, 0, 500),
		`"type":"compacted","payload":{"message":"s","replacement_history":[{"type":"message","role":"user","content":"s"}]}`, said,
		recorded(50_000, 40_000, 0, 1000), counted(2, 50_000, 40_000, 0, 1000, "")), replay.Options{})
	require.Equal(t, 2*plain, u.Cost)
	require.Equal(t, replay.Apart{Calls: 1, Cost: 20_000*5 + 500*30}, u.Subagents)
}

// A model without a price: what the log says, else the price is unknown, and never 0.
func TestCostsWithoutAPrice(t *testing.T) {
	pi := func(cost string) string {
		return `{"type":"session","version":3,"id":"s"}` + "\n" + `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"x"}}` +
			"\n" + `{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","model":"unknown-1","content":[{"type":"text","text":"y"}],` +
			`"usage":{"input":1000,"output":10,"cacheRead":0,"cacheWrite":0` + cost + `}}}` + "\n"
	}
	u := costOf(t, pi(`,"cost":{"total":0.25}`), replay.Options{})
	require.Equal(t, 250_000, u.Cost)
	require.True(t, u.Priced)
	for _, cost := range []string{"", `,"cost":{"total":0}`} {
		u = costOf(t, pi(cost), replay.Options{})
		require.False(t, u.Priced)
		require.NotZero(t, u.Cost)
	}
}
