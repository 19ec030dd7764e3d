// Package view is a conversation as plans see it: with its summaries marked, its calls paired, its tokens counted, and
// the State decoded. It also has Rewrite, which writes a conversation with changes. It decides nothing: what changes is
// planned in core/plan, and carried out in core/apply.
//
// Start with New.
//
// It is not a part of the API (see package core).
package view
