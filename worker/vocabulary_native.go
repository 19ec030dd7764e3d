//go:build !js

package worker

import (
	"sync"

	"tamp/core/tokens/bpe"
	"tamp/core/tokens/vocab"
)

var loaded sync.Map // name -> func() *bpe.Vocabulary

// vocabulary returns a vocabulary that is linked into the program, loaded at its first use; nil for an unknown name.
func vocabulary(name string) *bpe.Vocabulary {
	load, _ := loaded.LoadOrStore(name, sync.OnceValue(func() *bpe.Vocabulary {
		v, _ := vocab.Load(name)
		return v
	}))
	return load.(func() *bpe.Vocabulary)()
}
