package provenance_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/provenance"
)

func TestIsPrompt(t *testing.T) {
	prompt := func(in string) bool { return provenance.IsPrompt(&convtest.FromWords(msg.Anthropic, in).Messages[0]) }
	require.True(t, prompt(`u =hi`))
	require.True(t, prompt(`u ?1 "go"`), "a prompt behind results")
	require.True(t, prompt(`u img`))
	require.False(t, prompt(`u ?1`))
	require.False(t, prompt(`a =hi`))
	require.False(t, prompt(`u`))
	require.False(t, prompt(`u "<system-reminder>x</system-reminder>"`), "the user did not type it")
	meta := convtest.FromWords(msg.Anthropic, `u =hi`)
	meta.Messages[0].Meta = true
	require.False(t, provenance.IsPrompt(&meta.Messages[0]), "injected by the agent")
}
