package view

import (
	"tamp/core/msg"
)

// PairsAlike reports whether the calls and results of two lists of messages have the same ids and places, so that both
// lists have the same pairs.
func PairsAlike(a, b []msg.Message) bool {
	if len(a) != len(b) {
		return false
	}
	for m := range a {
		if !blocksPairAlike(a[m].Blocks, b[m].Blocks) {
			return false
		}
	}
	return true
}

func blocksPairAlike(a, b []msg.Block) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := &a[i], &b[i]
		if x.Kind != y.Kind || x.ID != y.ID || x.Type != y.Type || x.Path != y.Path {
			return false
		}
	}
	return true
}
