//go:build !js

package gateway

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// A gateway that keeps what it has read of a request sends the same bytes as one that keeps nothing, also for two
// sessions in turn, and keeps one entry for each.
func TestLiveRequests(t *testing.T) {
	p := newProvider(t, ok)
	bodies := func() (sent [][]byte) {
		p.mu.Lock()
		defer p.mu.Unlock()
		sent, p.bodies, p.requests = p.bodies, nil, nil
		return sent
	}
	run := func(live int) ([][]byte, *started) {
		s := start(t, p.URL, "GATEWAY_POLICY", `{"trigger":{"window":30000}}`)
		s.g.Live, s.g.Checkpoints = live, &namesOf{Checkpoints: s.g.Checkpoints}
		for n := 2; n < 40; n += 3 {
			for _, size := range []int{900, 1100} { // another session has another first result, and here another model
				for _, path := range []string{"/v1/messages", "/v1/chat/completions"} {
					s.post(t, "/up"+path, history(n, size, path))
				}
			}
		}
		return bodies(), s
	}
	want, none := run(0)
	have, s := run(DefaultLive)
	names := func(s *started) []string { return s.g.Checkpoints.(*namesOf).all }
	require.NotEmpty(t, names(none))
	require.Equal(t, names(none), names(s), "the names of the checkpoints")
	require.Len(t, have, len(want))
	changed := 0
	for i := range want {
		require.True(t, bytes.Equal(want[i], have[i]), i)
		if i > 4 && len(want[i]) < len(want[i-4]) {
			changed++
		}
	}
	require.Positive(t, changed, "nothing was compacted")
	require.Len(t, s.g.lives.items, 2, "sessions with the same first message share an entry")
	small, s := run(100_000)
	require.Equal(t, want, small)
	require.LessOrEqual(t, s.g.lives.size, 100_000)
}

// namesOf lists the names of the checkpoints that are kept.
type namesOf struct {
	Checkpoints
	all []string
}

func (n *namesOf) Keep(key string, data []byte) {
	n.all = append(n.all, key)
	n.Checkpoints.Keep(key, data)
}
