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

// longPrompts are the models whose vendor charges more for the whole of a request above so many tokens. Sources: as of
// the table.
var longPrompts = [...]struct {
	above  int
	models string // names in the table
}{
	{100_000, "|claude-haiku-5-5|"},
	{200_000, "|gemini-2-5-pro|"},
	{272_000, "|gpt-5-4|gpt-5-4-pro|gpt-5-5|gpt-5-5-pro|gpt-5-6|gpt-5-6-luna|gpt-5-6-terra|gpt-6-astra|gpt-6-luna|gpt-6-sol|" +
		"gpt-6-1-sol|gpt-6-1-terra|"},
}

// LongPrompt returns the tokens of a request above which the vendor charges more for the whole of it than Price says, 0
// if there is no such limit.
func LongPrompt(model, format string) int {
	name := find(model, format).name
	for _, long := range longPrompts {
		if strings.Contains(long.models, "|"+name+"|") {
			return long.above
		}
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
