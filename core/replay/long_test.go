package replay

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// longAccount charges a call in dollars, from the pages of the vendors alone: prices for a million tokens, and those of
// the whole of a call with more than `above` tokens of input, cached ones included.
type longAccount struct {
	model       string
	above       int
	short, long slowPrice
}

func (a longAccount) cost(c *Call) float64 {
	if c.Input+c.CacheRead+c.CacheWrite > a.above {
		return a.long.cost(c)
	}
	return a.short.cost(c)
}

// The accounts of vendors with a higher price for long prompts agree with the replay to the millionth of a dollar, over
// the small real sessions and every preset. Hidden tokens bring some of the calls over the limit.
func TestLongPromptsAgree(t *testing.T) {
	long := map[string]int{}
	for _, a := range []longAccount{
		{"claude-haiku-5-5", 100_000, slowPrice{.1, .01, .125, .2, .5}, slowPrice{.5, .05, .625, 1, 2.5}},
		{"gemini-2.5-pro", 200_000, slowPrice{1.25, .125, 0, 0, 10}, slowPrice{2.5, .25, 0, 0, 15}},
		{"gpt-5.4", 272_000, slowPrice{2.5, .25, 0, 0, 15}, slowPrice{5, .5, 0, 0, 22.5}},
		{"gpt-6-sol", 272_000, slowPrice{2, .2, 2.5, 2.5, 10}, slowPrice{4, .4, 5, 5, 15}},
	} {
		folder := "openai-chat"
		if a.model == "claude-haiku-5-5" {
			folder = "anthropic"
		}
		for _, file := range convtest.Corpus(t, folder) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			if len(data) > 20_000 {
				continue
			}
			c, err := format.Parse(data, "")
			require.NoError(t, err)
			hidden := a.above - 1000
			for _, name := range append(policy.Names(), NoPreset) {
				p := preset(t, "balanced")
				if name != NoPreset {
					p = preset(t, name)
				}
				r, err := Replay(c, p, Options{Count: tokens.Chars4, Model: a.model, Summarize: shortly, IgnoreUsage: true,
					None: name == NoPreset, Hidden: &hidden})
				require.NoError(t, err)
				for i := range r.Calls {
					call := &r.Calls[i]
					require.InDelta(t, 1e6*a.cost(call), call.Cost-call.SummaryCost, 0.501, "%s, %s, call %d", file, name, i+1)
					if call.Sent > a.above {
						long[a.model]++
					}
				}
			}
		}
		require.Positive(t, long[a.model], a.model)
	}
}
