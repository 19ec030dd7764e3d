// Command pack writes the packed vocabularies that package bpe reads. It reads the ranks from the Go module
// tiktoken-go-loader.
//
//	make vocab                          # from the root of the repository; writes core/tokens/vocab/*.bin
//	.build/tools/packvocab -o DIR       # writes them elsewhere
//
// The same sources give the same bytes.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"tamp/core/tokens/bpe"
)

func main() {
	out := flag.String("o", "core/tokens/vocab", "folder to write to")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		tokens, err := fromLoader(name)
		if err != nil {
			return err
		}
		file := bpe.Pack(name, 0, tokens)
		v, err := bpe.Load(file)
		if err != nil {
			return err
		}
		path := filepath.Join(out, name+".bin")
		if err := os.WriteFile(path, file, 0o644); err != nil {
			return err
		}
		fmt.Printf("  %s: %d tokens, %d bytes\n", path, v.Len(), len(file))
	}
	return nil
}
