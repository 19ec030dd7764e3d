package view

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// spare is the capacity for the messages of the next turns behind those of a result.
const spare = 8

// Rewrite collects the changes to a conversation and writes the result in one pass. All indexes are those of the input.
// The result shares the unchanged messages.
type Rewrite struct {
	c       *msg.Conversation
	Edits   map[msg.Ref]*pass.Edit
	InPlace map[msg.Ref]string    // a block's new text
	Removed []bool                // messages to remove
	Insert  map[int][]msg.Message // messages to insert before the key
	Starts  []int                 // index in the last result of a message, or of the messages inserted before it
	Spare   []msg.Message         // the messages of the last result, with spare capacity
	Origin  []int                 // of each message of the last result: its index if it is unchanged, else -1
}

// NewRewrite returns a rewrite of c with edits.
func NewRewrite(c *msg.Conversation, edits []pass.Edit) *Rewrite {
	w := &Rewrite{c: c, Edits: make(map[msg.Ref]*pass.Edit, len(edits)), InPlace: map[msg.Ref]string{},
		Removed: make([]bool, len(c.Messages)), Insert: map[int][]msg.Message{}}
	for i := range edits {
		w.Edits[edits[i].Ref()] = &edits[i]
	}
	return w
}

// Write writes the result. If compact is set, messages that lost all blocks are removed.
func (w *Rewrite) Write(compact bool) *msg.Conversation {
	const untouched, before, inside = 0, 1, 2 // before: messages are inserted before it
	changes := make([]byte, len(w.c.Messages))
	for m, list := range w.Insert {
		if m < len(changes) && len(list) > 0 {
			changes[m] = before
		}
	}
	for ref := range w.Edits {
		changes[ref.Message] = inside
	}
	for ref := range w.InPlace {
		changes[ref.Message] = inside
	}
	messages := make([]msg.Message, 0, len(w.c.Messages)+len(w.Insert)+spare)
	w.Origin = make([]int, 0, cap(messages))
	insert := func(list []msg.Message) {
		messages = append(messages, list...)
		for range list {
			w.Origin = append(w.Origin, -1)
		}
	}
	w.Starts = make([]int, len(w.c.Messages)+1)
	same, from := true, 0 // the unchanged messages from here on are copied at once
	for m := range changes {
		w.Starts[m] = len(w.Origin)
		if changes[m] == untouched && !w.Removed[m] {
			w.Origin = append(w.Origin, m)
			continue
		}
		same = false
		messages = append(messages, w.c.Messages[from:m]...)
		from = m + 1
		insert(w.Insert[m])
		switch {
		case w.Removed[m]:
		case changes[m] == before:
			messages, w.Origin = append(messages, w.c.Messages[m]), append(w.Origin, m)
		default:
			if blocks := w.Blocks(m); len(blocks) > 0 || !compact {
				insert([]msg.Message{w.c.Messages[m].WithBlocks(blocks)})
			}
		}
	}
	w.Starts[len(w.c.Messages)] = len(w.Origin)
	end := w.Insert[len(w.c.Messages)]
	if same && len(end) == 0 {
		return w.c
	}
	messages = append(messages, w.c.Messages[from:]...)
	insert(end)
	w.Spare = messages
	return w.c.WithMessages(messages[:len(messages):len(messages)])
}

// IsGone reports a message that is removed, or loses all its blocks.
func (w *Rewrite) IsGone(m int) bool {
	if w.Removed[m] {
		return true
	}
	blocks := w.c.Messages[m].Blocks
	for b := range blocks {
		e := w.Edits[msg.Ref{Message: m, Block: b}]
		if e == nil || !e.Kind.Removes() {
			return false
		}
	}
	return len(blocks) > 0
}

// Blocks writes the blocks of a changed message.
func (w *Rewrite) Blocks(m int) []msg.Block {
	blocks := make([]msg.Block, 0, len(w.c.Messages[m].Blocks))
	for b := range w.c.Messages[m].Blocks {
		if block, kept := w.block(msg.Ref{Message: m, Block: b}); kept {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// block writes a block; false if it is removed.
func (w *Rewrite) block(ref msg.Ref) (msg.Block, bool) {
	block, e := *w.c.At(ref), w.Edits[ref]
	if text, ok := w.InPlace[ref]; ok {
		return block.WithText(text), true
	}
	switch {
	case e == nil:
		return block, true
	case e.Kind == pass.ClearInput:
		return block.WithInput(e.Text), true
	}
	return block.WithText(e.Text), !e.Kind.Removes()
}

// Tokens counts message m after the changes. before are the counts of the input: the model does not read what has no
// tokens there, so it has none.
func (w *Rewrite) Tokens(m int, meter tokens.Meter, before tokens.Counts) int {
	if w.IsGone(m) {
		return 0
	}
	left := before.Messages[m].Tokens
	for b, was := range before.Messages[m].Blocks {
		ref := msg.Ref{Message: m, Block: b}
		if _, replaced := w.InPlace[ref]; was == 0 || !replaced && w.Edits[ref] == nil {
			continue
		}
		left -= was
		if block, kept := w.block(ref); kept {
			left += meter.Block(&block)
		}
	}
	return left
}

// Saved returns the tokens that the rewrite frees. before are the counts of the input.
func (w *Rewrite) Saved(meter tokens.Meter, before tokens.Counts) int {
	saved := 0
	for m := range w.c.Messages {
		saved += before.Messages[m].Tokens - w.Tokens(m, meter, before)
	}
	for _, inserted := range w.Insert {
		for i := range inserted {
			saved -= meter.Message(&inserted[i])
		}
	}
	return saved + w.savedForTurns(meter, before)
}

// savedForTurns returns the tokens of the kept system messages for a turn that a message of the user ends only in the
// outcome, less those of the messages that none ends any more.
func (w *Rewrite) savedForTurns(meter tokens.Meter, before tokens.Counts) int {
	saved, ended := 0, false
	isUsers := func(m msg.Message) bool { return m.Role == msg.User }
	for m := len(w.c.Messages); m >= 0; m-- {
		if m < len(w.c.Messages) && !w.IsGone(m) {
			message := &w.c.Messages[m]
			if message.IsForTurn() {
				if saved += before.Messages[m].Tokens; !ended {
					saved -= meter.Message(message)
				}
			}
			ended = ended || message.Role == msg.User
		}
		ended = ended || slices.ContainsFunc(w.Insert[m], isUsers)
	}
	return saved
}

// FirstChange returns the first block that changes. For a message that is removed, or that gets messages before it,
// this is its first block. If nothing changes, it is the position after the last message.
func (w *Rewrite) FirstChange() msg.Ref {
	first := msg.Ref{Message: len(w.c.Messages)}
	for ref, e := range w.Edits {
		if e.Kind != pass.DropThinking {
			first = Earlier(first, ref)
		}
	}
	for ref := range w.InPlace {
		first = Earlier(first, ref)
	}
	for m := range w.Insert {
		first = Earlier(first, msg.Ref{Message: m})
	}
	if m := slices.Index(w.Removed, true); m >= 0 {
		first = Earlier(first, msg.Ref{Message: m})
	}
	return first
}
