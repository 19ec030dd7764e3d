package core

import (
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// known has the results of reading texts that the next rounds of a conversation read again: after a compaction most
// messages are the same. Sessions hand it on, see Session.Successor. nil computes everything.
type known struct {
	summaries  map[summaryText]string // their keys
	statements summarize.Statements
	planned    planned
}

// planned is the conversation of the last plan, as the plan read it.
type planned struct {
	c      *msg.Conversation
	state  State
	marked *msg.Conversation
	counts tokens.Counts
	base   Digest
}

// plan keeps the conversation c of a plan.
func (k *known) plan(c *msg.Conversation, st State, d *draftPlan) {
	if k != nil {
		k.planned = planned{c, st, d.in.Conversation, d.in.Counts, d.plan.Base}
	}
}

// digestFor returns the digest of the conversation c, "" if it is not that of the last plan.
func (k *known) digestFor(c *msg.Conversation) Digest {
	if k == nil || k.planned.c != c {
		return ""
	}
	return k.planned.base
}

// plannedFor returns the conversation c as the plan for it read it, nil if that is not known.
func (k *known) plannedFor(c *msg.Conversation, st State) *planned {
	if k == nil || k.planned.c != c || k.planned.state != st {
		return nil
	}
	return &k.planned
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
