package models

import "strings"

// Multiplier is a factor by which a vendor's service or place changes the prices of a model.
type Multiplier struct {
	Name string `json:"name"` // "batch", "fast", "regional", or any name of the caller's
	// of the prices of input and answers; 0 or absent in a request: that of the catalog for the model
	Permille int `json:"permille,omitempty"`
}

// MultiplierOf returns a multiplier of the catalog in permille, 0 if it is not known for the model. Sources, read in
// November 2026:
//   - batch: the pages on batches of platform.claude.com, developers.openai.com and ai.google.dev: half of each price.
//   - regional: platform.claude.com, pricing: the regional endpoints of Amazon Bedrock (names with "eu." or "us.")
//     and Google Cloud, from the models 4.5 on; developers.openai.com, the page of GPT-5.4 pro: that and GPT-5.4.
//   - fast: platform.claude.com, fast mode; the price of Opus 5 in fast mode at OpenRouter and Vercel. Those of newer
//     models were not found. Codex calls OpenAI's service priority so.
//   - priority and flex: developers.openai.com, pricing: twice and half of each price.
func MultiplierOf(model, format, name string) int {
	row := findRow(model, format)
	switch {
	case (name == "priority" || name == "fast") && row.isOpenAI():
		return 2000
	case name == "flex" && row.isOpenAI():
		return 500
	case name == "batch" && row.family != familyOther && row.family != familyUnknown:
		return 500
	case name == "regional" && (row.family == familyClaude || strings.Contains(model, "sonnet-4-5") ||
		strings.Contains(" claude-opus-4-5 claude-opus-4-6 claude-sonnet-4-6 claude-haiku-4-5 gpt-5-4 gpt-5-4-pro ",
			" "+row.name+" ")):
		return 1100
	case name == "fast" && row.name == "claude-opus-4-6":
		return 6000
	case name == "fast" && row.name == "claude-opus-5":
		return 2000
	}
	return 0
}

// IsMultiplier reports a name that MultiplierOf has a factor of for some models.
func IsMultiplier(name string) bool {
	switch name {
	case "batch", "fast", "flex", "priority", "regional":
		return true
	}
	return false
}

// Times returns the price with all multipliers, rounded to the nearest.
func (p Price) Times(all []Multiplier) Price {
	for _, m := range all {
		p.Input, p.Output = (p.Input*m.Permille+500)/1000, (p.Output*m.Permille+500)/1000
	}
	return p
}

// isOpenAI reports a model that OpenAI sells.
func (m *modelRow) isOpenAI() bool { return m.family == familyO200k || m.family == familyCl100k }
