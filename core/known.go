package core

import (
	"tamp/core/msg"
	"tamp/core/summarize"
)

// known has what was computed from texts that the next rounds of a conversation read again: after a compaction most
// messages are the same. Sessions hand it on, see Session.Successor. nil computes everything.
type known struct {
	summaries  map[summaryText]string // their keys
	statements summarize.Statements
}

type summaryText struct {
	kind msg.Kind
	text string
}

// maxKnownSummaries is the number of summaries that are kept: those of a long session fit.
const maxKnownSummaries = 1 << 10

// summaryKey is the function summaryKey.
func (k *known) summaryKey(b *msg.Block) string {
	if k == nil {
		return summaryKey(b)
	}
	at := summaryText{b.Kind, b.Text}
	key := k.summaries[at]
	if key == "" {
		if key = summaryKey(b); k.summaries == nil || len(k.summaries) >= maxKnownSummaries {
			k.summaries = map[summaryText]string{}
		}
		k.summaries[at] = key
	}
	return key
}
