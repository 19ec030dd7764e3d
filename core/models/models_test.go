package models

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		model, format   string
		family, counter string
		window, least   int
		input, read     int
		why             string
	}{
		{"claude-opus-4-5-20251101", "", "claude-before-4.7", "estimate", 200_000, 4096, 5_000, 100, "as the API names it"},
		{"anthropic/claude-opus-4.5", "", "claude-before-4.7", "estimate", 200_000, 4096, 5_000, 100, "as OpenRouter does"},
		{"us.anthropic.claude-opus-4-5-20251101-v1:0", "", "claude-before-4.7", "estimate", 200_000, 4096, 5_000, 100,
			"as Bedrock does"},
		{"claude-opus-4-5@20251101", "", "claude-before-4.7", "estimate", 200_000, 4096, 5_000, 100, "as Vertex does"},
		{"databricks-claude-opus-4-5", "", "claude-before-4.7", "estimate", 200_000, 4096, 5_000, 100,
			"claude within a word"},
		{"Claude-Opus-4.5", "", "claude-before-4.7", "estimate", 200_000, 4096, 5_000, 100, "in any case"},
		{"claude-opus-4-20250514", "", "claude-before-4.7", "estimate", 200_000, 1024, 15_000, 100, "a date is no version"},
		{"claude-opus-4-6", "", "claude-before-4.7", "estimate", 1_000_000, 4096, 5_000, 100,
			"a large window, the old tokenizer"},
		{"claude-opus-4-7", "", "claude", "estimate", 1_000_000, 2048, 5_000, 100, "the new tokenizer"},
		{"claude-opus-4-8", "", "claude", "estimate", 1_000_000, 1024, 5_000, 100, "a minimum of its own"},
		{"claude-opus-5-5", "", "claude", "estimate", 1_000_000, 512, 4_000, 50, "reads at a twentieth"},
		{"claude-sonnet-5-5", "", "claude", "estimate", 1_000_000, 1024, 2_000, 50, "as Opus, since October 2026"},
		{"claude-opus-50", "", "claude", "estimate", 200_000, 1024, 0, 0, "not Opus 5"},
		{"claude-fable-5", "", "claude", "estimate", 1_000_000, 512, 10_000, 100, "reads at a tenth"},
		{"claude-fable-5.1", "", "claude", "estimate", 1_000_000, 512, 10_000, 25, "reads at a fortieth"},
		{"claude-mythos-5-1-20260901", "", "claude", "estimate", 1_000_000, 512, 10_000, 25, "as Fable"},
		{"claude-3-7-sonnet-latest", "", "claude-before-4.7", "estimate", 200_000, 1024, 3_000, 100,
			"the older order of words"},
		{"claude-3-5-haiku-20241022", "", "claude-before-4.7", "estimate", 200_000, 2048, 800, 100,
			"the older order of words"},
		{"claude-haiku-4-5", "", "claude-before-4.7", "estimate", 200_000, 4096, 1_000, 100, "the smallest of its time"},
		{"gpt-4o", "", "gpt", "o200k_base", 128_000, 1024, 2_500, 500, "the first with the larger vocabulary"},
		{"openai/gpt-4o-mini-2024-07-18", "", "gpt", "o200k_base", 128_000, 1024, 150, 500, "the longest name wins"},
		{"ft:gpt-4o-mini:acme::1", "", "gpt", "o200k_base", 128_000, 1024, 150, 500,
			"a tuned one costs other money and counts alike"},
		{"gpt-4", "", "gpt-4", "cl100k_base", 8_192, 1024, 30_000, 1000, "the smaller vocabulary"},
		{"gpt-4-turbo-2024-04-09", "", "gpt-4", "cl100k_base", 128_000, 1024, 10_000, 1000, "the smaller vocabulary"},
		{"azure/gpt-35-turbo", "", "gpt-4", "cl100k_base", 16_385, 1024, 500, 1000, "as Azure does"},
		{"gpt-4.1-nano", "", "gpt", "o200k_base", 1_047_576, 1024, 100, 250, "4.1 is not 4"},
		{"gpt-5.5", "", "gpt", "o200k_base", 1_050_000, 1024, 5_000, 100, "a version after a dot"},
		{"gpt-5.6", "", "gpt", "o200k_base", 1_050_000, 1024, 4_000, 100, "the short name of Sol"},
		{"gpt-5.6-luna", "", "gpt", "o200k_base", 1_050_000, 1024, 200, 100, "the smallest one"},
		{"gpt-5-codex", "", "gpt", "o200k_base", 400_000, 1024, 1_250, 100, "GPT-5 with another name"},
		{"o4-mini", "", "gpt", "o200k_base", 200_000, 1024, 1_100, 250, "a letter and a digit"},
		{"acme/marco-o1", "", "unknown", "o200k_base", 200_000, 1024, 0, 0, "not every o1 is theirs"},
		{"models/gemini-2.5-flash-lite", "", "gemini", "o200k_base", 1_048_576, 2048, 100, 100, "as Google does"},
		{"deepseek-ai/DeepSeek-V3", "", "other", "o200k_base", 128_000, 1024, 0, 0, "as Hugging Face does"},
		{"MoonshotAI/Kimi-K2", "openai-chat", "other", "o200k_base", 256_000, 1024, 0, 0,
			"the name says more than the format"},
		{"llama-4", "openai-chat", "unknown", "o200k_base", 200_000, 1024, 0, 0, "an unknown model"},
		{"", "openai-chat", "gpt", "o200k_base", 200_000, 1024, 0, 0, "OpenAI's format without a model"},
		{"", "anthropic", "claude-before-4.7", "estimate", 200_000, 1024, 0, 0, "Anthropic's"},
		{"", "claude-code", "claude-before-4.7", "estimate", 200_000, 1024, 0, 0, "and its agent's"},
		{"", "", "unknown", "o200k_base", 200_000, 1024, 0, 0, "nothing at all"},
	} {
		p := ProfileFor(c.model, c.format)
		require.Equal(t, c.family, p.Family, "%s: %s", c.model, c.why)
		require.Equal(t, c.counter, p.Counter, "%s: %s", c.model, c.why)
		require.Equal(t, c.window, p.Window, "%s: %s", c.model, c.why)
		require.Equal(t, c.least, p.MinCacheTokens, "%s: %s", c.model, c.why)
		require.Equal(t, c.input, p.Price.Input, "%s: %s", c.model, c.why)
		require.Equal(t, c.read, p.Price.Read, "%s: %s", c.model, c.why)
	}
}

