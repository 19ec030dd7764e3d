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
	require.Greater(t, len(all), 50)
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
	require.Greater(t, priced, 40)
	for model, limit := range map[string]int{"claude-haiku-5-5-20261007": 100_000, "claude-haiku-4-5": 0,
		"claude-opus-5-5": 0, "gpt-5": 0, "gpt-5-mini": 0, "gpt-5.3": 0, "gpt-5.4-mini": 0, "gpt-5.5": 272_000,
		"gpt-6.1-sol": 272_000,
		"gpt-4.1":     0, "o3": 0, "gemini-2.5-pro": 200_000, "gemini-2.5-flash": 0, "a-model-of-my-own": 0} {
		require.Equal(t, limit, models.LongPrompt(model, ""), model)
	}
	require.Empty(t, models.PriceSource("a-model-of-my-own", ""))
}
