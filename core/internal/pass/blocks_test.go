package pass_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// Facts are kept while a block is asked for between two calls of Age, and forgotten after two without.
func TestFactsOfBlocksAge(t *testing.T) {
	var k pass.Blocks
	used, unused := new(msg.Block), new(msg.Block)
	k.Of(used).SummaryKey, k.Of(unused).SummaryKey = "used", "unused"
	for range 3 {
		k.Age()
		require.Equal(t, "used", k.Of(used).SummaryKey)
	}
	require.Empty(t, k.Of(unused).SummaryKey)

	first := new(msg.Block)
	k.Of(first).SummaryKey = "first"
	for range 1 << 15 { // so many other blocks
		k.Of(new(msg.Block)).SummaryKey = "other"
	}
	require.Empty(t, k.Of(first).SummaryKey)
	require.Empty(t, (*pass.Blocks)(nil).Of(used).SummaryKey, "nil keeps nothing")
}
