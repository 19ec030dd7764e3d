// Package provenance tells who wrote the text of a user-role message, and which of the user's sentences bind the agent.
//
// Clients put text of their own into user-role messages: tool results as text, reminders, the state of the editor,
// summaries of earlier sessions. [Split] separates it from the user's words with one table of known texts (table.go).
// [Constraints] reads the user's words for rules, goals, preferences and facts; [Latest] drops those that a later
// statement replaces or revokes. The package knows nothing of formats: start with [Spans] for a block of a message, and
// with Split for a text.
//
// The two rules of the package:
//
//   - A text is only an instruction of the user if its author is User. Text whose author is uncertain is [Unknown]: it
//     is never quoted as an instruction, since a wrong guess there would turn text of a tool into an order of the user.
//     A wrong guess in the other direction costs one quote; the text itself is still in the conversation or its
//     archive.
//   - A text is only removed as program text if all of it is certainly [Program] ([Whole]): Unknown text is kept as a
//     prompt is.
//
// It is not a part of the API (see package core).
package provenance

// Author is the writer of a part of a user-role message.
type Author uint8

const (
	User    Author = iota // typed by the user, or not known to be anything else
	Program               // inserted by a client: handle it as tool output
	// has a mark of inserted text, but also reads like the user: no instruction, and not removed alone
	Unknown
)

// Span is the part [Start, End) of a text, in bytes, with its author.
type Span struct {
	Author     Author
	Start, End int
}

// Kind is the class of a statement. A lower value is worth more: if room is short, drop the higher kinds first.
type Kind uint8

const (
	Rule       Kind = iota // binds the agent: must, never, do not, only, always
	Goal                   // the outcome that the user asks for, as a labelled statement ("GOAL: …")
	Preference             // prefer, want, rather, ideally
	Fact                   // a labelled statement ("FACT: …")
)

// Constraint is one statement of the user that binds the agent or informs it, word for word.
type Constraint struct {
	Kind Kind
	Text string // the sentence, without the marks of lists and quotes

	// Subject is a key of the words that name the topic: lower case, sorted, without numbers, modal words and words of
	// grammar. Value is a key of the numbers, versions and quoted or assigned values. Statements with the same Subject
	// and another Value are updates of each other. Both are for comparison only.
	Subject, Value string

	// Revokes is true for a statement that lifts earlier rules about its subject: "forget the rule about …", "you may
	// push to main again".
	Revokes bool
}
