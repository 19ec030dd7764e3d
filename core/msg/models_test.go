package msg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

func TestBindsThinking(t *testing.T) {
	for model, binds := range map[string]bool{
		"claude-opus-5-5": true, "claude-opus-5": false, "claude-opus-5-20260101": false, "claude-opus-5-5-20260901": true,
		"claude-opus-5-10": true, "claude-opus-6": true, "claude-opus-4-8": false, "claude-fable-5": false, "claude-fable-5-1": true,
		"claude-fable-5-2": true, "claude-mythos-5-2": true, "claude-sonnet-5": false, "anthropic/claude-opus-5.5": true,
		"us.anthropic.claude-opus-5-5-20260901-v1:0": true, "claude-3-opus": false, "gpt-5.5": false, "": false, "claude-opus-": false,
	} {
		require.Equal(t, binds, msg.BindsThinking(model), model)
	}
}
