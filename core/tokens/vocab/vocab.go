// Package vocab holds the packed vocabularies, for Go programs that count exactly: 2.3 MB in all. A program that calls only one of
// the functions named like a vocabulary is linked with only that file; Load links both.
//
// NOTICE.md says whose work they are. The files are written by the program in ./pack (make vocab).
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

// O200k loads o200k_base. Like the others it reads the file anew at each call (a few milliseconds): keep the result.
func O200k() (*bpe.Vocabulary, error) { return bpe.LoadString(o200k) }

// Cl100k loads cl100k_base.
func Cl100k() (*bpe.Vocabulary, error) { return bpe.LoadString(cl100k) }

// Names lists the names that Load knows. The caller owns the slice.
func Names() []string { return []string{"o200k_base", "cl100k_base"} }

// Load loads the vocabulary of that name (see Names).
func Load(name string) (*bpe.Vocabulary, error) {
	switch name {
	case "o200k_base":
		return O200k()
	case "cl100k_base":
		return Cl100k()
	}
	return nil, errors.New("cannot load vocabulary: there is none called " + name)
}
