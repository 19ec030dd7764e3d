//go:build agents && !js

package gateway_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	boundRounds = 60
	oneRounds   = 40
	// claudeWindow leaves Claude Code as much room as agentWindow leaves the others: its own prompt and tools are large.
	claudeWindow = 56_000
)

func windowOf(c *client) int {
	if strings.HasPrefix(c.name, claudeName) && !strings.HasSuffix(c.name, oneTool) {
		return claudeWindow
	}
	return agentWindow
}

// TestShortAgents is the part of the tests of agents that `.ci/run` has time for: two clients and a model that binds
// thinking, to the end of a session that is longer than the window, on each platform.
func TestShortAgents(t *testing.T) {
	for _, c := range []*client{pi.with(boundModel), claudeCode.with(boundModel)} {
		for _, at := range []place{native, workerd} {
			t.Run(c.name+", "+at.name, func(t *testing.T) {
				l := newLine(t, c, oneRounds, windowOf(c))
				l.through(t, at, 1, policyOf(l.window))
				through := c.finishes(t, l, oneRounds)
				t.Log(through)
				require.Positive(t, through.thinking)
				l.stateless(t)
			})
		}
	}
}

// The clients with models that bind thinking, which think in each round: each works to the end of the task in a window
// that is too small for it, and no request is refused. MODELS=all takes all kinds of such models. One model that does
// not bind thinking shows that it loses nothing.
func TestAgentsBoundThinking(t *testing.T) {
	for _, c := range []client{claudeCode, claudeCodeVertex, claudeCodeBedrock, pi, copilot, qwen, openCodeMessages,
		codex, codexPrograms} {
		t.Run(c.name, func(t *testing.T) {
			models := []string{boundModel, c.model}
			if c.name == claudeCodeBedrock.name { // it takes Opus 4.5 by the platform's own name only
				models[1] = "us.anthropic.claude-opus-4-5-20251101-v1:0"
			}
			if c.name == codexPrograms.name {
				models = []string{c.model}
			} else if c.api != "anthropic" {
				models = []string{"gpt-6.1", c.model}
			} else if os.Getenv("MODELS") == "all" {
				models = append(models, "claude-sonnet-5-5", "claude-fable-5-2")
			}
			for _, model := range models {
				t.Run(model, func(t *testing.T) {
					require.Positive(t, c.with(model).holdsWindow(t), "else the run shows nothing")
				})
			}
		})
	}
}

// Kimi Code with its four APIs, Grok CLI with its three.
func TestAgentsManyAPIs(t *testing.T) {
	for _, c := range manyAPIs {
		t.Run(c.name, func(t *testing.T) { c.holdsWindow(t) })
	}
}

// holdsWindow runs the client without a window, without the gateway, and through it. It returns the number of thinking
// blocks that the model sees without a window.
func (c *client) holdsWindow(t *testing.T) int {
	l := newLine(t, c, boundRounds, 0)
	require.Contains(t, c.run(t, l.front.URL).out, lastAnswer)
	whole := l.figures(c, boundRounds)
	t.Log("no window:", whole)
	require.Zero(t, whole.refused)
	require.Greater(t, whole.largest, windowOf(c), "else the run shows nothing")
	for _, at := range []place{native, workerd} {
		t.Run(at.name, func(t *testing.T) {
			l := newLine(t, c, boundRounds, windowOf(c))
			l.through(t, at, 1, policyOf(l.window))
			through := c.finishes(t, l, boundRounds)
			t.Logf("thinking kept: %d ‰", 1000*through.thinking/max(whole.thinking, 1))
			require.Zero(t, through.dropped, "the gateway removes it before the provider does")
			require.Less(t, through.cost, whole.cost)
			l.stateless(t)
		})
	}
	return whole.thinking
}
