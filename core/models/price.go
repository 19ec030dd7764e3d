package models

// PricesRead is the month in which the pages of prices were read.
const PricesRead = "2026-11"

// Info is one row of the table of models, for users.
type Info struct {
	Name           string // prefix of the names that it covers
	Window         int    // tokens
	MinCacheTokens int
	Binding        Binding // of thinking to what precedes it
	Price          Price   // zero if no price is known
	Source         string  // address of the page that the price is from; "" without a price
}

// List returns the table of models.
func List() []Info {
	all := make([]Info, len(models))
	for i := range models {
		p := ProfileFor(models[i].name, "")
		all[i] = Info{models[i].name, p.Window, p.MinCacheTokens, p.Binding, p.Price, priceSource(&models[i])}
	}
	return all
}

// PriceSource returns the address of the page that the price of a model is from; "" without a price.
func PriceSource(model, format string) string { return priceSource(findRow(model, format)) }

func priceSource(row *modelRow) string {
	if row.price == 0 {
		return ""
	}
	switch row.family {
	case familyClaude, familyClaudeOld, familyClaudeUnnamed:
		return "https://platform.claude.com/docs/en/about-claude/pricing"
	case familyGemini, familyGemini3:
		return "https://ai.google.dev/gemini-api/docs/pricing"
	}
	if row.family == familyOther {
		return "https://www.npmjs.com/package/@earendil-works/pi-ai"
	}
	return "https://developers.openai.com/api/docs/pricing"
}
