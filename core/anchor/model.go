package anchor

import "strings"

// minimum is the least number of tokens that a model family caches: a shorter prefix is accepted and not cached.
type minimum struct {
	family string // prefix of the model's name, from "claude" on, with dashes for dots
	tokens int
}

// minimums is searched for the longest family that fits. Source: Anthropic's page on prompt caching.
var minimums = [...]minimum{
	{"claude-opus-5", 512}, {"claude-fable", 512}, {"claude-mythos", 512},
	{"claude-opus-4", 1024}, {"claude-opus-4-1", 1024}, {"claude-opus-4-8", 1024}, {"claude-sonnet", 1024},
	{"claude-opus-4-7", 2048}, {"claude-haiku-3", 2048}, {"claude-3-haiku", 2048}, {"claude-3-5-haiku", 2048},
	{"claude-opus-4-5", 4096}, {"claude-opus-4-6", 4096}, {"claude-haiku-4-5", 4096},
}

// otherMinimum holds for models that the table does not name, OpenAI's among them. A breakpoint on too short a prefix costs
// nothing, so the usual value is better than the highest.
const otherMinimum = 1024

// Minimum is the least number of tokens before a breakpoint that the model caches. It knows names with a vendor or a
// region in front and with dots for dashes: "anthropic/claude-opus-4.5", "us.anthropic.claude-opus-4-5-20251101-v1:0".
func Minimum(model string) int {
	if at := strings.Index(model, "claude"); at >= 0 {
		model = strings.ReplaceAll(model[at:], ".", "-")
	}
	best, tokens := 0, otherMinimum
	for _, row := range minimums {
		rest, ok := strings.CutPrefix(model, row.family)
		whole := rest == "" || rest[0] < '0' || rest[0] > '9' // claude-opus-50 is not an Opus 5
		if ok && whole && len(row.family) > best {
			best, tokens = len(row.family), row.tokens
		}
	}
	return tokens
}
