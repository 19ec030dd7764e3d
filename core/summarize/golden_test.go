package summarize_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// TestGolden summarizes the sessions of testdata. Each file opens with prose that lists the facts which the summary
// must contain. Every section "summary N [focus]" is the summary within N tokens.
func TestGolden(t *testing.T) {
	convtest.Golden(t, "*.txtar", func(t *testing.T, s *convtest.Scenario) {
		names := s.Names()
		c, err := format.Parse(s.Section(names[0]), "")
		require.NoError(t, err)
		if first := &c.Messages[0].Blocks[0]; strings.HasPrefix(first.Text, "[compacted summary of ") {
			first.Summary = true
		}
		for _, name := range names[1:] {
			o := summarize.Options{Counter: tokens.Chars4}
			words := strings.SplitN(name, " ", 3)
			require.Equal(t, "summary", words[0])
			require.NoError(t, json.Unmarshal([]byte(words[1]), &o.MaxTokens))
			if len(words) > 2 {
				o.Focus = words[2]
			}
			text := summarize.Summarize(c, msg.Span{Start: 0, End: len(c.Messages)}, o)
			require.LessOrEqual(t, tokens.Chars4.Count(text), o.MaxTokens)
			s.Want(name, []byte(text+"\n"))
		}
	})
}
