package view

import (
	"tamp/core/msg"
)

// IsAfter reports whether block a is after block b in document order.
func IsAfter(a, b msg.Ref) bool {
	return a.Message > b.Message || a.Message == b.Message && a.Block > b.Block
}

// Earlier returns the first of two blocks in document order.
func Earlier(a, b msg.Ref) msg.Ref {
	if IsAfter(a, b) {
		return b
	}
	return a
}
