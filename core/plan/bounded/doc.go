// Package bounded is the strategy with bounded sizes, that of the preset balanced: summaries, prompts and the newest
// messages each have a budget, old summaries are condensed, and old prompts become part of summaries
// (docs/algorithms.md, section 12). The strategies of the published designs are in core/plan.
//
// Start with Strategy, which has its steps in a plan and in Apply, and with choose.go for the choice.
//
// It is not a part of the API (see package core).
package bounded
