package promptcache

import "tamp/core/tokens"

// otherMinimum holds for models that publish no minimum, OpenAI's among them.
const otherMinimum = 1024

// Minimum is the minimum of tokens before a breakpoint that the model caches: a shorter prefix is accepted and not
// cached. It resolves names as tokens.ProfileFor does.
func Minimum(model string) int {
	return tokens.ProfileFor(model, "").MinCacheTokens
}
