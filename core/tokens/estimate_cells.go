package tokens

// Every unit of the walk falls into one cell, and each cell has one weight. The cells of one kind lie together, in the
// order below; the fitting program sees only their numbers.
const (
	maxLetters = 16 // longer words pay for the rest by the letter, so that a hostile word costs what it is long
	heats      = 4  // levels of heat
	maxPunct   = 8  // the same for punctuation
	maxKinds   = 4  // changes from one character to another in a run of punctuation: ==== has none, "}) has two
	maxIndent  = 32 // spaces that are told apart; the vocabulary has a token for every such run
	maxBlank   = 8  // spaces among newlines

	cellWord       = 0
	cellScriptWord = cellWord + 2*leads*shapes*maxLetters*2*heats
	cellRune       = cellScriptWord + units*2*2*maxLetters*2*heats
	cellRest       = cellRune + (scripts-units)*2*4
	cellPunct      = cellRest + shapes + units
	cellPunctRest  = cellPunct + 2*maxPunct*maxKinds*2*2
	cellSpaces     = cellPunctRest + 2
	cellLines      = cellSpaces + maxIndent + 1
	cellEscape     = cellLines + 4*maxBlank
	cellSuffix     = cellEscape + 1
	cellDigits     = cellSuffix + 1
	// Cells is how many there are.
	Cells = cellDigits + 1
)

// The shape of a word of ASCII letters: the split of o200k ends a word before an upper-case letter that follows a
// lower-case one, so these four are all there are.
const (
	shapeLower = iota
	shapeTitle
	shapeCaps
	shapeMixed // several capitals, then lower case: HTTPServer, or chance, as in base64
	shapes
)

// shapeOf is the shape of a word of n letters that begins with so many capitals. No branch: which it is, is hard to foresee.
func shapeOf(capitals, n uint) uint {
	many := (1 - capitals) >> 63
	return capitals&^-many | many*shapeCaps | many&((capitals-n)>>63)
}
