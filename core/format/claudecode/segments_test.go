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
