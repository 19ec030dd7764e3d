package core

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// rewrite collects the changes to a conversation and writes the result in one pass. All indexes are those of the input.
// The result shares the unchanged messages.
type rewrite struct {
	c       *msg.Conversation
	edits   map[msg.Ref]*Edit
	inPlace map[msg.Ref]string    // a block's new text
	removed []bool                // messages to remove
	insert  map[int][]msg.Message // messages to insert before the key
	starts  []int                 // index in the last result of a message, or of the messages inserted before it
	origin  []int                 // of each message of the last result: its index if it is unchanged, else -1
}

func newRewrite(c *msg.Conversation, edits []Edit) *rewrite {
	w := &rewrite{c: c, edits: make(map[msg.Ref]*Edit, len(edits)), inPlace: map[msg.Ref]string{},
		removed: make([]bool, len(c.Messages)), insert: map[int][]msg.Message{}}
	for i := range edits {
		w.edits[edits[i].Ref()] = &edits[i]
	}
	return w
}

// conversation writes the result. If compact is set, messages that lost all blocks are removed.
func (w *rewrite) conversation(compact bool) *msg.Conversation {
	touched := map[int]bool{}
	for ref := range w.edits {
		touched[ref.Message] = true
	}
	for ref := range w.inPlace {
		touched[ref.Message] = true
	}
	messages := make([]msg.Message, 0, len(w.c.Messages)+len(w.insert))
	w.origin = make([]int, 0, cap(messages))
	insert := func(list []msg.Message) {
		for i := range list {
			messages, w.origin = append(messages, list[i]), append(w.origin, -1)
		}
	}
	same := true
	w.starts = make([]int, len(w.c.Messages)+1)
	for m := range w.c.Messages {
		w.starts[m] = len(messages)
		insert(w.insert[m])
		same = same && len(w.insert[m]) == 0 && !w.removed[m] && !touched[m]
		switch {
		case w.removed[m]:
		case !touched[m]:
			messages, w.origin = append(messages, w.c.Messages[m]), append(w.origin, m)
		default:
			if blocks := w.blocks(m); len(blocks) > 0 || !compact {
				insert([]msg.Message{w.c.Messages[m].WithBlocks(blocks)})
			}
		}
	}
	w.starts[len(w.c.Messages)] = len(messages)
	if end := w.insert[len(w.c.Messages)]; len(end) > 0 {
		insert(end)
		same = false
	}
	if same {
		return w.c
	}
	return w.c.WithMessages(messages)
}

// blocks writes the blocks of a changed message.
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

// saved returns the tokens that the rewrite frees. before are the counts of the input.
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
	for _, inserted := range w.insert {
		for i := range inserted {
			saved -= meter.Message(&inserted[i])
		}
	}
	return saved
}
