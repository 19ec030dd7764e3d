// Package texts collects the texts that the estimate is fitted to and tested on, and counts them exactly. Only the
// fitting program and tests import it.
//
// It is not a part of the API (see package core).
package texts

// Text is one document of a class.
type Text struct {
	Class, Name, Body string
	Held              bool // kept out of the fit, for tests
	Shown             bool // in the published table of errors
}

// All returns the texts in this repository, the generated ones, those of the machine, and the corpus under dir.
func All(dir string) ([]Text, error) {
	list, err := Corpus(dir)
	if err != nil {
		return nil, err
	}
	own, err := Own()
	if err != nil {
		return nil, err
	}
	list = append(list, own...)
	list = append(list, Machine()...)
	for seed := range uint64(6) {
		list = append(list, Generated(seed)...)
	}
	return list, nil
}
