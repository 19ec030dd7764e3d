package wire

import "tamp/core/models"

// ModelInfo is a model that the engine knows: one answer of models.
type ModelInfo struct {
	Name           string `json:"name"`            // prefix of the names that it covers
	Window         int    `json:"window"`          // tokens of prompt and answer together
	MinCacheTokens int    `json:"minCacheTokens"`  // a shorter prefix is not cached
	Price          *Price `json:"price,omitempty"` // absent if it is not known
}

func (*call) models(*Empty) (*[]ModelInfo, error) {
	var all []ModelInfo
	for _, m := range models.List() {
		info := ModelInfo{Name: m.Name, Window: m.Window, MinCacheTokens: m.MinCacheTokens}
		if m.Source != "" {
			info.Price = priceOf(m.Name, "")
		}
		all = append(all, info)
	}
	return &all, nil
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
