package models

// modelRow is a model, or the models whose names begin alike.
type modelRow struct {
	name                   string // prefix of the names; lower case, dashes for dots
	family                 uint8
	window, minCacheTokens int // tokens
	input, output          int // thousandths of a dollar for a million tokens; 0 if unknown
	read                   int // permille of input
}

const (
	million = 1_000_000
	// DefaultMinCacheTokens is for models without a published minimum. A breakpoint on a prefix that is too short costs
	// nothing, so the common value is better than the highest.
	DefaultMinCacheTokens = 1024
)

// models is searched for the longest matching name. Sources, read in November 2026:
//   - Claude: the model pages and the pages on pricing and prompt caching at platform.claude.com; Haiku 5.5 at up to
//     100,000 tokens. Cache reads of Sonnet 5.5 since 7 October: the page as claudit 1.9.2 and PromptFuel 1.0.23
//     quote it.
//   - GPT: the model pages and the pricing page at developers.openai.com, at up to 272,000 tokens. From GPT-5.6 on, and
//     GPT-5.4 nano and the pro models: that page as others quote it (codexometer 0.18.4, Codex-Manager 0.4.7,
//     PromptFuel 1.0.19 and 1.0.24, docs.laozhang.ai on GPT-5.6, apidog.com on GPT-6.1 Terra, morphllm.com). The window
//     is that of the API: from GPT-5.4 on 1,050,000 (the page of GPT-5.6 Luna; vercel.com/ai-gateway/models and
//     docs.venice.ai quote those of others), without mini and nano. Codex uses less of it.
//   - Gemini: ai.google.dev/gemini-api/docs/pricing, at up to 200,000 tokens, and docs/caching. Gemini 3.8 Flash, up to
//     the end of 2026: that page as LiteLLM (discussion 39357) quotes it; Gemini 3 and 3.1 Pro: see longPrompts.
//   - DeepSeek from V4 on: api-docs.deepseek.com/quick_start/pricing, whose prices depend on the hour. Windows of GLM:
//     docs.cloud.google.com on GLM 5.2 and inference.readthedocs.io on 4.5 and 4.6; of Kimi K3:
//     vercel.com/ai-gateway/models and runware.ai; of Grok: docs.apiyi.com, read from xAI's pages; of MiniMax:
//     inference.readthedocs.io, and M3 as models.dev has it (pull request 1940).
//   - Models without a price: no page of the vendor was available.
var models = [...]modelRow{
	{"claude", familyClaude, 200_000, DefaultMinCacheTokens, 0, 0, 0},
	{"claude-2", familyClaudeOld, 200_000, DefaultMinCacheTokens, 0, 0, 0},
	{"claude-3", familyClaudeOld, 200_000, DefaultMinCacheTokens, 0, 0, 0},
	{"claude-instant", familyClaudeOld, 100_000, DefaultMinCacheTokens, 0, 0, 0},

	{"claude-3-opus", familyClaudeOld, 200_000, DefaultMinCacheTokens, 15_000, 75_000, 100},
	{"claude-opus-4", familyClaudeOld, 200_000, 1024, 15_000, 75_000, 100},
	{"claude-opus-4-1", familyClaudeOld, 200_000, 1024, 15_000, 75_000, 100},
	{"claude-opus-4-5", familyClaudeOld, 200_000, 4096, 5_000, 25_000, 100},
	{"claude-opus-4-6", familyClaudeOld, million, 4096, 5_000, 25_000, 100},
	{"claude-opus-4-7", familyClaude, million, 2048, 5_000, 25_000, 100},
	{"claude-opus-4-8", familyClaude, million, 1024, 5_000, 25_000, 100},
	{"claude-opus-5", familyClaude, million, 512, 5_000, 25_000, 100},
	{"claude-opus-5-5", familyClaude, million, 512, 4_000, 20_000, 50},

	{"claude-3-sonnet", familyClaudeOld, 200_000, 1024, 3_000, 15_000, 100},
	{"claude-3-5-sonnet", familyClaudeOld, 200_000, 1024, 3_000, 15_000, 100},
	{"claude-3-7-sonnet", familyClaudeOld, 200_000, 1024, 3_000, 15_000, 100},
	{"claude-sonnet", familyClaude, million, 1024, 0, 0, 0},
	{"claude-sonnet-3", familyClaudeOld, 200_000, 1024, 3_000, 15_000, 100},
	{"claude-sonnet-4", familyClaudeOld, 200_000, 1024, 3_000, 15_000, 100},
	{"claude-sonnet-4-5", familyClaudeOld, 200_000, 1024, 3_000, 15_000, 100},
	{"claude-sonnet-4-6", familyClaudeOld, million, 1024, 3_000, 15_000, 100},
	{"claude-sonnet-5", familyClaude, million, 1024, 2_000, 10_000, 100},
	{"claude-sonnet-5-5", familyClaude, million, 1024, 2_000, 10_000, 50},

	{"claude-3-haiku", familyClaudeOld, 200_000, 2048, 250, 1_250, 120},
	{"claude-3-5-haiku", familyClaudeOld, 200_000, 2048, 800, 4_000, 100},
	{"claude-haiku-3", familyClaudeOld, 200_000, 2048, 250, 1_250, 120},
	{"claude-haiku-3-5", familyClaudeOld, 200_000, 2048, 800, 4_000, 100},
	{"claude-haiku-4", familyClaudeOld, 200_000, 4096, 0, 0, 0},
	{"claude-haiku-4-5", familyClaudeOld, 200_000, 4096, 1_000, 5_000, 100},
	{"claude-haiku-5-5", familyClaude, million, DefaultMinCacheTokens, 100, 500, 100},

	{"claude-fable", familyClaude, million, 512, 10_000, 50_000, 100},
	{"claude-fable-5-1", familyClaude, million, 512, 10_000, 50_000, 25},
	{"claude-mythos", familyClaude, million, 512, 10_000, 50_000, 100},
	{"claude-mythos-5-1", familyClaude, million, 512, 10_000, 50_000, 25},

	{"gpt", familyO200k, 200_000, DefaultMinCacheTokens, 0, 0, 0},
	{"chatgpt", familyO200k, 200_000, DefaultMinCacheTokens, 0, 0, 0},
	{"gpt-3-5", familyCl100k, 16_385, DefaultMinCacheTokens, 500, 1_500, 1000},
	{"gpt-35", familyCl100k, 16_385, DefaultMinCacheTokens, 500, 1_500, 1000}, // as Azure writes it
	{"gpt-4", familyCl100k, 8_192, DefaultMinCacheTokens, 30_000, 60_000, 1000},
	{"gpt-4-32k", familyCl100k, 32_768, DefaultMinCacheTokens, 0, 0, 0},
	{"gpt-4-turbo", familyCl100k, 128_000, DefaultMinCacheTokens, 10_000, 30_000, 1000},
	{"gpt-4o", familyO200k, 128_000, DefaultMinCacheTokens, 2_500, 10_000, 500},
	{"gpt-4o-mini", familyO200k, 128_000, DefaultMinCacheTokens, 150, 600, 500},
	{"gpt-4-1", familyO200k, 1_047_576, DefaultMinCacheTokens, 2_000, 8_000, 250},
	{"gpt-4-1-mini", familyO200k, 1_047_576, DefaultMinCacheTokens, 400, 1_600, 250},
	{"gpt-4-1-nano", familyO200k, 1_047_576, DefaultMinCacheTokens, 100, 400, 250},
	{"gpt-4-5", familyO200k, 128_000, DefaultMinCacheTokens, 75_000, 150_000, 500},
	{"gpt-5", familyO200k, 400_000, DefaultMinCacheTokens, 1_250, 10_000, 100},
	{"gpt-5-mini", familyO200k, 400_000, DefaultMinCacheTokens, 250, 2_000, 100},
	{"gpt-5-nano", familyO200k, 400_000, DefaultMinCacheTokens, 50, 400, 100},
	{"gpt-5-pro", familyO200k, 400_000, DefaultMinCacheTokens, 0, 0, 0},
	{"gpt-5-2", familyO200k, 400_000, DefaultMinCacheTokens, 0, 0, 0},
	{"gpt-5-3", familyO200k, 400_000, DefaultMinCacheTokens, 0, 0, 0},
	{"gpt-5-4", familyO200k, 1_050_000, DefaultMinCacheTokens, 2_500, 15_000, 100},
	{"gpt-5-4-mini", familyO200k, 400_000, DefaultMinCacheTokens, 750, 4_500, 100},
	{"gpt-5-4-nano", familyO200k, 400_000, DefaultMinCacheTokens, 200, 1_250, 100},
	{"gpt-5-4-pro", familyO200k, 1_050_000, DefaultMinCacheTokens, 30_000, 180_000, 1000},
	{"gpt-5-5", familyO200k, 1_050_000, DefaultMinCacheTokens, 5_000, 30_000, 100},
	{"gpt-5-5-pro", familyO200k, 1_050_000, DefaultMinCacheTokens, 30_000, 180_000, 1000},
	{"gpt-5-6", familyO200k, 1_050_000, DefaultMinCacheTokens, 5_000, 30_000, 100}, // the short name of Sol
	{"gpt-5-6-luna", familyO200k, 1_050_000, DefaultMinCacheTokens, 200, 1_200, 100},
	{"gpt-5-6-terra", familyO200k, 1_050_000, DefaultMinCacheTokens, 2_000, 12_000, 100},
	{"gpt-6", familyO200k, 1_050_000, DefaultMinCacheTokens, 0, 0, 0},
	{"gpt-6-astra", familyO200k, 1_050_000, DefaultMinCacheTokens, 10_000, 50_000, 100},
	{"gpt-6-luna", familyO200k, 1_050_000, DefaultMinCacheTokens, 100, 500, 100},
	{"gpt-6-sol", familyO200k, 1_050_000, DefaultMinCacheTokens, 2_000, 10_000, 100},
	{"gpt-6-1", familyO200k, 1_050_000, DefaultMinCacheTokens, 0, 0, 0},
	{"gpt-6-1-sol", familyO200k, 1_050_000, DefaultMinCacheTokens, 2_000, 10_000, 50},
	{"gpt-6-1-terra", familyO200k, 1_050_000, DefaultMinCacheTokens, 1_000, 5_000, 50},
	{"o1", familyO200k, 200_000, DefaultMinCacheTokens, 15_000, 60_000, 500},
	{"o1-mini", familyO200k, 128_000, DefaultMinCacheTokens, 0, 0, 0},
	{"o1-pro", familyO200k, 200_000, DefaultMinCacheTokens, 0, 0, 0},
	{"o3", familyO200k, 200_000, DefaultMinCacheTokens, 2_000, 8_000, 250},
	{"o3-mini", familyO200k, 200_000, DefaultMinCacheTokens, 1_100, 4_400, 500},
	{"o3-pro", familyO200k, 200_000, DefaultMinCacheTokens, 0, 0, 0},
	{"o4", familyO200k, 200_000, DefaultMinCacheTokens, 0, 0, 0},
	{"o4-mini", familyO200k, 200_000, DefaultMinCacheTokens, 1_100, 4_400, 250},

	{"gemini", familyGemini, 1_048_576, 4096, 0, 0, 0},
	{"gemini-3", familyGemini3, 1_048_576, 4096, 0, 0, 0},
	{"gemini-3-pro", familyGemini3, 1_048_576, 4096, 2_000, 12_000, 100},
	{"gemini-3-1-pro", familyGemini3, 1_048_576, 4096, 2_000, 12_000, 100},
	{"gemini-3-8-flash", familyGemini3, 1_048_576, 4096, 750, 3_750, 100},
	{"gemini-2-5-pro", familyGemini, 1_048_576, 2048, 1_250, 10_000, 100},
	{"gemini-2-5-flash", familyGemini, 1_048_576, 2048, 300, 2_500, 100},
	{"gemini-2-5-flash-lite", familyGemini, 1_048_576, 2048, 100, 400, 100},

	{"deepseek", familyOther, 128_000, DefaultMinCacheTokens, 0, 0, 0},
	{"deepseek-flash", familyOther, million, DefaultMinCacheTokens, 0, 0, 0},
	{"deepseek-v4", familyOther, million, DefaultMinCacheTokens, 0, 0, 0},
	{"glm", familyOther, 200_000, DefaultMinCacheTokens, 0, 0, 0},
	{"glm-4-5", familyOther, 128_000, DefaultMinCacheTokens, 0, 0, 0},
	{"glm-5-2", familyOther, million, DefaultMinCacheTokens, 0, 0, 0},
	{"gpt-oss", familyO200k, 131_072, DefaultMinCacheTokens, 0, 0, 0},
	{"grok", familyOther, 256_000, DefaultMinCacheTokens, 0, 0, 0},
	{"grok-3", familyOther, 131_072, DefaultMinCacheTokens, 0, 0, 0},
	{"grok-4-3", familyOther, million, DefaultMinCacheTokens, 0, 0, 0},
	{"grok-4-5", familyOther, 500_000, DefaultMinCacheTokens, 0, 0, 0},
	{"grok-4-20", familyOther, million, DefaultMinCacheTokens, 0, 0, 0},
	{"kimi", familyOther, 256_000, DefaultMinCacheTokens, 0, 0, 0},
	{"kimi-k3", familyOther, 1_048_576, DefaultMinCacheTokens, 0, 0, 0},
	{"minimax", familyOther, 192_000, DefaultMinCacheTokens, 0, 0, 0},
	{"minimax-m3", familyOther, 512_000, DefaultMinCacheTokens, 0, 0, 0},
}

