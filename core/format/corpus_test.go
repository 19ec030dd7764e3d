package format_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// Every real conversation comes back byte for byte, and what no codec reads is refused with a reason.
func TestCorpusRoundTrip(t *testing.T) {
	dir := convtest.NeedCorpus(t)
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.json*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	more, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "more", "*", "*.json*"))
	require.NoError(t, err)
	files = append(files, more...)
	for _, file := range files {
		folder := filepath.Base(filepath.Dir(file))
		if folder == "usage" || folder == "texts" {
			continue
		}
		t.Run(folder+"/"+filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			c, err := format.Parse(data, "")
			switch {
			case slices.Contains(format.Names(), folder):
				require.NoError(t, err)
				if c.Format != folder && !format.FormatIsCertain(c) { // text alone has the same shape in several formats
					c, err = format.Parse(data, folder)
					require.NoError(t, err)
				}
				require.Equal(t, folder, c.Format)
				for _, w := range c.Warnings {
					t.Log(w.Code, w.Path, w.Message)
				}
				out, err := format.Render(c)
				require.NoError(t, err)
				require.True(t, string(data) == string(out), "not the same bytes")
				t.Log(len(c.Messages))
			default:
				require.Error(t, err)
				require.Equal(t, msg.UnknownFormat, err.(*msg.Error).Code)
				t.Log(err)
			}
		})
	}
}

// Some sessions are there twice: as the log, and as a body that another program rebuilt from it. Both give the same
// conversation.
func TestCorpusLogIsItsBody(t *testing.T) {
	dir := convtest.NeedCorpus(t)
	logs, err := filepath.Glob(filepath.Join(dir, msg.ClaudeCode, "*.jsonl"))
	require.NoError(t, err)
	compared := 0
	for _, file := range logs {
		name := filepath.Base(file)
		body, err := os.ReadFile(filepath.Join(dir, msg.Anthropic, name[:len(name)-1]))
		if err != nil {
			continue
		}
		compared++
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			fromLog, err := format.Parse(data, "")
			require.NoError(t, err)
			fromBody, err := format.Parse(body, "")
			require.NoError(t, err)
			want, got := story(t, fromBody), story(t, fromLog)
			for i := range min(len(want), len(got)) {
				require.True(t, want[i] == got[i], "line %d of the story: want %.80q, got %.80q", i, want[i], got[i])
			}
			require.Len(t, got, len(want))
		})
	}
	require.NotZero(t, compared)
}

// story returns the content of a conversation without positions.
func story(t *testing.T, c *msg.Conversation) []string {
	var out []string
	for i := range c.Messages {
		if line, ok := format.Line(c, lineOf(c.Messages[i].Path)); ok {
			switch line.Member("attachment").Member("type").Text() {
			case "", "queued_command", "file", "nested_memory", "edited_text_file", "plan_file_reference":
			default:
				continue // the rebuilt body does not have it
			}
		}
		out = append(out, "message "+string(c.Messages[i].Role))
		for _, b := range c.Messages[i].Blocks {
			text := b.Text
			if b.Kind == msg.KindToolUse { // the rebuilt body has other white space in the input
				var input any
				require.NoError(t, json.Unmarshal([]byte(text), &input))
				same, err := json.Marshal(input)
				require.NoError(t, err)
				text = string(same)
			}
			out = append(out, string(b.Kind)+" "+b.ID+" "+b.Name+" "+text)
		}
	}
	return out
}

// lineOf returns the line that a path begins with.
func lineOf(path string) int {
	n, _ := strconv.Atoi(strings.Split(path+"/", "/")[1])
	return n
}
