package summarize

// The summary is chosen from units: a sentence, a line of a file, a changed line, a name. Units about the same file,
// command or message form a group and are written below its head.

// part is the kind of a unit, which sets its section and its order within the group.
type part uint8

const (
	partHead part = iota
	partSaid
	partChange
	partDeclaration
	partLine
	partName
	partError
	partTodo
	partNow
	partDropped // a bare name that a unit taken later contains, or an error that is gone
)

type unit struct {
	text   string
	group  int32
	part   part
	tries  uint8
	gap    bool  // the sentence before it is no unit
	opens  bool  // the first of its line
	lo, hi int32 // its atoms, in draft.pool
	number int32 // line number in a file; 0 for none
	base   int32 // worth in addition to its atoms
	turn   int32
}

// lineNumber reads the number at the start of a line, before a colon; 0 if there is none.
func lineNumber(text string) int32 {
	n := int32(0)
	for i := 0; i < len(text) && i < 8; i++ {
		switch {
		case isDigit(text[i]):
			n = n*10 + int32(text[i]-'0')
		case i > 0 && text[i] == ':':
			return n
		default:
			return 0
		}
	}
	return 0
}

// rank is the order of a unit in its group. All units with a line number form one listing.
func (u *unit) rank() int {
	if u.number > 0 {
		return int(partDeclaration)
	}
	return int(u.part)
}

// approxTokens estimates the tokens of a text, for ranking only.
func approxTokens(s string) int {
	wide := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= 0xE0 {
			wide++
		}
	}
	return (len(s)-3*wide)*10/34 + wide + 2
}

// markupTokens estimates the tokens of the list marks and labels around a unit.
func markupTokens(p part) int {
	switch p {
	case partName:
		return 1
	case partSaid, partError:
		return 5
	}
	return 2
}
