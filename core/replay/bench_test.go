package replay

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
)

// corpus reads a real session. It skips the test if there are no real conversations.
func corpus(t testing.TB, path string) *msg.Conversation {
	data, err := os.ReadFile(filepath.Join(convtest.NeedCorpus(t), path))
	require.NoError(t, err)
	c, err := format.Parse(data, "")
	require.NoError(t, err)
	return c
}

// BenchmarkReplay replays a session of 1.7 MB and 500 calls under each preset.
func BenchmarkReplay(b *testing.B) {
	c := corpus(b, "anthropic/pi-mono--before-compaction.json")
	b.Run("none", func(b *testing.B) {
		for b.Loop() {
			_, err := Replay(c, policy.Policy{}, Options{None: true})
			require.NoError(b, err)
		}
	})
	for _, name := range policy.Names() {
		p, err := policy.Preset(name)
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := Replay(c, p, Options{})
				require.NoError(b, err)
			}
		})
	}
}