// The rows for a missing or unknown name.
var (
	unnamedClaude = modelRow{"", familyClaudeUnnamed, 200_000, DefaultMinCacheTokens, 0, 0, 0}
	unnamedGPT    = modelRow{"", familyO200k, 200_000, DefaultMinCacheTokens, 0, 0, 0}
	unnamedGemini = modelRow{"", familyGemini, 1_048_576, 4096, 0, 0, 0}
	unknownModel  = modelRow{"", familyUnknown, 200_000, DefaultMinCacheTokens, 0, 0, 0}
)

// find returns the row of a model. Names are accepted as they occur: in any case, with dots for dashes, with a vendor,
// a region, a service or a tuning before them ("openrouter/anthropic/claude-opus-4.5",
// "us.anthropic.claude-opus-4-5-20251101-v1:0", "models/gemini-2.5-pro", "ft:gpt-4o-mini:acme"), a version, a date or a
// provider's suffix after them ("claude-opus-4@20250514"). A name that continues with a digit is another model:
// claude-opus-50 is not Opus 5, and the date in claude-opus-4-20250514 is not a version.
func find(model, format string) *modelRow {
	if model == "" {
		switch format {
		case "anthropic", "claude-code":
			return &unnamedClaude
		case "openai-chat", "openai-responses", "codex":
			return &unnamedGPT
		case "gemini", "gemini-cli":
			return &unnamedGemini
		}
		return &unknownModel
	}
	best := &unknownModel
	for at := 0; at < len(model); at++ {
		if at > 0 && isNameByte(model[at-1]) && !hasName(model[at:], "claude") {
			continue // within a word; "claude" is accepted anywhere
		}
		for i := range models {
			if row := &models[i]; len(row.name) > len(best.name) && hasName(model[at:], row.name) {
				best = row
			}
		}
		if best != &unknownModel {
			break
		}
	}
	return best
}

func isNameByte(c byte) bool {
	return c != '/' && c != '.' && c != ':'
}

// hasName reports whether model begins with the name of a row, and does not continue with a digit.
func hasName(model, name string) bool {
	if len(model) < len(name) {
		return false
	}
	for i := range len(name) {
		c := model[i]
		switch {
		case c == '.' || c == '_':
			c = '-'
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if c != name[i] {
			return false
		}
	}
	return len(model) == len(name) || model[len(name)] < '0' || model[len(name)] > '9'
}
