package heap_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/heap"
)

// A heap yields its numbers in order, as a sorted list does.
func TestHeapAgainstSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOf(rapid.Uint64Range(0, 20))
		sorted := numbers.Draw(t, "numbers")
		h := heap.Heap(slices.Clone(sorted))
		h.Order()
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			slices.Sort(sorted)
			if len(h) > 0 && rapid.Bool().Draw(t, "pop") {
				require.Equal(t, sorted[0], h.Pop())
				sorted = sorted[1:]
				continue
			}
			x := rapid.Uint64Range(0, 20).Draw(t, "x")
			h.Push(x)
			sorted = append(sorted, x)
		}
		slices.Sort(sorted)
		for _, want := range sorted {
			require.Equal(t, want, h[0])
			require.Equal(t, want, h.Pop())
		}
		require.Empty(t, h)
	})
}
