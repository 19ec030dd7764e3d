package order_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/order"
)

// Stable sorts like slices.SortStableFunc.
func TestStable(t *testing.T) {
	type element struct{ key, at int }
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.IntRange(0, 5)).Draw(t, "keys")
		var got []element
		for at, key := range keys {
			got = append(got, element{key, at})
		}
		want := slices.Clone(got)
		compare := func(a, b element) int { return a.key - b.key }

		order.Stable(got, compare)

		slices.SortStableFunc(want, compare)
		require.Equal(t, want, got)
	})
}
