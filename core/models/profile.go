// Package models is the catalog of models: context windows, prices, cache minimums, the binding of thinking, and the
// profile by which token counts follow from ours.
//
// It is not a part of the API (see package core).
package models

import "strings"

// Profile describes a model: how its token counts follow from ours, its overheads around texts, its limits and its
// prices. It is data with sources (families.go, catalog.go), never fitted to one session; see Measured for the
// usage of a session.
type Profile struct {
	Family         string    // name of the models that count alike
	Counter        string    // the most accurate counter: the model's vocabulary, or "estimate"
	PerMessage     int       // tokens for role and delimiters around each message
	PerToolUse     int       // tokens for the frame around a call or a result
	PerTool        int       // tokens for the frame around a tool definition
	Image          ImageRule // how pixels are counted
	Window         int       // maximum tokens of prompt and answer together
	MinCacheTokens int       // minimum tokens of a cached prefix
	Binding        Binding   // of thinking to what precedes it
	Price          Price     // zero if unknown

	scales *[scales]Scale // nil means unscaled
}

// Scale converts a counter's counts of texts to a model's tokens, in permille.
type Scale struct {
	Permille int // multiplier of the count of a text, rounded half up
	Low      int // of a total: the 10th percentile of sessions
	High     int // of a total: the 90th percentile of sessions
}

// Price is the cost of tokens.
type Price struct {
	Input, Output int  // thousandths of a dollar for a million tokens, in a request with a short prompt
	Read          int  // permille of Input, for tokens that are read from the cache
	Write5m       int  // permille of Input, for tokens that are written to the cache for five minutes
	Write1h       int  // permille of Input, for an hour
	Long          Long // of a request with a long prompt; zero if the length does not matter
}

// Long is the price of the whole of a request, answer included, whose prompt is longer than a limit. Tokens that are
// read from the cache or written to it count as part of the prompt.
type Long struct {
	Above  int `json:"above"`  // tokens
	Input  int `json:"input"`  // permille of the input's price in a short prompt; read and writes are shares of the result
	Output int `json:"output"` // permille of the price of answers
}

// IsLong reports that a prompt of so many tokens has the price of a long one.
func (p Price) IsLong(prompt int) bool { return p.Long.Above > 0 && prompt > p.Long.Above }

// At returns the price of a request with a prompt of so many tokens.
func (p Price) At(prompt int) Price {
	if l := &p.Long; p.IsLong(prompt) {
		p.Input, p.Output = p.Input*l.Input/1000, p.Output*l.Output/1000
	}
	p.Long = Long{}
	return p
}

// MidRange is the price to assume for a model without a known one: that of a mid-range model of November 2026.
var MidRange = Price{Input: 3000, Output: 15_000, Read: 100, Write5m: 1250, Write1h: 2000}

// ImageRule is a provider's rule for counting the pixels of an image.
type ImageRule uint8

const (
	// ImagePatches28 counts patches of 28 × 28 pixels: Anthropic models from 4.7 on, also the choice for an
	// unknown model, since it has the highest count. Source: Anthropic's vision page.
	ImagePatches28 ImageRule = iota
	// ImageArea750 counts ⌈w × h / 750⌉, at most 1,568: Anthropic models before 4.7. Source: the same page.
	ImageArea750
	// ImageTiles512 counts 85 and 170 for each tile of 512 pixels: OpenAI models. Source: OpenAI's vision page.
	ImageTiles512
	// ImageTiles768 counts 258 for a small image (at most 384 pixels on each edge), else 258 for each tile, whose edge is
	// two thirds of the short edge: Gemini models before 3. Source: ai.google.dev/gemini-api/docs/image-understanding.
	ImageTiles768
	// ImageFixed1120 counts 1,120 for each image, the default resolution: Gemini 3. Source:
	// ai.google.dev/gemini-api/docs/media-resolution.
	ImageFixed1120
)

// ProfileFor returns the profile of a model by its name as it occurs (see findRow), or, if the name is empty, by the
// format of the conversation. The profile of an unknown model counts high.
func ProfileFor(model, format string) Profile {
	row := findRow(model, format)
	f := &families[row.family]
	return Profile{Family: f.name, Counter: f.counter, PerMessage: f.perMessage, PerToolUse: f.perToolUse,
		PerTool: f.perTool, Image: f.image, Window: windowOf(row, model), MinCacheTokens: int(row.minCacheTokens),
		Binding: BindingOf(model), Price: priceOf(row, model), scales: &f.scales}
}

// Scale returns the conversion from the named counter to tokens of the model. The classic rules and unknown counters
// are not multiplied and have a wide range.
func (p *Profile) Scale(counter string) Scale {
	if p.scales == nil {
		return unscaled
	}
	for i, name := range &scaledCounters {
		if name == counter {
			return p.scales[i]
		}
	}
	return unscaled
}

// WindowOf returns the context window of a model, in tokens. A policy that has trigger.window overrides it.
func WindowOf(model string) int { return windowOf(findRow(model, ""), model) }

// million is the window of a Claude model with the suffix [1m], which agents write for the beta context-1m.
const million = 1_000_000

func windowOf(row *modelRow, model string) int {
	if isLarge(row, model) {
		return max(million, int(row.window))
	}
	return int(row.window)
}

// priceOf returns the price of a row; that of Sonnet 4 and 4.5 has a step in their large window only. Source: the page
// on pricing as it was while the beta existed (until April 2026). Larger windows of later models have one price.
func priceOf(row *modelRow, model string) Price {
	p := prices[row.price]
	if row.price > 0 && row.window < million && isLarge(row, model) {
		p.Long = Long{200_000, 2000, 1500}
	}
	return p
}

// isLarge reports that a name has the suffix, and that the model had the beta: Sonnet 4 and 4.5, or one without a row.
func isLarge(row *modelRow, model string) bool {
	return (strings.HasPrefix(row.name, "claude-sonnet-4") || row.name == "claude") &&
		strings.HasSuffix(strings.ToLower(model), "[1m]")
}

// Known reports whether the catalog has a model of that name. The profile of another one is a guess: that of its
// vendor, or one that counts high.
func Known(model string) bool { return model != "" && !findRow(model, "").guess }
