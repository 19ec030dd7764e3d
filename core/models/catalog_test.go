package models_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/models"
)

// cost is a price in dollars for a million tokens; 0 means that the source has none.
type cost struct{ Input, Output, CacheRead, CacheWrite, CacheWrite1h float64 }

// hosted are the models of another vendor that Mistral sells under the vendor's name: the table has the vendor's.
var hosted = map[string]bool{"mistral glm-5-2": true}

// behind are the differences of the second source (read on 23 September 2026): the newest prices and names are not in
// it. Of Sonnet 5.5 it has the cache reads before 7 October.
var behind = map[string]bool{"claude-sonnet-5-5": true, "deepseek-v4-pro": true, "glm-5.3-flash": true,
	"mistral-large-latest": true, "mistral-small-latest": true, "mistral-medium-3.5": true}

// Every model that eleven vendors sell today has the window, the prices and the tier of the catalog.
func TestCatalogAgrees(t *testing.T) {
	file, err := os.ReadFile("testdata/catalog.json")
	require.NoError(t, err)
	var all []struct {
		Vendor, ID string
		Window     int
		cost
		Tiers []struct {
			Above         int
			Input, Output float64
		}
		Second *cost
	}
	require.NoError(t, json.Unmarshal(file, &all))
	share := func(part, whole float64) int { // permille, the unit of the table; without a price that of input holds
		if part == 0 {
			return 1000
		}
		return int(math.Round(1000 * part / whole))
	}
	vendors, agree, second := map[string]bool{}, 0, 0
	for _, m := range all {
		vendors[m.Vendor] = true
		want := models.Price{Input: int(math.Round(1000 * m.Input)), Output: int(math.Round(1000 * m.Output)),
			Read: share(m.CacheRead, m.Input), Write5m: share(m.CacheWrite, m.Input)}
		if want.Write1h = want.Write5m; m.Vendor == "anthropic" {
			want.Write1h = 2000
		}
		if len(m.Tiers) > 0 {
			long := m.Tiers[0]
			want.Long = models.Long{Above: long.Above, Input: share(long.Input, m.Input), Output: share(long.Output, m.Output)}
		}
		if hosted[m.Vendor+" "+m.ID] {
			continue
		}
		agree++
		for _, name := range []string{m.ID, m.Vendor + "/" + m.ID, "global." + m.Vendor + "." + m.ID} {
			p := models.ProfileFor(name, "")
			require.Equal(t, want, p.Price, name)
			require.Equal(t, m.Window, p.Window, name)
			require.Equal(t, m.Window, models.WindowOf(name), name)
			require.True(t, models.Known(name), name)
		}
		if m.Second == nil || behind[m.ID] {
			continue
		}
		second++
		for _, pair := range [][2]float64{{m.Input, m.Second.Input}, {m.Output, m.Second.Output},
			{m.CacheRead, m.Second.CacheRead}, {m.CacheWrite, m.Second.CacheWrite}} {
			if pair[1] > 0 {
				require.InDelta(t, pair[1], pair[0], 1e-9, "%s, the second source", m.ID)
			}
		}
		if m.Second.CacheWrite1h > 0 {
			require.Equal(t, share(m.Second.CacheWrite1h, m.Input), want.Write1h, "%s for an hour", m.ID)
		}
	}
	require.Len(t, vendors, 11)
	require.GreaterOrEqual(t, agree, len(all)-1) // hosted
	require.Greater(t, second, 90)               // most models are in both sources
}
