package core_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// TestCorpus runs every preset over every real conversation: what comes out is no worse than what went in, untouched
// messages are the same bytes, and a second application changes nothing.
func TestCorpus(t *testing.T) {
	for _, file := range convtest.Corpus(t, "anthropic", "openai-chat", "claude-code") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			c, err := format.Parse(data, "")
			require.NoError(t, err)
			for _, info := range core.Presets() {
				p := info.Policy
				if info.Name == "clear_thinking" {
					p.Thinking.KeepTurns = 1
				}
				env := core.Env{Force: true}
				plan, out := step(t, c, p, env)
				require.LessOrEqual(t, out.After, out.Before)
				requireUntouched(t, c, plan, out)
				rendered, err := format.Render(out.Conversation)
				require.NoError(t, err)
				again := parse(t, string(rendered))
				require.Equal(t, errorsOf(c), errorsOf(again), "%s makes nothing worse", info.Name)
				second, _ := step(t, again, p, env)
				require.Empty(t, second.Edits, info.Name)
			}
		})
	}
}

// errorsOf counts what a provider would refuse, by rule.
func errorsOf(c *msg.Conversation) map[msg.Rule]int {
	counts := map[msg.Rule]int{}
	for _, p := range msg.Check(c) {
		if p.Severity == msg.SeverityError {
			counts[p.Rule]++
		}
	}
	return counts
}
