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
