package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/models"
)

func TestBindsThinking(t *testing.T) {
	for model, binds := range map[string]bool{
		"claude-opus-5-5": true, "claude-opus-5": false, "claude-opus-5-20260101": false, "claude-opus-5-5-20260901": true,
		"claude-opus-5-10": true, "claude-opus-6": true, "claude-opus-4-8": false, "claude-fable-5": false,
		"claude-fable-5-1": true,
		"claude-fable-5-2": true, "claude-mythos-5-2": true, "claude-sonnet-5": false, "anthropic/claude-opus-5.5": true,
		"us.anthropic.claude-opus-5-5-20260901-v1:0": true, "claude-3-opus": false, "gpt-5.5": false, "": false,
		"claude-opus-": false,
	} {
		require.Equal(t, binds, models.BindsThinking(model), model)
	}
}

// The versions of each family that bind thinking, at every digit.
func TestBindsThinkingOfLaterVersions(t *testing.T) {
	for model, binds := range map[string]bool{
		"claude-opus-9": true, "claude-opus-5-9": true, "claude-opus-5-4": false, "claude-opus-4-9": false,
		"claude-haiku-5-5": true,
		"claude-haiku-5-4": false, "claude-sonnet-5-5": true, "claude-sonnet-4-9-20260101": false, "claude-fable-5-0": false,
		"claude-mythos-5-1": true, "claude-opus-0": false, "claude-opus-10": true,
	} {
		require.Equal(t, binds, models.BindsThinking(model), model)
	}
}

// Who enforces the binding: every account, or newer ones.
func TestBindingOf(t *testing.T) {
	for model, want := range map[string]models.Binding{
		"claude-fable-5": models.Unbound, "claude-fable-5-1": models.BoundNewer, "claude-fable-5-2": models.BoundAll,
		"claude-max/claude-fable-5.2": models.BoundAll, "claude-mythos-5-1": models.BoundNewer,
		"claude-mythos-5-2": models.BoundAll,
		"claude-fable-6":    models.BoundAll,
		"us.anthropic.claude-opus-5-5-20260901-v1:0": models.BoundNewer, "claude-max/claude-opus-5-5": models.BoundNewer,
		"claude-haiku-5-5": models.BoundNewer, "claude-sonnet-4-6": models.Unbound, "gpt-6.1-sol": models.Unbound,
	} {
		require.Equal(t, want, models.BindingOf(model), model)
		require.Equal(t, want, models.ProfileFor(model, "").Binding, model)
	}
}
