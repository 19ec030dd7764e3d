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

// LongPrompt returns the tokens of a request above which the vendor charges more for the whole of it than Price says, 0
// if there is no such limit. Sources: as of the table.
func LongPrompt(model, format string) int {
	switch row := find(model, format); {
	case row.input == 0:
	case row.name == "claude-haiku-5-5":
		return 100_000
	case row.name == "gemini-2-5-pro":
		return 200_000
	case strings.HasSuffix(row.name, "-mini"), strings.HasSuffix(row.name, "-nano"):
	case row.name >= "gpt-5-4" && row.name < "gpt-5-7", strings.HasPrefix(row.name, "gpt-6"):
		return 272_000
	}
	return 0
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
