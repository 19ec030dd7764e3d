package format_test

import (
	"os"
	"path/filepath"
	"strconv"
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

// A segment with an error is left out, and the result says so.
func TestUnreadSegments(t *testing.T) {
	item := func(content string) string {
		return `{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":` + content + "}}\n"
	}
	compacted := `{"timestamp":"t","type":"compacted","payload":{"message":"Done.","replacement_history":[]}}` + "\n"
	good := item(`[{"type":"input_text","text":"Go on."}]`)
	for second, want := range map[string]int{good: 2, item("7"): 1} {
		c, err := format.Parse([]byte(good+compacted+second+compacted+good), msg.Codex)
		require.NoError(t, err)
		parts := format.SegmentsOf(c)
		require.Len(t, parts.Earlier, want)
		require.Equal(t, want == 1, parts.Unread)
	}
}

// TestSegmentsOfPiLogs draws logs of pi, which have compactions now and then.
func TestSegmentsOfPiLogs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { requireSegments(t, convtest.Conversation(t, msg.Pi), msg.Pi) })
}

// A log of pi is a tree. The answers of branches that the user left, and those that were aborted, are in no segment:
// each knows its branch, and the provider bills it.
func TestOthersOfPiLogs(t *testing.T) {
	line := func(id, parent, message string) string {
		return `{"type":"message","id":"` + id + `","parentId":"` + parent + `","timestamp":"2026-01-01T00:00:0` + id[1:] +
			`Z","message":` + message + "}\n"
	}
	prompt := `{"role":"user","content":"Go on."}`
	answer := `{"role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"Yes."}],"usage":{"input":7,"output":1}}`
	failed := `{"role":"assistant","model":"claude-opus-4-5","stopReason":"aborted","content":[],"usage":{"input":7,"output":1}}`
	log := `{"type":"session","version":3,"id":"s"}` + "\n" + // line 0
		line("a1", "", prompt) + line("a2", "a1", answer) +
		line("b3", "a2", prompt) + line("b4", "b3", answer) + line("b5", "b4", answer) + line("b6", "b5", failed) + // left
		line("c7", "a1", answer) + // left
		line("d8", "a2", failed) + line("d9", "d8", prompt) + strings.ReplaceAll(line("e1", "d9", answer), "00:01Z", "00:10Z")
	c, err := format.Parse([]byte(log), msg.Pi)
	require.NoError(t, err)
	require.Len(t, c.Messages, 4)
	s := format.SegmentsOf(c)
	others := s.Others
	require.Empty(t, s.Earlier)
	require.Len(t, others, 5)
	for i, want := range []struct{ line, chain string }{{"4", "3"}, {"5", "3"}, {"6", "3"}, {"7", "7"}, {"8", "8"}} {
		require.Equal(t, "/"+want.line+"/message", others[i].Path)
		require.Equal(t, want.chain, strconv.Itoa(others[i].Chain))
		require.Equal(t, &msg.Usage{Input: 7, Output: 1}, others[i].Usage)
		require.Equal(t, "claude-opus-4-5", others[i].Model)
		require.NotEmpty(t, others[i].Time)
		require.False(t, others[i].Side)
	}
}
