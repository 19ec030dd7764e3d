package pass_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/pass"
)

// With a constant saving and a constant cost of clearing, the rule costs at most twice the best choice in hindsight,
// and one call: it keeps until the rent has reached the cost.
func TestTermsCostAtMostTwiceTheOptimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := pass.Terms{Read: rapid.IntRange(10, 500).Draw(t, "read"), RentPermille: 1000}
		terms.Write = terms.Read + rapid.IntRange(0, 2000).Draw(t, "write")
		terms.Cached = rapid.IntRange(0, 500_000).Draw(t, "cached")
		freed := rapid.IntRange(1, 200_000).Draw(t, "freed")
		before := rapid.IntRange(0, 600_000).Draw(t, "before")
		calls := rapid.IntRange(0, 400).Draw(t, "calls")
		extra := terms.Extra(freed, before)
		paid, cleared := 0, false
		for range calls { // what the calls cost more than if nothing old were there
			if !cleared && terms.Pays(freed, before, 0) {
				cleared = true
				paid += extra
			}
			if !cleared {
				paid += terms.Read * freed
				terms.Rent += freed
			}
		}
		best := terms.Read * freed * calls // never clear, or clear at the first call
		if calls > 0 {
			best = min(best, extra)
		}
		require.LessOrEqual(t, paid, max(2*best, best)+terms.Read*freed, "best %d", best)
		require.True(t, cleared || calls == 0 || extra > 0, "clearing that is free is not put off")
	})
}

// The numbers of the rule, by hand: 100,000 tokens were sent, 40,000 can be freed after the first 20,000.
func TestTermsByHand(t *testing.T) {
	warm := pass.Terms{Read: 100, Write: 1250, Cached: 100_000, RentPermille: 1000}
	require.Equal(t, 1150*80_000-1250*40_000, warm.Extra(40_000, 20_000))
	require.False(t, warm.Pays(40_000, 20_000, 0))
	cold := warm
	cold.Cached = 0
	require.Equal(t, -1250*40_000, cold.Extra(40_000, 20_000))
	require.True(t, cold.Pays(40_000, 20_000, 0), "a cold cache makes it free")
	require.True(t, warm.Pays(40_000, 60_000, 0), "what is removed is more than what is written again")
	for rent, pays := range map[int]bool{419_999: false, 420_000: true} { // 42,000,000 / 100
		warm.Rent = rent
		require.Equal(t, pays, warm.Pays(40_000, 20_000, 0), "rent %d", rent)
		require.False(t, warm.Pays(40_000, 20_000, 1_000_000), "the cost of a summary counts")
	}
	warm.Rent, warm.RentPermille = 420_000, 2000
	require.False(t, warm.Pays(40_000, 20_000, 0))
	warm.RentPermille = 500
	warm.Rent = 210_000
	require.True(t, warm.Pays(40_000, 20_000, 0))
}

// A warm prompt is not written again for a few tokens; a cold one is written again in any case.
func TestTermsClearAtLeast(t *testing.T) {
	terms := pass.Terms{Read: 100, Write: 1250, Cached: 100_000, Rent: 10_000_000, Least: 5000, RentPermille: 1000}
	require.True(t, terms.Pays(4999, 20_000, 0))
	require.False(t, terms.PaysToClear(4999, 20_000))
	require.True(t, terms.PaysToClear(5000, 20_000))
	terms.Cached = 0
	require.True(t, terms.PaysToClear(4999, 20_000))
}
