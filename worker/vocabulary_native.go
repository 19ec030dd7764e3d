//go:build !js

package main

import (
	"sync"

	"tamp/core/tokens/bpe"
	"tamp/core/tokens/vocab"
)

var loaded sync.Map // name -> func() *bpe.Vocabulary

// vocabulary has all of them, each made ready when it is first wanted.
func vocabulary(name string) *bpe.Vocabulary {
	load, _ := loaded.LoadOrStore(name, sync.OnceValue(func() *bpe.Vocabulary {
		v, _ := vocab.Load(name) // nil for a name that is none
		return v
	}))
	return load.(func() *bpe.Vocabulary)()
}
