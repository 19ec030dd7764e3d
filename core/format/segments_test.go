package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// requireSegments asserts that each earlier segment of a log is what the log was before a compaction: it is written as
// a beginning of the file, and is read from it again. It returns the number of earlier segments.
func requireSegments(t require.TestingT, data []byte, name string) int {
	c, err := format.Parse(data, name)
	require.NoError(t, err)
	earlier := format.SegmentsOf(c).Earlier
	end := 0
	for _, segment := range earlier {
		out, err := format.Render(segment)
		require.NoError(t, err)
		require.Greater(t, len(out), end, "oldest first")
		require.True(t, strings.HasPrefix(string(data), string(out)))
		end = len(out)
		again, err := format.Parse(out, name)
		require.NoError(t, err)
		require.Equal(t, len(again.Messages), len(segment.Messages))
		for m := range again.Messages {
			require.Equal(t, again.Messages[m].Role, segment.Messages[m].Role)
			require.Equal(t, again.Messages[m].Usage, segment.Messages[m].Usage)
			require.Equal(t, len(again.Messages[m].Blocks), len(segment.Messages[m].Blocks))
			for b := range again.Messages[m].Blocks {
				require.Equal(t, again.Messages[m].Blocks[b].Text, segment.Messages[m].Blocks[b].Text)
			}
		}
		shorter := segment.WithMessages(segment.Messages[:len(segment.Messages)/2])
		_, err = format.Render(shorter)
		require.NoError(t, err)
	}
	return len(earlier)
}

func TestSegmentsOfRealLogs(t *testing.T) {
	found := map[string]int{}
	for _, name := range []string{msg.Codex, msg.Pi, msg.ClaudeCode} {
		for _, file := range convtest.Corpus(t, name) {
			t.Run(filepath.Base(file), func(t *testing.T) {
				data, err := os.ReadFile(file)
				require.NoError(t, err)
				found[name] += requireSegments(t, data, name)
			})
		}
	}
	require.Positive(t, found[msg.Codex])
	require.Positive(t, found[msg.Pi])
}

// TestSegmentsOfCodexLogs joins logs of Codex with the line of a compaction, with and without the list that replaces
// the history.
func TestSegmentsOfCodexLogs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		compactions := rapid.IntRange(0, 70).Draw(t, "compactions")
		if compactions > 4 && compactions < 66 {
			compactions %= 4
		}
		segments := make([][]byte, min(compactions, 4)+1) // more compactions repeat them: drawing takes most of the time
		for i := range segments {
			segments[i] = convtest.Conversation(t, msg.Codex)
		}
		var log []byte
		for i := range compactions {
			log = append(log, segments[i%len(segments)]...)
			log = append(log, '\n')
			log = append(log, rapid.SampledFrom([]string{
				`{"timestamp":"t","type":"compacted","payload":{"message":"What was done."}}`,
				`{"timestamp":"t","type":"compacted","payload":{"message":"","replacement_history":[]}}`,
				`{"timestamp":"t","type":"compacted","payload":{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Go on."}]}]}}`,
			}).Draw(t, "compacted")+"\n"...)
		}
		log = append(log, segments[compactions%len(segments)]...)
		require.GreaterOrEqual(t, requireSegments(t, log, msg.Codex), min(compactions, 64))
	})
}

// TestSegmentsOfPiLogs draws logs of pi, which have compactions now and then.
func TestSegmentsOfPiLogs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { requireSegments(t, convtest.Conversation(t, msg.Pi), msg.Pi) })
}
