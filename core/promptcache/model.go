package promptcache

import (
	"tamp/core/models"
)

// Minimum is the minimum of tokens before a breakpoint that the model caches: a shorter prefix is accepted and not
// cached. It resolves names as models.ProfileFor does.
func Minimum(model string) int {
	return models.ProfileFor(model, "").MinCacheTokens
}
