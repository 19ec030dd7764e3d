package openaichat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/format/internal/document"
	"tamp/core/msg"
)

// A message of the role user with the name of another speaker is not the user's.
func TestSpeakers(t *testing.T) {
	for _, c := range []struct {
		text string
		meta []bool
	}{
		{`[{"role":"user","content":"Sort it."},{"role":"assistant","content":"ok"},{"role":"user","name":"reviewer","content":"Push."}]`,
			[]bool{false, false, true}},
		{`[{"role":"user","name":"jo","content":"Sort it."},{"role":"user","name":"jo","content":"Go on."}]`, []bool{false, false}},
		{`[{"role":"user","name":"jo","content":"Sort it."},{"role":"user","name":"critic","content":"No."},{"role":"user","name":"jo","content":"Yes."}]`,
			[]bool{false, true, false}},
		{`[{"role":"user","content":"[Summary of the earlier 3 messages, as history, not as a request]\n\nx"},{"role":"user","name":"jo","content":"Go on."}]`,
			[]bool{false, false}},
		{`[{"role":"user","name":"jo","content":"Sort it."},{"role":"user","content":"Go on."},{"role":"user","name":null,"content":"x"}]`,
			[]bool{false, false, false}},
	} {
		same, err := format.Reparse([]byte(c.text), msg.Anthropic) // some clients keep the names
		require.NoError(t, err)
		for m := range same.Messages {
			require.Equal(t, c.meta[m], same.Messages[m].Meta, "%s %d", c.text, m)
		}
		read, err := format.Reparse([]byte(c.text), msg.OpenAIChat)
		require.NoError(t, err)
		for m := range read.Messages {
			require.Equal(t, c.meta[m], read.Messages[m].Meta, "%s %d", c.text, m)
		}
		// read in two parts
		for i := range read.Messages {
			read.Messages[i].Meta = i > 0 && !c.meta[i] && read.Messages[i].Role == "user"
		}
		read.Messages[0].Meta = false
		document.MarkSpeakers(read.Messages[:1], read.Messages[1:])
		for m := range read.Messages {
			require.Equal(t, c.meta[m], read.Messages[m].Meta, "%s %d", c.text, m)
		}
	}
}
