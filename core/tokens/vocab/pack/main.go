// Command pack writes the packed vocabularies that package bpe reads, from what their makers publish: o200k_base and
// cl100k_base from the Go module tiktoken-go-loader, claude from the npm package @anthropic-ai/tokenizer.
//
//	go run ./core/tokens/vocab/pack            # from the root of the repository; writes core/tokens/vocab/*.bin
//	go run ./core/tokens/vocab/pack -o DIR     # writes them elsewhere
//
// The npm package must be installed in web (make does it). The same sources give the same bytes.
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
	npm := flag.String("npm", "web/node_modules", "folder of the npm packages")
	flag.Parse()
	if err := run(*out, *npm); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(out, npm string) error {
	for _, name := range []string{"o200k_base", "cl100k_base", "claude"} {
		file, err := pack(name, npm)
		if err != nil {
			return err
		}
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

func pack(name, npm string) ([]byte, error) {
	if name == "claude" {
		tokens, first, err := fromNpm(filepath.Join(npm, "@anthropic-ai", "tokenizer", "claude.json"))
		return bpe.Pack(name, first, tokens, formTable()), err
	}
	tokens, err := fromLoader(name)
	return bpe.Pack(name, 0, tokens, nil), err
}
