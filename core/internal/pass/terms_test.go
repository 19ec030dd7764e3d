package pass_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/pass"
)

// optimum is the least that any schedule of clearings costs, by dynamic programming from the last call back. A call
// with old results costs keep more than one without; clearing costs clear, and the next results are old after `again`
// calls.
func optimum(keep, clear, again, calls int) int {
	from := make([]int, calls+1) // the calls from each on, if the first of them has old results
	for i := calls - 1; i >= 0; i-- {
		from[i] = min(keep+from[i+1], clear+from[min(i+1+again, calls)])
	}
	return from[0]
}

// The optimum is that of all schedules, tried one after the other.
func TestOptimumOfAllSchedules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keep, clear := rapid.IntRange(0, 20).Draw(t, "keep"), rapid.IntRange(-30, 100).Draw(t, "clear")
		again, calls := rapid.IntRange(0, 12).Draw(t, "again"), rapid.IntRange(0, 10).Draw(t, "calls")
		best := keep * calls
		for schedule := range 1 << calls {
			cost, old := 0, 0 // the call from which on results are old
			for i := range calls {
				switch {
				case i < old:
				case schedule>>i&1 == 1:
					cost, old = cost+clear, i+1+again
				default:
					cost += keep
				}
			}
			best = min(best, cost)
		}
		require.Equal(t, best, optimum(keep, clear, again, calls))
	})
}

// With a constant saving and a constant cost of clearing, the rule costs at most twice the best schedule in hindsight,
// and one call: it keeps until the rent has reached the cost. If results become old again, it is one call more after
// each clearing.
func TestTermsCostAtMostTwiceTheOptimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := pass.Terms{Read: rapid.IntRange(10, 500).Draw(t, "read"), RentPermille: 1000}
		terms.Write = terms.Read + rapid.IntRange(0, 2000).Draw(t, "write")
		terms.Cached = rapid.IntRange(0, 500_000).Draw(t, "cached")
		freed := rapid.IntRange(1, 200_000).Draw(t, "freed")
		before := rapid.IntRange(0, 600_000).Draw(t, "before")
		calls := rapid.IntRange(0, 400).Draw(t, "calls")
		again := rapid.OneOf(rapid.IntRange(0, 400), rapid.Just(calls)).Draw(t, "again")
		extra, keep := terms.Extra(freed, before), terms.Read*freed
		paid, old, late := 0, 0, keep // what the calls cost more than if nothing old were there
		for i := range calls {
			switch {
			case i < old:
			case terms.Pays(freed, before, 0):
				paid, old, terms.Rent = paid+extra, i+1+again, 0
				if old < calls {
					late += keep
				}
			default:
				paid, terms.Rent = paid+keep, terms.Rent+freed
			}
		}
		best := optimum(keep, extra, again, calls)
		require.LessOrEqual(t, paid, max(2*best, best)+late, "best %d", best)
		require.True(t, old > 0 || calls == 0 || extra > 0, "clearing that is free is not put off")
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
