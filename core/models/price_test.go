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
	require.Empty(t, models.PriceSource("a-model-of-my-own", ""))
}
