package aider_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// A history is written back byte for byte, whatever bytes come in between, and removing messages leaves the others as
// they are. Lines that follow it are read as in one file.
func TestHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := convtest.Conversation(t, msg.Aider)
		for range rapid.IntRange(0, 3).Draw(t, "damages") {
			at := rapid.IntRange(len("# aider chat started at "), len(data)).Draw(t, "at")
			odd := rapid.SampledFrom([]string{"\n", "\n#### ", "\n> ", "\xff", "\r\n", "\n# aider chat started at x\n", "#",
				"> Tokens: k"})
			data = bytes.Join([][]byte{data[:at], data[at:]}, []byte(odd.Draw(t, "odd")))
		}
		c, err := format.Parse(data, "")
		require.NoError(t, err)
		same, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(data), string(same))
		for _, s := range format.SegmentsOf(c).Earlier {
			require.NotEmpty(t, s.Messages)
		}
		summary := msg.TextMessage(msg.User, "A summary\n#### of it\n> all")
		n := rapid.IntRange(0, len(c.Messages)).Draw(t, "summarized")
		out, err := format.Render(c.WithMessages(append([]msg.Message{summary}, c.Messages[n:]...)))
		require.NoError(t, err)
		back, err := format.Parse(out, msg.Aider)
		require.NoError(t, err)
		require.Equal(t, "A summary\n#### of it\n> all", back.Messages[0].Blocks[0].Text)
		_, grown, err := format.Append(c, []byte("\n#### [more]  \n"), "", nil)
		require.NoError(t, err)
		last := grown.Messages[len(grown.Messages)-1]
		require.Equal(t, msg.User, last.Role)
		require.Contains(t, last.Blocks[0].Text, "[more]")
	})
}
