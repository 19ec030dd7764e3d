package apply

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// Fates tell how the outcome treats every block of the input. They are computed from the rewrite that made the outcome,
// not from the plan, so they always agree with the outcome's messages.

// regionFate is the fate of one region, computed from its actions.
type regionFate struct {
	summarized bool
	after      int // tokens of the summary
	whole      int // tokens of the region's blocks
	reason     string
	kept       string // reason of its kept blocks
	summary    *msg.Ref
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
			stays = stays || a.w.Edits[ref] == nil || !a.w.Edits[ref].Kind.Removes()
		}
		if stays && !a.w.Removed[m] {
			f.Index = a.w.Starts[m] + len(a.w.Insert[m])
		}
		fates[m] = f
	}
	return fates
}

// blockFate returns the fate of one block. region is nil if no region has the block.
func (a *applier) blockFate(ref msg.Ref, region *regionFate, reason string) BlockFate {
	tokens := a.before.Messages[ref.Message].Blocks[ref.Block]
	text, inPlace := a.w.InPlace[ref]
	edit := a.w.Edits[ref]
	switch {
	case region != nil && region.summarized && (inPlace || a.w.Removed[ref.Message]):
		share := int(int64(tokens) * int64(region.after) / int64(max(region.whole, 1)))
		return BlockFate{Fate: string(pass.Summarized), After: share, Reason: region.reason, Summary: region.summary}
	case region != nil && inPlace:
		noted := a.c.At(ref).WithText(text)
		return BlockFate{Fate: string(pass.Truncated), After: a.meter.Block(&noted), Reason: region.reason}
	case region != nil && a.w.Removed[ref.Message]:
		return BlockFate{Fate: string(pass.Dropped), Reason: region.reason}
	case edit != nil:
		fate := BlockFate{Fate: string(pass.Truncated), After: edit.After, Reason: edit.Reason}
		switch edit.Kind {
		case pass.ClearResult, pass.ClearInput:
			fate.Fate = string(pass.Cleared)
		case pass.DropThinking, pass.Drop:
			fate.Fate, fate.After = string(pass.Dropped), 0
		}
		return fate
	case region != nil && region.kept != "":
		reason = region.kept
	}
	return BlockFate{Fate: string(pass.Kept), After: tokens, Reason: reason}
}

// fatesUnchanged returns the fates of an outcome without changes. All blocks have the same reason.
func (a *source) fatesUnchanged(reason string) []MessageFate {
	fates := make([]MessageFate, len(a.c.Messages))
	for m := range fates {
		fates[m] = MessageFate{Index: m, Blocks: make([]BlockFate, len(a.c.Messages[m].Blocks))}
		for b := range fates[m].Blocks {
			fates[m].Blocks[b] = BlockFate{Fate: string(pass.Kept), After: a.before.Messages[m].Blocks[b], Reason: reason}
		}
	}
	return fates
}
