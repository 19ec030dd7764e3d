package core

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// rewrite gathers what becomes of a conversation, all in the coordinates that it has before, and writes it in one go.
// Messages that nothing speaks of are shared.
type rewrite struct {
	c       *msg.Conversation
	edits   map[msg.Ref]*Edit
	inPlace map[msg.Ref]string    // a block's new text
	removed []bool                // messages that go
	insert  map[int][]msg.Message // messages that come, before the one named
	starts  []int                 // where in the result a message is, or what came before it; of the last conversation written
}

func newRewrite(c *msg.Conversation, edits []Edit) *rewrite {
	w := &rewrite{c: c, edits: make(map[msg.Ref]*Edit, len(edits)), inPlace: map[msg.Ref]string{},
		removed: make([]bool, len(c.Messages)), insert: map[int][]msg.Message{}}
	for i := range edits {
		w.edits[edits[i].Ref()] = &edits[i]
	}
	return w
}

// applyEdits returns the conversation after layers 0 and 1. Messages keep their places.
func applyEdits(c *msg.Conversation, edits []Edit) *msg.Conversation {
	return newRewrite(c, edits).conversation(false)
}

// conversation writes the result. A message that lost its last block goes with it where compact is set.
func (w *rewrite) conversation(compact bool) *msg.Conversation {
	touched := map[int]bool{}
	for ref := range w.edits {
		touched[ref.Message] = true
	}
	for ref := range w.inPlace {
		touched[ref.Message] = true
	}
	messages := make([]msg.Message, 0, len(w.c.Messages)+len(w.insert))
	same := true
	w.starts = make([]int, len(w.c.Messages)+1)
	for m := range w.c.Messages {
		w.starts[m] = len(messages)
		messages = append(messages, w.insert[m]...)
		same = same && len(w.insert[m]) == 0 && !w.removed[m] && !touched[m]
		switch {
		case w.removed[m]:
		case !touched[m]:
			messages = append(messages, w.c.Messages[m])
		default:
			if blocks := w.blocks(m); len(blocks) > 0 || !compact {
				messages = append(messages, w.c.Messages[m].WithBlocks(blocks))
			}
		}
	}
	w.starts[len(w.c.Messages)] = len(messages)
	if end := w.insert[len(w.c.Messages)]; len(end) > 0 {
		messages, same = append(messages, end...), false
	}
	if same {
		return w.c
	}
	return w.c.WithMessages(messages)
}

// blocks writes the blocks of a message that something speaks of.
func (w *rewrite) blocks(m int) []msg.Block {
	blocks := make([]msg.Block, 0, len(w.c.Messages[m].Blocks))
	for b, block := range w.c.Messages[m].Blocks {
		ref := msg.Ref{Message: m, Block: b}
		if text, ok := w.inPlace[ref]; ok {
			blocks = append(blocks, block.WithText(text))
			continue
		}
		e := w.edits[ref]
		switch {
		case e == nil:
			blocks = append(blocks, block)
		case e.Kind == pass.ClearInput:
			blocks = append(blocks, block.WithInput(e.Text))
		case e.Kind != pass.DropThinking:
			blocks = append(blocks, block.WithText(e.Text))
		}
	}
	return blocks
}

// saved counts how many tokens the rewrite frees, from the counts of the conversation before.
func (w *rewrite) saved(meter tokens.Meter, before tokens.Counts) int {
	touched := map[int]bool{}
	for ref := range w.edits {
		touched[ref.Message] = true
	}
	for ref := range w.inPlace {
		touched[ref.Message] = true
	}
	saved := 0
	for m := range w.c.Messages {
		switch {
		case w.removed[m]:
			saved += before.Messages[m].Tokens
		case touched[m]:
			saved += before.Messages[m].Tokens
			if blocks := w.blocks(m); len(blocks) > 0 {
				message := msg.Message{Blocks: blocks}
				saved -= meter.Message(&message)
			}
		}
	}
	for _, come := range w.insert {
		for i := range come {
			saved -= meter.Message(&come[i])
		}
	}
	return saved
}
