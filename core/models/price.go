package models

import "strings"

// PricesRead is the month in which the pages of prices were read.
const PricesRead = "2026-11"

// Info is one row of the table of models, for users.
type Info struct {
	Name           string // prefix of the names that it covers
	Window         int    // tokens
	MinCacheTokens int
	Price          Price  // zero if the vendor's page was not available
	Source         string // address of the page that the price is from; "" without a price
}

// List returns the table of models.
func List() []Info {
	all := make([]Info, len(models))
	for i := range models {
		p := ProfileFor(models[i].name, "")
		all[i] = Info{models[i].name, p.Window, p.MinCacheTokens, p.Price, priceSource(&models[i])}
	}
	return all
}

// longPrompts are the models whose vendor charges more for the whole of a request with a long prompt. Sources, read in
// November 2026:
//   - Haiku 5.5: its model page, five times every price; claudit 1.9.2 and PromptFuel 1.0.23 quote the page on pricing:
//     cache reads and writes count.
//   - Sonnet 4 and 4.5: the page on pricing as it was while they had a window of a million tokens (a beta until April
//     2026). Larger windows of later models have one price.
//   - Gemini: ai.google.dev/gemini-api/docs/pricing; Gemini 3 and 3.1 Pro as Helicone (5590) and llm-prices (68) quote
//     it.
//   - GPT: the model page of GPT-5.4 at developers.openai.com ("for the full session": LiteLLM, discussion 39633, reads
//     it as the whole request, and so do we); cached input doubles too.
var longPrompts = [...]struct {
	Long
	models string // names in the table
}{
	{Long{100_000, 5000, 5000}, "|claude-haiku-5-5|"},
	{Long{200_000, 2000, 1500}, "|claude-sonnet-4|claude-sonnet-4-5|gemini-2-5-pro|gemini-3-pro|gemini-3-1-pro|"},
	{Long{272_000, 2000, 1500}, "|gpt-5-4|gpt-5-4-pro|gpt-5-5|gpt-5-5-pro|gpt-5-6|gpt-5-6-luna|gpt-5-6-terra|" +
		"gpt-6-astra|gpt-6-luna|gpt-6-sol|gpt-6-1-sol|gpt-6-1-terra|"},
}

func longOf(row *modelRow) Long {
	for i := range longPrompts {
		if strings.Contains(longPrompts[i].models, "|"+row.name+"|") {
			return longPrompts[i].Long
		}
	}
	return Long{}
}

// PriceSource returns the address of the page that the price of a model is from; "" without a price.
func PriceSource(model, format string) string { return priceSource(find(model, format)) }

func priceSource(row *modelRow) string {
	if row.input == 0 {
		return ""
	}
	switch row.family {
	case familyClaude, familyClaudeOld, familyClaudeUnnamed:
		return "https://platform.claude.com/docs/en/about-claude/pricing"
	case familyGemini, familyGemini3:
		return "https://ai.google.dev/gemini-api/docs/pricing"
	}
	return "https://developers.openai.com/api/docs/pricing"
}
