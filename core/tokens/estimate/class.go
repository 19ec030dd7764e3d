package estimate

// The class of a byte decides which part of the walk weighs the unit that starts there. Letters come first, so that
// "class <= upper" tests for an ASCII letter.
const (
	lower = iota
	upper
	digit
	space
	tab
	newline // also carriage return, vertical tab and form feed
	punct   // also the other control characters: o200k splits them as it splits punctuation
	high    // a byte of a rune beyond ASCII, or of invalid UTF-8
)

// The lead is the character before the first letter of a word, if it belongs to the same piece. The split of o200k
// joins one character that is not a letter, a digit or a newline with the word after it. Whether the vocabulary has a
// token for both depends on the character, so characters are grouped by how often it has one.
const (
	leadNone = iota // a letter
	leadSpace
	leadTab
	leadDot   // . _ /: often one token with the word
	leadParen // ( - $ < etc.: sometimes
	leadOther // the rest: seldom
	leads
	leadQuote = iota - 1 // an apostrophe: as leadOther, except in a contraction
	leadSlash            // a backslash: as leadOther, except in an escape
	leadNever            // a digit, a newline, a byte beyond ASCII: never the lead of a word
)

// isEscape reports whether a backslash and this letter are an escape of white space, as in JSON.
func isEscape(c byte) bool { return c == 'n' || c == 't' || c == 'r' }

// class and lead are indexed by byte. They are read-only.
var class = [256]uint8{
	6, 6, 6, 6, 6, 6, 6, 6, 6, 4, 5, 5, 5, 5, 6, 6,
	6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
	3, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
	2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 6, 6, 6, 6, 6, 6,
	6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 6, 6, 6, 6, 6,
	6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 6, 6, 6, 6,
	7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
	7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
	7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
	7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
	7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
	7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
	7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
	7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
}

var leadOf = [256]uint8{
	5, 5, 5, 5, 5, 5, 5, 5, 5, 2, 8, 8, 8, 8, 5, 5,
	5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
	1, 5, 5, 5, 4, 5, 5, 6, 4, 5, 5, 5, 5, 4, 3, 3,
	8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 5, 5, 4, 5, 5, 5,
	5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 7, 5, 5, 3,
	5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 5, 5, 5,
	8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
	8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
	8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
	8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
	8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
	8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
	8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
	8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
}
