package extract

import "strings"

// focus is what somebody asked to preserve, in their own words.
type focus struct {
	words []string        // in lower case
	atoms map[string]bool // the names in it
}

const (
	mostFocus    = 24  // words; a focus is a sentence or two
	worthFocused = 400 // beside what the unit is worth by itself
)

func readFocus(text string) focus {
	var f focus
	if text == "" {
		return f
	}
	f.atoms = map[string]bool{}
	Atoms(clip(text, 2000), func(_ Kind, s string) { f.atoms[s] = true })
	for _, w := range strings.FieldsFunc(strings.ToLower(clip(text, 2000)), func(r rune) bool {
		return r < 0x80 && !nameByte(byte(r)) || r >= 0x3000 && r < 0x3040 || r >= 0xFF00
	}) {
		if len(w) >= 4 && !common[w] && len(f.words) < mostFocus {
			f.words = append(f.words, w)
		}
	}
	return f
}

// common words say nothing about what to preserve.
var common = map[string]bool{"about": true, "above": true, "after": true, "also": true, "before": true, "could": true, "does": true, "everything": true,
	"from": true, "have": true, "into": true, "keep": true, "make": true, "must": true, "only": true, "other": true, "please": true,
	"preserve": true, "remember": true, "should": true, "some": true, "that": true, "their": true, "them": true, "then": true, "there": true,
	"these": true, "they": true, "this": true, "what": true, "when": true, "where": true, "which": true, "will": true, "with": true,
	"would": true, "your": true, "details": true, "information": true}

// hits reports a text that speaks of the focus.
func (f *focus) hits(text string) bool {
	if len(f.words) == 0 {
		return false
	}
	return hasAny(strings.ToLower(text), f.words)
}
