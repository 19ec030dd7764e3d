package summarize

import (
	"slices"
	"strings"
)

// focus is the text that the caller asked to preserve, split into words and atoms.
type focus struct {
	words []string        // in lower case
	atoms map[string]bool // the atoms in it
}

const (
	maxFocusWords = 24  // words; a focus is one or two sentences
	worthFocused  = 400 // added to the worth of a unit or an atom that matches
)

func readFocus(text string) focus {
	var f focus
	f.atoms = map[string]bool{}
	Atoms(clipAtSpace(text, 2000), func(_ FactKind, s string) { f.atoms[s] = true })
	for _, w := range strings.FieldsFunc(strings.ToLower(clipAtSpace(text, 2000)), func(r rune) bool {
		return r < 0x80 && !nameByte(byte(r)) || r >= 0x3000 && r < 0x3040 || r >= 0xFF00
	}) {
		if len(w) >= 4 && !stopWords[w] && len(f.words) < maxFocusWords {
			f.words = append(f.words, w)
		}
	}
	return f
}

// stopWords lists the stop words: they do not describe what to preserve.
var stopWords = map[string]bool{"about": true, "above": true, "after": true, "also": true, "before": true,
	"could": true,
	"does":  true, "everything": true, "from": true, "have": true, "into": true, "keep": true, "make": true, "must": true,
	"only": true, "other": true, "please": true,
	"preserve": true, "remember": true, "should": true, "some": true, "that": true, "their": true, "them": true,
	"then": true, "there": true,
	"these": true, "they": true, "this": true, "what": true, "when": true, "where": true, "which": true, "will": true,
	"with":  true,
	"would": true, "your": true, "details": true, "information": true}

// matches reports a text that contains a word of the focus.
func (f *focus) matches(text string) bool {
	if len(f.words) == 0 {
		return false
	}
	low := strings.ToLower(text)
	return slices.ContainsFunc(f.words, func(word string) bool { return strings.Contains(low, word) })
}
