// Package plan decides what becomes of a conversation: from its view, the policy and the environment to a Plan, which
// is data. It changes nothing and calls no model; core/apply carries a plan out.
//
// Start with New. Draft.Build makes a plan in layers: clearing (clear.go), then summaries (summaries.go), whose regions
// a strategy chooses (choose.go; package bounded, whole.go, tail.go, chunks.go and regions.go have one each), then
// thinking that is bound to changed text (thinking.go). Session is a conversation that grows.
//
// It is not a part of the API (see package core).
package plan
