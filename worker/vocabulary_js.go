//go:build js && wasm

package main

import (
	"tamp/core/tokens/bpe"
	"tamp/core/tokens/vocab"
)

// vocabulary has claude's, which is all that fits into a Worker's size. An instance reads it when it is wanted, in a few
// milliseconds.
func vocabulary(name string) *bpe.Vocabulary {
	if name != "claude" {
		return nil
	}
	v, _ := vocab.Claude()
	return v
}
