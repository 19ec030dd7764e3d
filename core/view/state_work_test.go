package view

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Keys are kept sorted and once each, and the record that was copied before does not change.
func TestRememberKeepsASortedSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Record
		want := map[string]bool{}
		for range rapid.IntRange(1, 5).Draw(t, "compactions") {
			keys := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g"}), 0, 6).Draw(t, "keys")
			copied, before := m, slices.Clone(m.clearedKeys)
			m.clearedKeys = withKeys(m.clearedKeys, keys)
			for _, key := range keys {
				want[key] = true
			}
			require.Equal(t, before, copied.clearedKeys)
			require.Len(t, m.clearedKeys, len(want))
			require.True(t, slices.IsSorted(m.clearedKeys))
			for _, key := range m.clearedKeys {
				require.True(t, want[key])
			}
		}
	})
}

// One call for all keys of a compaction copies the sorted keys once, however many there are. The copy is one
// allocation; order.Stable adds three or four, whatever the number of keys. A copy for each key would be 5,000.
func TestRememberCopiesOnce(t *testing.T) {
	keys := make([]string, 5000)
	for i := range keys {
		keys[i] = strconv.Itoa(i * 7919 % 5003)
	}
	have := testing.AllocsPerRun(3, func() {
		m := Record{clearedKeys: []string{"x"}}
		m.clearedKeys = withKeys(m.clearedKeys, keys)
	})
	require.Less(t, have, 20.0, "one copy, not one for each key")
}
