package quality

import (
	"tamp/core/summarize"
)

// Kind is the kind of a fact.
type Kind string

const (
	Paths       Kind = "paths"
	Identifiers Kind = "identifiers"
	Numbers     Kind = "numbers" // with a unit, and versions; bare numbers are left out
	Hashes      Kind = "hashes"
	URLs        Kind = "urls"
	Errors      Kind = "errors" // error lines of results that failed
	Words       Kind = "words"  // sentences that the user typed
)

// Kinds lists the kinds in the order of a report.
func Kinds() []Kind {
	return []Kind{Words, Errors, Paths, Identifiers, Numbers, Hashes, URLs}
}

// Report lists which facts of the removed part are still present. The counts and the permille are exact; the lists are
// limited to MaxListed.
type Report struct {
	Permille int     `json:"permille"` // kept facts of all facts; 1000 if nothing was removed
	Kept     int     `json:"kept"`
	Lost     int     `json:"lost"`
	Kinds    []Count `json:"kinds"` // every kind that has facts, in the order of Kinds
	// The sentences that the user typed; only if they are requested.
	Statements []Statement `json:"statements,omitempty"`
}

// Count is the report on one kind of facts.
type Count struct {
	Kind      Kind     `json:"kind"`
	Kept      int      `json:"kept"`
	Lost      int      `json:"lost"`
	KeptFacts []string `json:"keptFacts"` // at most MaxListed, in the order of their first occurrence
	LostFacts []string `json:"lostFacts"` // the same
}

// MaxListed is the maximum of facts in a list of a report, since a report is part of every outcome.
const MaxListed = 100

// maxListedLength is the number of code points of a listed fact that are kept, since a URL or an error line may be
// long.
const maxListedLength = 300

// kindOf maps a kind of package extract; ok is false for a bare number.
func kindOf(k summarize.FactKind, text string) (kind Kind, ok bool) {
	switch k {
	case summarize.Path:
		return Paths, true
	case summarize.Identifier:
		return Identifiers, true
	case summarize.Number:
		return Numbers, summarize.HasUnit(text)
	case summarize.Hash:
		return Hashes, true
	case summarize.URL:
		return URLs, true
	}
	return "", false
}
