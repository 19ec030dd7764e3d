// Package apply carries a plan out: from a Plan of core/plan and the answers to its requests to an Outcome. It trusts
// neither: the plan is checked first (check.go), and the outcome at the end (verify.go).
//
// Start with Run. It places the summaries (replace.go), takes the failure path for regions without one (failure.go),
// writes the conversation, tells the fate of each block (fates.go) and plans the next step if one is due (next.go).
//
// It is not a part of the API (see package core).
package apply
