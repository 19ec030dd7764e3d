//go:build js && wasm

package main

import (
	"tamp/core/tokens/bpe"
	"tamp/core/tokens/vocab"
)

// vocabulary returns claude's, the only one that fits into a Worker's size limit; nil for the others. It is parsed at
// the first use in an instance, in a few milliseconds.
func vocabulary(name string) *bpe.Vocabulary {
	if name != "claude" {
		return nil
	}
	v, _ := vocab.Claude()
	return v
}
