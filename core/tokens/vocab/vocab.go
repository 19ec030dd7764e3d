// Package vocab embeds the packed vocabularies, 2.3 MB in all, for Go programs that count exactly. A program that calls
// only O200k or Cl100k is linked with only that file; Load links both.
//
// NOTICE.md names their authors and licences. The files are written by the program in ./pack (make vocab).
//
// It is not a part of the API (see package core).
package vocab

import (
	_ "embed"
	"errors"

	"tamp/core/tokens/bpe"
)

var (
	//go:embed o200k_base.bin
	o200k string
	//go:embed cl100k_base.bin
	cl100k string
)

// O200k loads o200k_base. Each call decodes the file again (a few milliseconds): keep the result.
func O200k() (*bpe.Vocabulary, error) { return bpe.LoadString(o200k) }

// Cl100k loads cl100k_base, as O200k does.
func Cl100k() (*bpe.Vocabulary, error) { return bpe.LoadString(cl100k) }

// Names lists the names that Load accepts. The caller owns the slice.
func Names() []string { return []string{"o200k_base", "cl100k_base"} }

// Load loads the vocabulary of that name (see Names).
func Load(name string) (*bpe.Vocabulary, error) {
	switch name {
	case "o200k_base":
		return O200k()
	case "cl100k_base":
		return Cl100k()
	}
	return nil, errors.New("cannot load vocabulary: unknown name " + name)
}
