package tokens

// A byte's class decides which part of the walk handles what starts there. Letters come first, so that
// "class <= upper" asks for an ASCII letter.
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

// What stands before the first letter of a word and belongs to its piece. The split of o200k glues one character that
// is not a letter, a digit or a newline to the word after it; whether the vocabulary then has a token for both together
// depends on the character, so the characters are grouped by how often it has.
const (
	leadNone = iota // a letter
	leadSpace
	leadTab
	leadDot   // . _ /: often one token with the word
	leadParen // ( - $ < etc.: sometimes
	leadOther // the rest: seldom
	leads
	leadQuote = iota - 1 // an apostrophe: the same, but where it contracts
	leadSlash            // a backslash: the same, but where it escapes
	leadNever            // a digit, a newline, a byte beyond ASCII: no word has it before it
)

// isEscape tells whether a letter after a backslash stands, as in JSON, for white space.
func isEscape(c byte) bool { return c == 'n' || c == 't' || c == 'r' }

// class and lead are indexed by byte. Nothing writes to them.
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
