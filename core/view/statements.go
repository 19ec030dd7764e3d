package view

import (
	"slices"

	"tamp/core/msg"
	"tamp/core/summarize"
)

// StatementsIn returns the statements in spans that still hold, only those in blocks if it is not nil. all are in the
// order of their messages.
func StatementsIn(all []summarize.Pinned, spans []msg.Span, blocks []msg.Ref) (out []summarize.Pinned) {
	wanted := make(map[msg.Ref]bool, len(blocks))
	for _, ref := range blocks {
		wanted[ref] = true
	}
	for _, span := range spans {
		from, _ := slices.BinarySearchFunc(all, span.Start, func(s summarize.Pinned, m int) int { return s.At.Message - m })
		for _, s := range all[from:] {
			if s.At.Message >= span.End {
				break
			}
			if s.Holds && (blocks == nil || wanted[s.At]) {
				out = append(out, s)
			}
		}
	}
	return out
}
