package validity

import (
	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// edit is a set of changes to one conversation. All indexes are those of the conversation before the changes.
type edit struct {
	removed map[msg.Ref]bool      // blocks to remove
	replace map[msg.Ref]msg.Block // new versions of blocks
	// blocks to insert before the key; a key past the last block means the end of the message
	blocks   map[msg.Ref][]msg.Block
	dropped  map[int]bool          // messages to remove, unless blocks are inserted into them
	messages map[int][]msg.Message // messages to insert before this index
	tools    []msg.Block           // the tools if one changes
	whole    bool                  // the conversation without Lone
	clean    bool                  // the lines of a log that are no JSON objects go
	again    map[int]bool          // messages to write again, with the blocks that they have
}

func (e *edit) isEmpty() bool {
	return !e.whole && !e.clean && len(e.tools) == 0 &&
		len(e.again)+len(e.removed)+len(e.replace)+len(e.blocks)+len(e.dropped)+len(e.messages) == 0
}

func (e *edit) remove(r msg.Ref) { e.removed = withKey(e.removed, r, true) }

func (e *edit) replaceBlock(r msg.Ref, b msg.Block) { e.replace = withKey(e.replace, r, b) }

func (e *edit) insert(r msg.Ref, blocks []msg.Block) {
	e.blocks = withKey(e.blocks, r, append(e.blocks[r], blocks...))
}

// tool returns tool n of c, to be changed.
func (e *edit) tool(c *msg.Conversation, n int) *msg.Block {
	if e.tools == nil {
		e.tools = append(e.tools, c.Tools...)
	}
	return &e.tools[n]
}

func (e *edit) rewrite(m int) { e.again = withKey(e.again, m, true) }

func (e *edit) insertMessage(before int, m msg.Message) {
	e.messages = withKey(e.messages, before, append(e.messages[before], m))
}

func (e *edit) removeMessage(m *msg.Message, index int) {
	e.dropped = withKey(e.dropped, index, true)
	for b := range m.Blocks {
		e.remove(msg.Ref{Message: index, Block: b})
	}
}

func withKey[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	if m == nil {
		m = map[K]V{}
	}
	m[key] = value
	return m
}

// apply returns the conversation with the changes made. It shares unchanged messages with c, and removes a message that
// loses its last block.
func (e *edit) apply(c *msg.Conversation) *msg.Conversation {
	messages := make([]msg.Message, 0, len(c.Messages)+len(e.messages))
	for m := range c.Messages {
		messages = append(messages, e.messages[m]...)
		message, kept := e.message(&c.Messages[m], m)
		if kept {
			messages = append(messages, message)
		}
	}
	messages = append(messages, e.messages[len(c.Messages)]...)
	if len(messages) == 0 && len(c.Messages) > 0 {
		messages = append(messages, msg.TextMessage(msg.User, marker.RepairOpening)) // no API accepts an empty list
	}
	c = c.WithMessages(messages)
	c.Clean = c.Clean || e.clean
	if e.tools != nil {
		c.Tools = e.tools
	}
	return c
}

func (e *edit) message(m *msg.Message, index int) (message msg.Message, kept bool) {
	touched := e.dropped[index] || e.again[index]
	var blocks []msg.Block
	for b := 0; b <= len(m.Blocks); b++ {
		ref := msg.Ref{Message: index, Block: b}
		if inserted := e.blocks[ref]; len(inserted) > 0 {
			blocks, touched = append(blocks, inserted...), true
		}
		if b == len(m.Blocks) {
			break
		}
		block := m.Blocks[b]
		if changed, ok := e.replace[ref]; ok {
			block, touched = changed, true
		}
		if e.removed[ref] {
			touched = true
			continue
		}
		blocks = append(blocks, block)
	}
	if !touched {
		return *m, true
	}
	return m.WithBlocks(blocks), len(blocks) > 0 || len(m.Blocks) == 0 && !e.dropped[index]
}
