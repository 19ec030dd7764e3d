package tokens

import (
	"tamp/core/tokens/estimate"
)

// Counter counts the tokens of one text. Count is pure, takes any bytes (invalid UTF-8 too), never panics, and costs
// time linear in the length of text. Name is the name of the counter in a policy or a request.
type Counter interface {
	Name() string
	Count(text string) int
}

type estimator string

// Estimate is the default counter: within a few percent of o200k_base on the texts of agent sessions, and above it
// rather than below. It has no vocabulary, only weights and a 16 KB Bloom filter of the most common words.
const Estimate = estimator("estimate")

func (e estimator) Name() string { return string(e) }

func (e estimator) Count(text string) int { return estimate.Count(text) }

var (
	_ Counter = Chars4
	_ Counter = CJK
	_ Counter = Estimate
)

// Lookup returns the counter of that name (see Names), and false for an unknown name.
func Lookup(name string) (Counter, bool) {
	switch name {
	case Estimate.Name():
		return Estimate, true
	case Chars4.Name():
		return Chars4, true
	case Chars3.Name():
		return Chars3, true
	case CJK.Name():
		return CJK, true
	}
	return nil, false
}

// Names lists the names that Lookup accepts, the default first. The caller owns the slice.
func Names() []string {
	return []string{Estimate.Name(), Chars4.Name(), Chars3.Name(), CJK.Name()}
}
