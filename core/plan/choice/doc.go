// Package choice has what all strategies share: Region with its budgets, the Limits that a strategy keeps to, its
// Selection, and the steps of a Strategy in a plan and its Apply. The strategies themselves are in core/plan, and the
// one with bounded sizes in core/plan/bounded.
//
// Start with Strategy.
//
// It is not a part of the API (see package core).
package choice
