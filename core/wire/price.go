package wire

import "tamp/core/models"

// Price is what tokens of a model cost.
type Price struct {
	Input   int `json:"input"`   // thousandths of a dollar for a million tokens
	Output  int `json:"output"`  // the same for tokens of answers
	Read    int `json:"read"`    // permille of input, for tokens that are read from the cache
	Write5m int `json:"write5m"` // permille of input, for tokens that are written to the cache for five minutes
	Write1h int `json:"write1h"` // permille of input, for an hour
	// Of the whole of a request, answer included, whose prompt is longer: cached tokens count as part of the prompt.
	// Absent if the length does not matter; prices of a request without it are those of any length.
	Long *models.Long `json:"long,omitempty"`
	// The page that it is from, and the month in which it was read ("2026-11"). Absent if assumed.
	Source string `json:"source,omitempty"`
	Date   string `json:"date,omitempty"`
	// The price is not known: it is that of a mid-range model.
	Assumed bool `json:"assumed,omitempty"`
}

// priceOf returns the price of a model with its source, or the assumed price of a model without a known one.
func priceOf(model, format string) *Price {
	p, source := models.ProfileFor(model, format).Price, models.PriceSource(model, format)
	if source == "" {
		m := models.MidRange
		return &Price{m.Input, m.Output, m.Read, m.Write5m, m.Write1h, nil, "", "", true}
	}
	var long *models.Long
	if p.Long.Above > 0 {
		long = &p.Long
	}
	return &Price{p.Input, p.Output, p.Read, p.Write5m, p.Write1h, long, source, models.PricesRead, false}
}
