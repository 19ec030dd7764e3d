package core

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// Fates tell how the outcome treats every block of the input. They are computed from the rewrite that made the outcome,
// not from the plan, so they always agree with the outcome's messages.

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

// regionFate is the fate of one region, computed from its actions.
type regionFate struct {
	summarized bool
	after      int // tokens of the summary
	whole      int // tokens of the region's blocks
	reason     string
	kept       string // reason of its kept blocks
	summary    *msg.Ref
}

// regionIndex returns the index of a region of the plan.
func (a *applier) regionIndex(r *Region) *int {
	i, ok := a.places[r]
	if !ok {
		panic("tamp: internal error: the region is not in the plan")
	}
	return &i
}

// regionFates returns the fate of each region. A region that failed and was truncated has two actions; their reasons
// are joined.
func (a *applier) regionFates() []regionFate {
	fates := make([]regionFate, len(a.plan.Regions))
	for i := range a.actions {
		action := &a.actions[i]
		if action.Region == nil {
			continue
		}
		f := &fates[*action.Region]
		if f.reason != "" {
			f.reason += ": "
		} else if action.Level == 0 && action.Kind != "truncate" {
			f.kept = action.Reason
		}
		f.reason += action.Reason
		f.summarized = f.summarized || action.Level > 0
		f.after = action.After
	}
	for i := range a.wrote {
		ref := a.resultRef(&a.wrote[i])
		for _, r := range a.wrote[i].regions {
			fates[*a.regionIndex(r)].summary = &ref
		}
	}
	return fates
}

// fates returns the fate of every message. Call it after the rewrite wrote the outcome's conversation.
func (a *applier) fates() []MessageFate {
	regions := a.regionFates()
	of := make([][]*regionFate, len(a.c.Messages)) // the region of each block
	for m := range of {
		of[m] = make([]*regionFate, len(a.c.Messages[m].Blocks))
	}
	for i := range a.plan.Regions {
		region := &a.plan.Regions[i]
		assign := func(m, b int) {
			of[m][b] = &regions[i]
			regions[i].whole += a.before.Messages[m].Blocks[b]
		}
		for _, ref := range region.Blocks {
			assign(ref.Message, ref.Block)
		}
		for _, s := range region.Spans {
			for m := s.Start; region.Blocks == nil && m < s.End; m++ {
				for b := range of[m] {
					assign(m, b)
				}
			}
		}
	}
	reasons := make(map[string]string, len(a.actions)) // of decisions about blocks, by path
	for i := range a.actions {
		if action := &a.actions[i]; action.Region == nil && action.Path != "" {
			reasons[action.Path] = action.Reason
		}
	}
	fates := make([]MessageFate, len(a.c.Messages))
	for m := range a.c.Messages {
		blocks := a.c.Messages[m].Blocks
		f := MessageFate{Index: -1, Blocks: make([]BlockFate, len(blocks))}
		stays := len(blocks) == 0
		for b := range blocks {
			ref := msg.Ref{Message: m, Block: b}
			f.Blocks[b] = a.blockFate(ref, of[m][b], reasons[blocks[b].Path])
			stays = stays || a.w.edits[ref] == nil || a.w.edits[ref].Kind != pass.DropThinking
		}
		if stays && !a.w.removed[m] {
			f.Index = a.w.starts[m] + len(a.w.insert[m])
		}
		fates[m] = f
	}
	return fates
}

// blockFate returns the fate of one block. region is nil if no region has the block.
func (a *applier) blockFate(ref msg.Ref, region *regionFate, reason string) BlockFate {
	tokens := a.before.Messages[ref.Message].Blocks[ref.Block]
	text, inPlace := a.w.inPlace[ref]
	edit := a.w.edits[ref]
	switch {
	case region != nil && region.summarized && (inPlace || a.w.removed[ref.Message]):
		share := int(int64(tokens) * int64(region.after) / int64(max(region.whole, 1)))
		return BlockFate{Fate: string(pass.Summarized), After: share, Reason: region.reason, Summary: region.summary}
	case region != nil && inPlace:
		noted := a.c.At(ref).WithText(text)
		return BlockFate{Fate: string(pass.Truncated), After: a.meter.Block(&noted), Reason: region.reason}
	case region != nil && a.w.removed[ref.Message]:
		return BlockFate{Fate: string(pass.Dropped), Reason: region.reason}
	case edit != nil:
		fate := BlockFate{Fate: string(pass.Truncated), After: edit.After, Reason: edit.Reason}
		switch edit.Kind {
		case pass.ClearResult, pass.ClearInput:
			fate.Fate = string(pass.Cleared)
		case pass.DropThinking:
			fate.Fate, fate.After = string(pass.Dropped), 0
		}
		return fate
	case region != nil && region.kept != "":
		reason = region.kept
	}
	return BlockFate{Fate: string(pass.Kept), After: tokens, Reason: reason}
}

// fatesUnchanged returns the fates of an outcome without changes. All blocks have the same reason.
func (a *applier) fatesUnchanged(reason string) []MessageFate {
	fates := make([]MessageFate, len(a.c.Messages))
	for m := range fates {
		fates[m] = MessageFate{Index: m, Blocks: make([]BlockFate, len(a.c.Messages[m].Blocks))}
		for b := range fates[m].Blocks {
			fates[m].Blocks[b] = BlockFate{Fate: string(pass.Kept), After: a.before.Messages[m].Blocks[b], Reason: reason}
		}
	}
	return fates
}

// JoinFates returns the fates of two steps together. first are the fates of one Apply, next those of the Apply of its
// Outcome.Next. The result has one element for each message of the first input, and its indexes are those of the last
// outcome. It shares no memory with first. The error is bad_request if next is not of the outcome that first describes.
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
