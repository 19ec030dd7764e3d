package pass

import "tamp/core/msg"

// Blocks keeps the facts that were read from the texts of blocks, by their addresses: no code changes a block in place.
// nil keeps nothing. Not safe for concurrent use.
type Blocks struct {
	young, old map[*msg.Block]*BlockFacts // facts found in old move to young; a full young replaces old
}

// BlockFacts are facts about the text of one block, each read when it is first needed.
type BlockFacts struct {
	SummaryKey string // see view.SummaryMarker; "" if it was not needed
	critical   verdict
}

// verdict says whether a text makes its block critical.
type verdict byte

const (
	unread verdict = iota
	isCritical
	notCritical
)

// maxBlocks is the number of blocks in one generation: those of a long session fit.
const maxBlocks = 1 << 14

// Of returns the facts of a block, for the caller to fill in. It is not inlined, for the size of the wasm.
//
//go:noinline
func (k *Blocks) Of(b *msg.Block) *BlockFacts {
	if k == nil {
		return new(BlockFacts)
	}
	facts := k.young[b]
	if facts != nil {
		return facts
	}
	if facts = k.old[b]; facts == nil {
		facts = new(BlockFacts)
	}
	if k.young == nil || len(k.young) >= maxBlocks {
		k.Age()
	}
	k.young[b] = facts
	return facts
}

// Age forgets the blocks whose facts were not needed since the last Age. Call it before a conversation is read from its
// beginning: the addresses keep the texts of messages alive that it has no more.
func (k *Blocks) Age() {
	if k != nil {
		k.young, k.old = map[*msg.Block]*BlockFacts{}, k.young
	}
}
