package models

import "strings"

// The rows are in catalog.go: `make models` writes them from the npm package @earendil-works/pi-ai, which reads the
// pages of the vendors, and from gen/own.json. Sources of the latter, read in November 2026:
//   - Claude: the model pages and the pages on pricing and prompt caching at platform.claude.com.
//   - GPT: the model pages and the pricing page at developers.openai.com. The window is that of the API.
//   - Gemini: ai.google.dev/gemini-api/docs/pricing and docs/caching; Gemini 3 Pro as Helicone (5590) quotes it.
//   - Windows of GLM: docs.cloud.google.com on GLM 5.2 and inference.readthedocs.io on 4.5 and 4.6; of Grok:
//     docs.apiyi.com, read from xAI's pages; of MiniMax: inference.readthedocs.io.
//   - Models without a price: no page of the vendor was available.

// modelRow is a model, or the models whose names begin alike.
type modelRow struct {
	name           string // prefix of the names; lower case, dashes for dots
	family, price  uint8  // index in families, in prices
	minCacheTokens uint16
	window         int32 // tokens
	guess          bool  // the models of a vendor that have no row of their own
}

// DefaultMinCacheTokens is for models without a published minimum. A breakpoint on a prefix that is too short costs
// nothing, so the common value is better than the highest.
const DefaultMinCacheTokens = 1024

// The rows for a missing or unknown name.
var (
	unnamedClaude = modelRow{"", familyClaudeUnnamed, 0, DefaultMinCacheTokens, 200_000, true}
	unnamedGPT    = modelRow{"", familyO200k, 0, DefaultMinCacheTokens, 200_000, true}
	unnamedGemini = modelRow{"", familyGemini, 0, 4096, 1_048_576, true}
	unknownModel  = modelRow{"", familyUnknown, 0, DefaultMinCacheTokens, 200_000, true}
)

// findRow returns the row of a model. Names are accepted as they occur: in any case, with dots for dashes, with a
// vendor, a region, a service or a tuning before them ("openrouter/anthropic/claude-opus-4.5",
// "us.anthropic.claude-opus-4-5-20251101-v1:0", "models/gemini-2.5-pro", "ft:gpt-4o-mini:acme"), a version, a date or a
// provider's suffix after them ("claude-opus-4@20250514"). Only the part after the last slash counts, so that the
// vendor in "gemini/gemini-2.5-pro" is not a model; in it, the longest name of a row. A name that continues with a
// digit is another model: claude-opus-50 is not Opus 5, and the date in claude-opus-4-20250514 is not a version.
func findRow(model, format string) *modelRow {
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
	model = lastPart(model)
	for at := range len(model) {
		if at > 0 && isNameByte(model[at-1]) && !hasName(model[at:], "claude") {
			continue // within a word; "claude" is accepted anywhere
		}
		for i := range models {
			if row := &models[i]; len(row.name) > len(best.name) && hasName(model[at:], row.name) {
				best = row
			}
		}
	}
	return best
}

// lastPart returns the part of a name after the last slash.
func lastPart(model string) string { return model[strings.LastIndexByte(model, '/')+1:] }

func isNameByte(c byte) bool {
	return c != '/' && c != '.' && c != ':'
}

// hasName reports whether model begins with the name of a row, and does not continue with a digit. A dot before a digit
// is a dash; another one ends the name of a vendor: zai.glm-5 is not zai-glm-5.
func hasName(model, name string) bool {
	if len(model) < len(name) {
		return false
	}
	for i := range len(name) {
		c := model[i]
		switch {
		case c == '_' || c == '.' && i+1 < len(model) && '0' <= model[i+1] && model[i+1] <= '9':
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
