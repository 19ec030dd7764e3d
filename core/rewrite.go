package core

import (
	"slices"

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
	room    []msg.Message         // the messages of the last result, with room for more behind them
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
	const untouched, before, inside = 0, 1, 2 // before: messages are inserted before it
	changes := make([]byte, len(w.c.Messages))
	for m, list := range w.insert {
		if m < len(changes) && len(list) > 0 {
			changes[m] = before
		}
	}
	for ref := range w.edits {
		changes[ref.Message] = inside
	}
	for ref := range w.inPlace {
		changes[ref.Message] = inside
	}
	messages := make([]msg.Message, 0, len(w.c.Messages)+len(w.insert)+checkpointEvery)
	w.origin = make([]int, 0, cap(messages))
	insert := func(list []msg.Message) {
		messages = append(messages, list...)
		for range list {
			w.origin = append(w.origin, -1)
		}
	}
	w.starts = make([]int, len(w.c.Messages)+1)
	same, from := true, 0 // the unchanged messages from here on are copied at once
	for m := range changes {
		w.starts[m] = len(w.origin)
		if changes[m] == untouched && !w.removed[m] {
			w.origin = append(w.origin, m)
			continue
		}
		same = false
		messages = append(messages, w.c.Messages[from:m]...)
		from = m + 1
		insert(w.insert[m])
		switch {
		case w.removed[m]:
		case changes[m] == before:
			messages, w.origin = append(messages, w.c.Messages[m]), append(w.origin, m)
		default:
			if blocks := w.blocks(m); len(blocks) > 0 || !compact {
				insert([]msg.Message{w.c.Messages[m].WithBlocks(blocks)})
			}
		}
	}
	w.starts[len(w.c.Messages)] = len(w.origin)
	end := w.insert[len(w.c.Messages)]
	if same && len(end) == 0 {
		return w.c
	}
	messages = append(messages, w.c.Messages[from:]...)
	insert(end)
	w.room = messages
	return w.c.WithMessages(messages[:len(messages):len(messages)])
}

// isGone reports a message that is removed, or loses all its blocks.
func (w *rewrite) isGone(m int) bool {
	if w.removed[m] {
		return true
	}
	blocks := w.c.Messages[m].Blocks
	for b := range blocks {
		e := w.edits[msg.Ref{Message: m, Block: b}]
		if e == nil || e.Kind != pass.DropThinking {
			return false
		}
	}
	return len(blocks) > 0
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
	return saved + w.savedForTurns(meter, before)
}

// savedForTurns returns the tokens of the kept system messages for a turn that a message of the user ends only in the
// outcome, less those of the messages that none ends any more.
func (w *rewrite) savedForTurns(meter tokens.Meter, before tokens.Counts) int {
	saved, ended := 0, false
	isUsers := func(m msg.Message) bool { return m.Role == msg.User }
	for m := len(w.c.Messages); m >= 0; m-- {
		if m < len(w.c.Messages) && !w.isGone(m) {
			message := &w.c.Messages[m]
			if message.IsForTurn() {
				if saved += before.Messages[m].Tokens; !ended {
					saved -= meter.Message(message)
				}
			}
			ended = ended || message.Role == msg.User
		}
		ended = ended || slices.ContainsFunc(w.insert[m], isUsers)
	}
	return saved
}
