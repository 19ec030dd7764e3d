// Package provenance tells which text of a user-role message the user typed, and which a program inserted.
//
// Clients put text of their own into user-role messages: tool results as text, reminders, the state of the editor,
// summaries of earlier sessions. [Split] separates it from the user's words by its structure alone, with one table of
// known forms (table.go). Nothing here reads what a sentence means. The package knows nothing of formats: start with
// [Spans] for a block of a message, and with Split for a text.
//
// A text is [Program] only if its form is in the table. All else is the user's, pasted text included: it is part of the
// prompt in which it was pasted.
//
// It is not a part of the API (see package core).
package provenance

// Author is the writer of a part of a user-role message.
type Author uint8

const (
	User    Author = iota // typed or pasted by the user, or not known to be anything else
	Program               // inserted by a client: handle it as tool output
)

// Span is the part [Start, End) of a text, in bytes, with its author.
type Span struct {
	Author     Author
	Start, End int
}
