package pass

import (
	"strconv"

	"tamp/core/msg"
)

// Thinking is the policy of clear_thinking: old thinking blocks are removed whole, never in part, since their
// signature covers every byte. The open round is not changed.
type Thinking struct {
	KeepTurns int `json:"keepTurns"` // the newest assistant turns that keep their thinking; 0 = all
}

// Run returns a decision for every thinking block that the model reads, oldest first.
func (p Thinking) Run(in *Input) []Decision {
	if p.KeepTurns <= 0 {
		return nil
	}
	c := in.Conversation
	open := msg.OpenRound(c)
	turns := c.Turns()
	newest := 0 // the number of the last complete turn
	for m := range c.Messages {
		if c.Messages[m].Role == msg.Assistant {
			newest = turns[m]
		}
	}
	var decisions []Decision
	for it := c.Walk(); it.Next(); {
		ref := it.Ref
		message := &c.Messages[ref.Message]
		block, before := in.block(ref)
		if !it.IsThinking() {
			continue
		}
		d := Decision{Ref: ref, Fate: Pinned}
		switch {
		case ref.Message >= open:
			d.Reason = "its tool round is still open"
		case turns[ref.Message] > newest-p.KeepTurns:
			d.Reason = "in the newest " + strconv.Itoa(p.KeepTurns) + " turns"
		case block.Bound:
			d.Fate, d.Reason = Kept, "it belongs to the items that it produced"
		case onlyThinking(message):
			d.Fate, d.Reason = Kept, "without it the message would be empty"
		default:
			d.Fate, d.Reason = Dropped,
				"thinking of turn "+strconv.Itoa(turns[ref.Message])+", older than the newest "+strconv.Itoa(p.KeepTurns)
			d.Edit = &Edit{Message: ref.Message, Block: ref.Block, Kind: DropThinking, Tokens: before, Reason: d.Reason}
		}
		decisions = append(decisions, d)
	}
	return decisions
}

func onlyThinking(m *msg.Message) bool {
	for b := range m.Blocks {
		if m.Blocks[b].Kind != msg.KindThinking {
			return false
		}
	}
	return true
}
