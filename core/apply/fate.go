package apply

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// MessageFate is the fate of one message of the input.
type MessageFate struct {
	Index  int         `json:"index"` // of the message in the outcome; -1 if it is not in it
	Blocks []BlockFate `json:"blocks"`
}

// BlockFate is the fate of one block of the input.
type BlockFate struct {
	Fate   string `json:"fate"`             // "kept" (unchanged), "cleared", "truncated", "summarized", "dropped"
	After  int    `json:"after"`            // tokens in the outcome; if summarized, its share of the summary
	Reason string `json:"reason,omitempty"` // absent if it is kept and no rule considered it
	// The block of the outcome that has its summary; absent if it is not summarized.
	Summary *msg.Ref `json:"summary,omitempty"`
}

// JoinFates returns the fates of two steps together: it is core.JoinFates, whose comment has its rules.
func JoinFates(first, next []MessageFate) ([]MessageFate, error) {
	shares := map[msg.Ref]int{} // tokens of a summary, as the sum of its shares
	joined := append([]MessageFate{}, first...)
	for m := range joined {
		f := &joined[m]
		f.Blocks = append([]BlockFate{}, f.Blocks...)
		for b := range f.Blocks {
			if block := &f.Blocks[b]; block.Summary != nil {
				shares[*block.Summary] += block.After
			}
		}
	}
	for m := range joined {
		f := &joined[m]
		at := msg.Ref{Message: f.Index} // of the next block that is in the outcome
		if f.Index >= 0 && f.Index < len(next) {
			f.Index = next[f.Index].Index
		}
		for b := range f.Blocks {
			block, ref := &f.Blocks[b], at
			if at.Message >= 0 && block.Fate != string(pass.Dropped) {
				at.Block++
			} else if block.Summary == nil {
				continue
			}
			if block.Summary != nil {
				ref = *block.Summary
			}
			then, now := fateAt(next, ref)
			switch {
			case then == nil:
				return nil, msg.NewError(msg.BadRequest, "/fates", "cannot join the fates: they are of another conversation")
			case then.Fate == string(pass.Kept):
			case block.Summary == nil, then.Fate == string(pass.Dropped):
				*block = *then
				continue
			default: // the summary was shortened or merged: its text still comes from the same blocks
				block.After = int(int64(block.After) * int64(then.After) / int64(max(shares[ref], 1)))
			}
			if block.Summary != nil {
				block.Summary = now
			}
		}
	}
	return joined, nil
}

// fateAt returns the fate of one block, and the block of the outcome that has its text or its summary; nil if there is
// no such block.
func fateAt(fates []MessageFate, ref msg.Ref) (*BlockFate, *msg.Ref) {
	if ref.Message < 0 || ref.Message >= len(fates) || ref.Block < 0 || ref.Block >= len(fates[ref.Message].Blocks) {
		return nil, nil
	}
	message := &fates[ref.Message]
	if fate := &message.Blocks[ref.Block]; fate.Summary != nil {
		return fate, fate.Summary
	}
	now := &msg.Ref{Message: message.Index}
	for b := range ref.Block {
		if message.Blocks[b].Fate != string(pass.Dropped) {
			now.Block++
		}
	}
	return &message.Blocks[ref.Block], now
}
