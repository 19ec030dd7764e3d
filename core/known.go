package core

import (
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// known has the results of reading texts that the next rounds of a conversation read again: after a compaction most
// messages are the same. Sessions hand it on, see Session.Successor. nil computes everything.
type known struct {
	summaries blockKeys // of summaries
	read      summarize.Memory
	planned   planned
	outcome   *msg.Conversation // of the last plan
	room      []msg.Message     // the messages of outcome, with capacity behind them that nothing else uses
	state     State             // the last one that was decoded
	memory    memory            // of state
}

// decode is decodeState of a State that was often decoded before.
func (k *known) decode(st State) (memory, error) {
	if k == nil {
		return decodeState(st)
	}
	if k.memory.known == nil || k.state != st {
		m, err := decodeState(st)
		if err != nil {
			return m, err
		}
		m.known = k
		k.state, k.memory = st, m
	}
	return k.memory, nil
}

// texts returns the memory of the texts that summaries read; nil without a session.
func (k *known) texts() *summarize.Memory {
	if k == nil {
		return nil
	}
	return &k.read
}

// planned is the conversation of the last plan, as the plan read it.
type planned struct {
	c      *msg.Conversation
	state  State
	marked *msg.Conversation
	counts tokens.Counts
	base   Digest

	pairing msg.Pairing // of c, if it has so many pairs: that of a session grows with its messages
	pairs   int
}

// plan keeps the conversation c of a plan.
func (k *known) plan(c *msg.Conversation, st State, d *draftPlan) {
	if k != nil {
		k.planned = planned{c, st, d.in.Conversation, d.in.Counts, d.plan.Base, d.in.Pairing, d.in.Pairing.Len()}
	}
}

// roomFor returns the messages of a conversation, with room behind them that nothing else uses, if there is any.
func (k *known) roomFor(c *msg.Conversation) []msg.Message {
	if k == nil || k.outcome != c {
		return c.Messages[:len(c.Messages):len(c.Messages)]
	}
	room := k.room
	k.outcome, k.room = nil, nil // only one session may use it
	return room
}

// pairsFor returns the pairs of the first n messages of the conversation c.
func (k *known) pairsFor(c *msg.Conversation, n int) msg.Pairing {
	if k != nil && k.planned.c == c && n == len(c.Messages) && k.planned.pairing.Len() == k.planned.pairs {
		return k.planned.pairing
	}
	return msg.Pair(c.WithMessages(c.Messages[:n:n]))
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

// blockKeys has the keys of blocks, which no code changes in place.
type blockKeys map[*msg.Block]string

// maxKeys is the number of keys that are kept: those of a long session fit.
const maxKeys = 1 << 14

// of returns key(b).
func (k *blockKeys) of(b *msg.Block, key func(*msg.Block) string) string {
	text := (*k)[b]
	if text == "" {
		if text = key(b); *k == nil || len(*k) >= maxKeys {
			*k = blockKeys{}
		}
		(*k)[b] = text
	}
	return text
}

// summaryKey is the function summaryKey.
func (k *known) summaryKey(b *msg.Block) string {
	if k == nil {
		return summaryKey(b)
	}
	return k.summaries.of(b, summaryKey)
}
