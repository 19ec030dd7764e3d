package replay_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/replay"
)

// The log of Codex has the API's own counts: a replay compares itself with them, call by call.
func TestReplayOfCodexLog(t *testing.T) {
	for _, file := range convtest.Corpus(t, msg.Codex) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := format.Parse(data, "")
		require.NoError(t, err)
		p, err := policy.Preset("balanced")
		require.NoError(t, err)
		report, err := replay.Replay(c, p, replay.Options{})
		require.NoError(t, err)
		require.NotEmpty(t, report.Calls)
		known := 0
		for _, call := range report.Calls {
			if call.API != nil {
				known++
				require.Positive(t, call.API.Prompt())
			}
		}
		if len(report.Calls) > 20 {
			require.Positive(t, known, "%s has counts", file)
		}
	}
}
