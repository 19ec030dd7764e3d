package quality

import "tamp/core/extract"

// Kind is what sort of fact a report speaks of.
type Kind string

const (
	Paths       Kind = "paths"
	Identifiers Kind = "identifiers"
	Numbers     Kind = "numbers" // with a unit, and versions; bare numbers are left out
	Hashes      Kind = "hashes"
	URLs        Kind = "urls"
	Errors      Kind = "errors"      // error lines of results that failed
	Constraints Kind = "constraints" // binding sentences of the user
)

// Kinds lists the kinds in the order of a report.
func Kinds() []Kind {
	return []Kind{Constraints, Errors, Paths, Identifiers, Numbers, Hashes, URLs}
}

// Report says which facts of the removed part are still present. The counts and the permille are exact; the lists are
// capped.
type Report struct {
	Permille int     `json:"permille"` // kept facts of all facts; 1000 where nothing was removed
	Kept     int     `json:"kept"`
	Lost     int     `json:"lost"`
	Kinds    []Count `json:"kinds"` // every kind that has facts, in the order of Kinds
}

// Count is the report on one kind of facts.
type Count struct {
	Kind      Kind     `json:"kind"`
	Kept      int      `json:"kept"`
	Lost      int      `json:"lost"`
	KeptFacts []string `json:"keptFacts"` // at most MostListed, in the order in which they first came
	LostFacts []string `json:"lostFacts"` // the same
}

// MostListed is how many facts a list of a report holds. More is nothing that a reader takes in, and a report travels with
// every outcome.
const MostListed = 100

// maxListedLength is the number of code points of a listed fact that are kept, since a URL or an error line may be long.
const maxListedLength = 300

// kindOf maps the kinds of package extract; a bare number has none.
func kindOf(k extract.Kind, text string) (Kind, bool) {
	switch k {
	case extract.Path:
		return Paths, true
	case extract.Identifier:
		return Identifiers, true
	case extract.Number:
		return Numbers, extract.HasUnit(text)
	case extract.Hash:
		return Hashes, true
	case extract.URL:
		return URLs, true
	}
	return "", false
}
