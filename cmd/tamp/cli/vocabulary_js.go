package cli

import (
	"os"
	"path/filepath"

	"tamp/core/tokens/bpe"
)

// vocabulary returns a vocabulary of an exact counter, of which the npm package has a file next to the program; nil for
// an unknown name.
func vocabulary(name string) *bpe.Vocabulary {
	file, _ := os.ReadFile(filepath.Join(filepath.Dir(os.Args[0]), "vocab", name+".bin"))
	v, _ := bpe.Load(file)
	return v
}
