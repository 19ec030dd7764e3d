// Package texts gathers the texts that the estimate is fitted to and tested on, and counts them exactly. Only the
// fitting program and tests import it.
package texts

// Text is one document of a class.
type Text struct {
	Class, Name, Body string
	Held              bool // kept out of the fit, so that a test on it is honest
	Shown             bool // in the table of errors that is published beside other counters'
}

// All gathers every text there is: those checked in, those generated, those of the machine, and the corpus under dir.
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
