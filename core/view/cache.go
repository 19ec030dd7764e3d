package view

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
	"tamp/core/words"
)

// Cache has the results of reading texts that the next rounds of a conversation read again: after a compaction most
// messages are the same. A Session of core hands it on to its successor. A nil cache computes everything.
type Cache struct {
	blocks   pass.Blocks
	texts    summarize.Memory
	snapshot Snapshot
	words    *words.Words      // of wordsOf
	wordsOf  *msg.Conversation // before a plan's edits
	outcome  *msg.Conversation // of the last plan
	spare    []msg.Message     // the messages of outcome, with spare capacity that nothing else uses
	state    State             // the last one that was decoded
	record   Record            // of state
	decoded  bool              // record is set
}

// Decode is DecodeState of a State that was often decoded before.
func (k *Cache) Decode(st State) (Record, error) {
	if k == nil {
		return DecodeState(st)
	}
	if !k.decoded || k.state != st {
		m, err := DecodeState(st)
		if err != nil {
			return m, err
		}
		k.state, k.record, k.decoded = st, m, true
	}
	return k.record, nil
}

// Texts returns the cache of the texts that summaries read; nil without a session.
func (k *Cache) Texts() *summarize.Memory {
	if k == nil {
		return nil
	}
	return &k.texts
}

// Words is words.Read of a conversation, which its plan and Apply read.
func (k *Cache) Words(c *msg.Conversation, turns []int, pairs *msg.Pairing, count func(string) int) *words.Words {
	if k == nil {
		return words.Read(c, turns, pairs, count)
	}
	if k.wordsOf != c {
		k.words, k.wordsOf = words.Read(c, turns, pairs, count), c
	}
	return k.words
}

// Blocks returns the cache of the blocks that marks and passes read; nil without a session.
func (k *Cache) Blocks() *pass.Blocks {
	if k == nil {
		return nil
	}
	return &k.blocks
}

// Snapshot is the conversation of the last plan, as the plan read it.
type Snapshot struct {
	c      *msg.Conversation
	state  State
	Marked *msg.Conversation
	Counts tokens.Counts
	Digest Digest

	pairing msg.Pairing // of c, if it has so many pairs: that of a session grows with its messages
	pairs   int
}

// Keep keeps the conversation c of a plan, as the plan read it, and its digest.
func (k *Cache) Keep(c *msg.Conversation, st State, in *View, base Digest) {
	if k != nil {
		k.snapshot = Snapshot{c, st, in.Conversation, in.Counts, base, in.Pairing, in.Pairing.Len()}
	}
}

// KeepSpare keeps the messages of the outcome of a plan, with spare capacity.
func (k *Cache) KeepSpare(outcome *msg.Conversation, spare []msg.Message) {
	if k != nil {
		k.outcome, k.spare = outcome, spare
	}
}

// SpareFor returns the messages of a conversation, with spare capacity that nothing else uses, if there is any.
func (k *Cache) SpareFor(c *msg.Conversation) []msg.Message {
	if k == nil || k.outcome != c {
		return c.Messages[:len(c.Messages):len(c.Messages)]
	}
	spare := k.spare
	k.outcome, k.spare = nil, nil // only one session may use it
	return spare
}

// PairsFor returns the pairs of the first n messages of the conversation c.
func (k *Cache) PairsFor(c *msg.Conversation, n int) msg.Pairing {
	if k != nil && k.snapshot.c == c && n == len(c.Messages) && k.snapshot.pairing.Len() == k.snapshot.pairs {
		return k.snapshot.pairing
	}
	return msg.Pair(c.WithMessages(c.Messages[:n:n]))
}

// DigestFor returns the digest of the conversation c, "" if it is not that of the last plan.
func (k *Cache) DigestFor(c *msg.Conversation) Digest {
	if k == nil || k.snapshot.c != c {
		return ""
	}
	return k.snapshot.Digest
}

// SnapshotFor returns the conversation c as the plan for it read it, nil if that is not known.
func (k *Cache) SnapshotFor(c *msg.Conversation, st State) *Snapshot {
	if k == nil || k.snapshot.c != c || k.snapshot.state != st {
		return nil
	}
	return &k.snapshot
}
