package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/models"
)

// Every price has the page of its vendor, and a model without a price has none.
func TestEveryPriceHasASource(t *testing.T) {
	vendors := map[string]string{"claude": "https://platform.claude.com/", "gpt": "https://developers.openai.com/",
		"o": "https://developers.openai.com/", "gemini": "https://ai.google.dev/"}
	all := models.List()
	require.Greater(t, len(all), 50) // the list has all vendors: it only grows
	priced := 0
	for _, m := range all {
		require.Equal(t, m.Price, models.ProfileFor(m.Name, "").Price, m.Name)
		require.Equal(t, m.Source, models.PriceSource(m.Name, ""), m.Name)
		require.Equal(t, m.Price != (models.Price{}), m.Source != "", m.Name)
		if m.Source == "" {
			continue
		}
		priced++
		vendor, _, _ := strings.Cut(m.Name, "-")
		require.True(t, strings.HasPrefix(m.Source, vendors[strings.TrimRight(vendor, "0123456789")]), m.Name)
	}
	require.Greater(t, priced, 40) // most models have a price
	for model, want := range map[string]models.Long{
		"claude-haiku-5-5-20261007": {100_000, 5000, 5000}, "claude-sonnet-4-5-20250929[1m]": {200_000, 2000, 1500},
		"gemini-2.5-pro": {200_000, 2000, 1500}, "models/gemini-3.1-pro-preview": {200_000, 2000, 1500},
		"gpt-5.5": {272_000, 2000, 1500}, "gpt-6.1-sol": {272_000, 2000, 1500},
		"claude-haiku-4-5": {}, "claude-opus-5-5": {}, "claude-sonnet-4-6": {}, "gpt-5": {}, "gpt-5-mini": {},
		"gpt-5.3": {}, "gpt-5.4-mini": {}, "gpt-4.1": {}, "o3": {}, "gemini-2.5-flash": {}, "gemini-3.8-flash": {},
		"a-model-of-my-own": {},
	} {
		require.Equal(t, want, models.ProfileFor(model, "").Price.Long, model)
	}
	require.Empty(t, models.PriceSource("a-model-of-my-own", ""))
}

// The whole of a request has the price of its length, and exactly the limit is short.
func TestLongPrompts(t *testing.T) {
	p := models.ProfileFor("gpt-5.4", "").Price
	require.Equal(t, models.Price{Input: 2500, Output: 15_000, Read: 100, Write5m: 1000, Write1h: 1000}, p.At(272_000))
	require.Equal(t, models.Price{Input: 5000, Output: 22_500, Read: 100, Write5m: 1000, Write1h: 1000}, p.At(272_001))
	require.Equal(t, models.MidRange, models.MidRange.At(1_000_000))
	for _, m := range models.List() { // a factor that is not below the short price, and no fraction of a unit
		short, long := m.Price.At(0), m.Price.At(m.Price.Long.Above+1)
		require.Equal(t, short.Input*m.Price.Long.Input, long.Input*1000*min(m.Price.Long.Above, 1), m.Name)
		require.GreaterOrEqual(t, long.Output, short.Output, m.Name)
	}
}

// The factors that are known, by the name as a platform writes it.
func TestMultiplierOf(t *testing.T) {
	for _, row := range []struct {
		model, name string
		want        int
	}{
		{"claude-opus-5-5", "batch", 500}, {"gpt-6.1-sol", "batch", 500}, {"gemini-3.8-flash", "batch", 500},
		{"claude-3-opus", "batch", 500}, {"kimi-k3", "batch", 0}, {"a-model-of-my-own", "batch", 0},
		{"eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "regional", 1100}, {"claude-opus-4-6", "regional", 1100},
		{"us.anthropic.claude-opus-5-5-v1:0", "regional", 1100}, {"claude-opus-4-1", "regional", 0},
		{"gpt-5.4", "regional", 1100}, {"gpt-5.4-pro", "regional", 1100}, {"gpt-5", "regional", 0},
		{"glm-4.6", "regional", 0},
		{"claude-opus-4-6", "fast", 6000}, {"claude-opus-5", "fast", 2000}, {"claude-opus-5-5", "fast", 0},
		{"claude-opus-5", "priority", 0}, {"", "batch", 0},
	} {
		require.Equal(t, row.want, models.MultiplierOf(row.model, "", row.name), "%s %s", row.model, row.name)
	}
	require.Equal(t, models.Price{Input: 2750, Output: 13_750, Read: 100}, models.Price{Input: 5000, Output: 25_000,
		Read: 100}.Times([]models.Multiplier{{Name: "batch", Permille: 500}, {Name: "regional", Permille: 1100}}))
}
