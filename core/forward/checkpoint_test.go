package forward

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/policy"
)

// A chain of checkpoints over 200 calls, as a gateway has it, forwards what a gateway without any forwards: the
// checkpoint has the State too, on which the price of the next compaction depends.
func TestCheckpointsOfALongSession(t *testing.T) {
	calls := 200
	if testing.Short() {
		calls = 70
	}
	s := rounds(calls, 930)
	p, err := policy.Parse("", []byte(`{"trigger":{"window":40000}}`))
	require.NoError(t, err)
	var last *Checkpoint
	compactions := 0
	for n := 1; n < len(s.list); n += 2 {
		data := s.body(t, n)
		r := foldOf(t, data, s.format, Options{Policy: p, From: last})
		if r.Checkpoint == nil {
			continue
		}
		if r.Cause != "" {
			compactions++
		}
		last, err = DecodeCheckpoint(r.Checkpoint.Encode())
		require.NoError(t, err)
		if r.Cause != "" || n%21 == 0 {
			want := foldOf(t, data, s.format, Options{Policy: p})
			require.True(t, string(want.Body) == string(r.Body), "call %d", n/2)
			require.Equal(t, want.Checkpoint, last)
		}
	}
	require.Greater(t, compactions, calls/40)
}
