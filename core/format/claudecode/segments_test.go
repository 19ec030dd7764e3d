package claudecode_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format/claudecode"
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

const used = `,"usage":{"input_tokens":7,"cache_creation_input_tokens":9,"cache_creation":{"ephemeral_1h_input_tokens":4},"output_tokens":1}`

// billed is an answer with usage.
func billed(id, text string) string {
	return `{"id":"` + id + `","role":"assistant","content":[{"type":"text","text":"` + text + `"}]` + used + `}`
}

func ids(messages []msg.Message) string {
	var all []string
	for i := range messages {
		all = append(all, messages[i].ID)
	}
	return strings.Join(all, " ")
}

func TestSegments(t *testing.T) {
	summary := `"isCompactSummary":true`
	lines := []string{
		entry("a", "", "user", user("1")), entry("b", "a", "assistant", billed("m1", "2")),
		entry("x", "b", "assistant", billed("side", "of a subagent"), `"isSidechain":true`),
		entry("c", "b", "user", user("3")), entry("y", "c", "assistant", billed("left", "a branch")),
		entry("d", "c", "assistant", billed("m2", "4")),
		entry("e", "", "system", "", boundary), entry("f", "e", "user", user("first summary"), summary),
		entry("g", "f", "assistant", billed("m3", "5")),
		entry("h", "", "system", "", boundary), entry("i", "h", "user", user("second summary"), summary),
		entry("j", "i", "assistant", billed("m4", "6")), entry("k", "j", "user", user("7")),
	}
	c, err := claudecode.Parse([]byte(strings.Join(lines, "\n")))
	require.NoError(t, err)
	require.Equal(t, &msg.Usage{Input: 7, CacheWrite: 9, CacheWrite1h: 4, Output: 1}, c.Messages[1].Usage)
	parts := claudecode.Segments(c)
	earlier, others := parts.Earlier, parts.Others
	require.False(t, parts.Unread)
	require.Len(t, earlier, 2)
	require.Equal(t, " m1  m2", ids(earlier[0].Messages))
	require.Equal(t, " m3", ids(earlier[1].Messages))
	require.Equal(t, "side left", ids(messages(others)))
	require.Equal(t, []int{2, 3}, []int{others[0].Chain, others[1].Chain}, "the lines that they begin with")
	require.Equal(t, []bool{true, false}, []bool{others[0].Side, others[1].Side})
	require.Equal(t, " m4 ", ids(c.Messages))
	for i, s := range earlier {
		out, err := claudecode.Render(s)
		require.NoError(t, err)
		require.Equal(t, strings.Join(lines[:[]int{6, 9}[i]], "\n")+"\n", string(out), "the log as it was before the compaction")
	}

	c, err = claudecode.Parse([]byte(strings.Join(lines[:4], "\n")))
	require.NoError(t, err)
	parts = claudecode.Segments(c)
	require.Empty(t, parts.Earlier)
	require.Equal(t, "side", ids(messages(parts.Others)))
}

// Of a log with more compactions than the limit the newest segments are read.
func TestManySegments(t *testing.T) {
	var lines []string
	for range 100 {
		lines = append(lines, entry("e"+strconv.Itoa(len(lines)), "", "system", "", boundary))
		lines = append(lines, entry("u"+strconv.Itoa(len(lines)), "e"+strconv.Itoa(len(lines)-1), "user", user("go on")))
	}
	c, err := claudecode.Parse([]byte(strings.Join(lines, "\n")))
	require.NoError(t, err)
	parts := claudecode.Segments(c)
	require.Len(t, parts.Earlier, 64)
	require.True(t, parts.Unread)
}

// The answers with usage of a real log are each in a segment or apart, once.
func TestSegmentsOfRealLogs(t *testing.T) {
	for _, file := range convtest.Corpus(t, "claude-code") {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := claudecode.Parse(data)
		require.NoError(t, err)
		parts := claudecode.Segments(c)
		earlier, others := parts.Earlier, parts.Others
		want := map[string]bool{}
		for _, line := range strings.Split(string(data), "\n") {
			if msg.Validate(rawjson.Value(line)) != nil {
				continue
			}
			raw := rawjson.Value(line)
			message := raw.Member("message")
			usage := message.Member("usage")
			if usage.Kind() == '{' && string(usage.Member("output_tokens")) != "0" && raw.Member("type").Text() == "assistant" &&
				message.Member("model").Text() != "<synthetic>" && !raw.Member("isApiErrorMessage").IsTrue() {
				want[message.Member("id").Text()] = true
			}
		}
		have := map[string]bool{}
		note := func(messages []msg.Message) {
			for i := range messages {
				if want[messages[i].ID] {
					have[messages[i].ID] = true
				}
			}
		}
		for _, s := range append(earlier, c) {
			note(s.Messages)
		}
		for i := range others {
			require.False(t, have[others[i].ID], "%s: %s", file, others[i].ID)
		}
		note(messages(others))
		require.Equal(t, want, have, file)
	}
}

func messages(others []jsonl.Other) []msg.Message {
	var all []msg.Message
	for i := range others {
		all = append(all, others[i].Message)
	}
	return all
}