func TestModelTable(t *testing.T) {
	seen := map[string]bool{}
	for i := range models {
		row := &models[i]
		require.False(t, seen[row.name], row.name)
		seen[row.name] = true
		require.Equal(t, strings.ReplaceAll(strings.ToLower(row.name), ".", "-"), row.name)
		require.Same(t, row, findRow(row.name, ""), "%s finds itself", row.name)
		for _, written := range []string{"vendor/" + row.name + "-20260101", "us.vendor." + row.name + "-v1:0",
			"eu." + row.name, "claude-max/" + row.name, "gemini/" + strings.ToUpper(row.name), row.name + "@20260101",
			"openrouter/deepseek/" + row.name + ":batch"} {
			require.Same(t, row, findRow(written, ""), written)
		}
		require.Positive(t, row.window)
		require.Positive(t, row.minCacheTokens)
		p := prices[row.price]
		require.Equal(t, row.price > 0, min(p.Input, p.Output, p.Read, p.Write5m, p.Write1h) > 0, "%s has all prices or none",
			row.name)
	}
	for i := range families {
		f := &families[i]
		require.Contains(t, scaledCounters[:], f.counter)
		for k, s := range f.scales {
			require.Positive(t, s.Permille)
			require.LessOrEqual(t, s.Low, 1000, "%s, %s", f.name, scaledCounters[k])
			require.GreaterOrEqual(t, s.High, 1000, "%s, %s", f.name, scaledCounters[k])
		}
	}
}

// A name that only begins with that of a vendor is a guess, and the gateway warns of it.
func TestKnown(t *testing.T) {
	for model, want := range map[string]bool{
		"claude-opus-5-5": true, "claude-max/claude-opus-5-5": true, "deepseek/deepseek-v4-pro": true, "deepseek-chat": true,
		"claude-opus-4-5-20251101": true, "eu.anthropic.claude-sonnet-4-6": true, "claude-sonnet-4-5[1m]": true,
		"claude-opus-9": false, "claude-max": false, "gemini/auto": false, "deepseek/auto": false, "gpt-9": false,
		"claude-max/auto": false, "a-model-of-my-own": false, "": false,
	} {
		require.Equal(t, want, Known(model), model)
	}
}

// The window is the model's. The suffix [1m] is that of a beta of Sonnet 4 and 4.5; later models have it without.
func TestWindowOf(t *testing.T) {
	for model, want := range map[string]int{
		"": 200_000, "claude-opus-4-5": 200_000, "claude-opus-5-5": 1_000_000, "claude-opus-4-5[1m]": 200_000,
		"claude-sonnet-4-6": 1_000_000, "claude-opus-4-8[1m]": 1_000_000, "claude-sonnet-4-5": 200_000,
		"us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]": 1_000_000, "claude-max/claude-opus-5-5": 1_000_000,
		"deepseek/deepseek-v4-pro": 1_000_000, "gemini/gemini-2.5-pro": 1_048_576, "gpt-5.5": 1_050_000,
		"minimax.minimax-m3": 1_000_000, "global.zai.glm-5.3": 1_000_000, "claude-instant-1": 100_000,
		"gpt-4.1": 1_047_576, "gpt-4": 8_192,
		"gpt-3.5-turbo": 16_385, "gpt-5.2-codex": 400_000, "gemini-2.5-pro": 1_048_576, "deepseek-chat": 128_000,
		"kimi-k2": 256_000, "moonshotai/kimi-k3.1-pro": 1_048_576, "deepseek-v4-pro": 1_000_000, "zai/glm-5.2[1m]": 1_000_000,
		"zai-org/GLM-4.6": 200_000, "x-ai/grok-4.5": 500_000, "openai/gpt-oss-120b": 131_072,
		"MiniMaxAI/MiniMax-M2.5": 192_000, "acme-1": 200_000,
	} {
		require.Equal(t, want, WindowOf(model), model)
	}
}

func TestRulesOfVendors(t *testing.T) {
	for model, want := range map[string][2]bool{ // alternating roles, reasoning of each message
		"mistral-small-3.1-24b-instruct": {true, false}, "mistralai/Devstral-2-123B": {true, false},
		"Ministral-3-8B-Instruct-2512": {true, false}, "gpt-5.5": {false, false}, "my-amistral": {false, false},
		"glm-5.2": {false, true}, "zai/glm-5.3-flash": {false, true}, "glm-5": {false, false}, "glm-4.6": {false, false},
		"z-ai/GLM-6": {false, true}, "": {false, false},
	} {
		require.Equal(t, want, [2]bool{AlternatesRoles(model), ReturnsReasoning(model)}, model)
	}
}
