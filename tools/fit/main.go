// Command fit writes the weights of tokens.Estimate: it adds the most common words of the public vocabulary to the
// Bloom filter, walks the texts of package texts, and gives every cell the mean number of o200k_base tokens of its
// units.
//
//	make fit            # writes core/tokens/estimate/weights.go
//	.build/tools/fit -n # from the root of the repository: only prints the table of errors
//
// The conversations are read from TAMP_CORPUS (default ../shared/data). Every second document is held out; the
// table shows both halves.
package main

import (
	"flag"
	"fmt"
	"os"

	"tamp/core/internal/convtest/texts"
	"tamp/core/tokens/estimate"
)

func main() {
	dry := flag.Bool("n", false, "write nothing")
	out := flag.String("o", "core/tokens/estimate/weights.go", "file to write")
	each := flag.Bool("v", false, "one line for each held-out conversation")
	flag.Parse()
	if err := run(*out, *dry, *each); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(out string, dry, each bool) error {
	list, err := texts.All(texts.CorpusDir("."))
	if err != nil {
		return err
	}
	vocabulary, err := texts.Vocabulary()
	if err != nil {
		return err
	}
	model := new(estimate.Model)
	if err := fillFilter(model, vocabulary, list); err != nil {
		return err
	}
	if err := learn(model, list); err != nil {
		return err
	}
	if err := table(model, list, each); err != nil {
		return err
	}
	if dry {
		return nil
	}
	return write(out, model)
}
