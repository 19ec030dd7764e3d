package quality_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/quality"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// The extractive summary of a whole session at a fifth of its tokens keeps three of five facts on average.
func TestFactsAtAFifth(t *testing.T) {
	sum, n := 0, 0
	for _, file := range convtest.Corpus(t, "anthropic") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := format.Parse(data, "")
		if err != nil || len(c.Messages) < 20 {
			continue
		}
		total := tokens.NewMeter(tokens.Estimate, c).Conversation(c).Total
		text := summarize.Summarize(c, msg.Span{Start: 0, End: len(c.Messages)},
			summarize.Options{Counter: tokens.Estimate, MaxTokens: total / 5})
		r := quality.Compare(c, c.WithMessages([]msg.Message{msg.TextMessage(msg.User, text)}))
		t.Log(filepath.Base(file), "tokens", total, "summary", tokens.Estimate.Count(text), "permille", r.Permille)
		sum += r.Permille
		n++
	}
	if n > 0 {
		t.Log("mean permille", sum/n)
		require.GreaterOrEqual(t, sum/n, 600) // three fifths of all facts in a fifth of the tokens
	}
}
