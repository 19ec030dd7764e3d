//go:build !js

package cli

import (
	"tamp/core/tokens/bpe"
	"tamp/core/tokens/vocab"
)

// vocabulary returns a vocabulary of an exact counter, which is in the program; nil for an unknown name.
func vocabulary(name string) *bpe.Vocabulary {
	v, _ := vocab.Load(name)
	return v
}
