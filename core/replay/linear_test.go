package replay

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/policy"
	"tamp/core/tokens"
)

// counting counts the calls of Count.
type counting struct {
	tokens.Counter
	texts *int
}

func (c counting) Count(text string) int {
	*c.texts++
	return c.Counter.Count(text)
}

// A replay without compaction reads each message a fixed number of times, independent of the number of later calls.
// Texts this short are not cached, so each read of a message counts them again.
func TestReplayReadsEachMessageOnce(t *testing.T) {
	read := func(calls int, preset string) int {
		p, err := policy.Preset(preset)
		require.NoError(t, err)
		n := 0
		r, err := Replay(tiny(t, calls), p, Options{Count: counting{tokens.Chars4, &n}})
		require.NoError(t, err)
		require.Equal(t, calls, r.Totals.Calls)
		require.Zero(t, r.Totals.Compactions, preset)
		return n
	}
	for _, preset := range []string{"balanced", "regions", "turns"} {
		once, twice := read(200, preset), read(400, preset)
		require.Positive(t, once)
		require.LessOrEqual(t, twice, 2*once+50, preset) // linear; 50 for what is counted once a replay
		require.LessOrEqual(t, twice, 5*800, preset)     // each of the 800 messages at most five times
	}
}
