package replay

import (
	"strconv"
	"strings"
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
		require.LessOrEqual(t, twice, 2*once+50, preset) // linear; 50 for the work of each replay
		require.LessOrEqual(t, twice, 5*800, preset)     // each of the 800 messages at most five times
	}
}

// A policy that clears a result at every call reads it when it comes and when it goes, and a fixed number of messages
// around it, independent of the number of earlier calls.
func TestClearingReadsWhatChanged(t *testing.T) {
	read := func(calls int) int {
		var b strings.Builder
		for n := range calls {
			id := strconv.Itoa(n)
			b.WriteString(`,{"role":"assistant","content":[{"type":"tool_use","id":"t` + id + `","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t` + id + `","content":"` +
				strings.Repeat("some output ", 10) + id + `"}]}`)
		}
		p, err := policy.Parse("clear_tool_uses", []byte(`{"clear":{"triggerToolUses":1}}`))
		require.NoError(t, err)
		n := 0
		r, err := Replay(parse(t, `[{"role":"user","content":"go"}`+b.String()+`]`), p,
			Options{Count: counting{tokens.Chars4, &n}})
		require.NoError(t, err)
		require.Greater(t, r.Totals.Compactions, calls-10) // the first calls have nothing to clear
		return n
	}
	once, twice := read(200), read(400)
	require.LessOrEqual(t, twice, 2*once+100) // linear; without checkpoints it is 4 times once
}
