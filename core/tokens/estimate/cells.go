package estimate

// Every unit of the walk belongs to one cell, and each cell has one weight. The cells of one kind are adjacent, in the
// order below; the fitting program sees only their numbers.
const (
	// the rest of a longer word costs by the letter, so that the cost of any word grows with its length
	maxLetters        = 16
	unknownWordLevels = 4  // levels of unknownWordRate
	maxPunct          = 8  // the same limit for punctuation
	maxKinds          = 4  // changes from one character to another in a run of punctuation: ==== has 0, "}) has 2
	maxIndent         = 32 // lengths of runs of spaces; the vocabulary has a token for each of them
	maxBlank          = 8  // spaces among newlines

	cellWord       = 0
	cellScriptWord = cellWord + 2*leads*shapes*maxLetters*2*unknownWordLevels
	cellRune       = cellScriptWord + units*2*2*maxLetters*2*unknownWordLevels
	cellRest       = cellRune + (scripts-units)*2*4
	cellPunct      = cellRest + shapes + units
	cellPunctRest  = cellPunct + 2*maxPunct*maxKinds*2*2
	cellSpaces     = cellPunctRest + 2
	cellLines      = cellSpaces + maxIndent + 1
	cellEscape     = cellLines + 4*maxBlank
	cellSuffix     = cellEscape + 1
	cellDigits     = cellSuffix + 1
	// Cells is the number of cells.
	Cells = cellDigits + 1
)

// The shape of a word of ASCII letters: the split of o200k ends a word before an upper-case letter that follows a
// lower-case one, so there are only these four.
const (
	shapeLower = iota
	shapeTitle
	shapeCaps
	shapeMixed // several capitals, then lower case: HTTPServer, or random, as in base64
	shapes
)

// shapeOf returns the shape of a word of n letters that begins with this number of capitals. It has no branch, since
// the processor could not predict it.
func shapeOf(capitals, n uint) uint {
	many := (1 - capitals) >> 63
	return capitals&^-many | many*shapeCaps | many&((capitals-n)>>63)
}
