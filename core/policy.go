package core

import "tamp/core/internal/pass"

// Policy says what to keep and what to give up. Every value has a default: that of its preset. Start with Preset, change
// what you mean to change, and call Validate, or let ParsePolicy do all three.
type Policy struct {
	Preset   string   `json:"preset"` // the preset that it began as
	Clear    Clear    `json:"clear"`
	Thinking Thinking `json:"thinking"`
}

// Clear says which old tool results become placeholders (layer 1, no model).
type Clear = pass.Clear

// Thinking says which old thinking blocks go (layer 1, no model).
type Thinking = pass.Thinking

// DefaultPreset is the preset of a host that names none.
const DefaultPreset = "harness"
