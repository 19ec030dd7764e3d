package validity

import (
	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// maxPasses bounds Repair. One pass repairs every problem that it reports. Another pass is needed if a repair causes a
// new problem, such as a first message that is no longer the user's. The properties in repair_test.go never needed more
// than four.
const maxPasses = 8

// Repair returns a conversation that its provider accepts, and the problems that it repaired, as Check reports them. If
// nothing needs repair it returns c itself, so that Render returns the input bytes. Repair is idempotent.
//
// Calls at the end that wait for their results are not changed. Problems that no rule can repair (an unknown role, a
// conversation without messages) remain: Check still reports them, with an empty Repair and a Reason. The result has no
// kind of error that c does not have. RepairAll also returns the remaining problems.
func Repair(c *msg.Conversation) (*msg.Conversation, []Problem) {
	c, repairs := RepairAll(c)
	return c, repairs.Problems
}

// Repairs lists the problems that Repair repaired and those that remain.
type Repairs struct {
	Problems []Problem // the repaired problems, at most MaxProblems, in the order of the passes
	Omitted  int       // repaired problems that the list has no room for: they are repaired like the others
	Left     []Problem // what Check reports of the result: each with Reason, none with Repair
	More     int       // problems that Left has no room for
}

// RepairAll is Repair, and returns the remaining problems too. The result is valid if no problem of Left is an error.
func RepairAll(c *msg.Conversation) (*msg.Conversation, Repairs) {
	var r Repairs
	for range maxPasses {
		ck := examine(c)
		if ck.edit.isEmpty() {
			r.Left, r.More = ck.problems, ck.omitted
			return c, r
		}
		r.Omitted += ck.repaired
		for _, p := range ck.problems {
			switch {
			case p.Repair == "":
			case len(r.Problems) < MaxProblems:
				r.Problems = append(r.Problems, p)
			default:
				r.Omitted++
			}
		}
		c = ck.edit.apply(c)
	}
	r.Left, r.More = CheckAll(c)
	return c, r
}

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
