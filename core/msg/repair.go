package msg

// maxPasses bounds Repair. One pass mends all that it sees; a second is needed where mending uncovers something, such as
// a first message that is no longer the user's. More than four were never seen by the properties in repair_test.go.
const maxPasses = 8

// Repair returns a conversation that its provider accepts, and what was mended, in the words of Check. Where nothing is
// to be mended it returns c itself, so that Render gives the very bytes that came in; repairing twice is repairing once.
//
// Calls at the end that wait for their results stay as they are. What no rule can mend (an unknown role, a conversation
// without messages) stays too: Check still reports it, with an empty Repair and the Reason. No kind of error is in the result
// that was not in c. RepairAll says what is left.
func Repair(c *Conversation) (*Conversation, []Problem) {
	c, repairs := RepairAll(c)
	return c, repairs.Problems
}

// Repairs says what Repair did.
type Repairs struct {
	Problems []Problem // what was repaired, at most MaxProblems, in the order of the passes
	Omitted  int       // repaired problems that the list has no room for: they are repaired like the others
	Left     []Problem // what Check reports of the result: each with Reason, none with Repair
	More     int       // problems that Left has no room for
}

// RepairAll is Repair, and says what is left. The result is valid where no problem of Left is an error.
func RepairAll(c *Conversation) (*Conversation, Repairs) {
	var r Repairs
	for range maxPasses {
		f := examine(c)
		if f.edit.isEmpty() {
			r.Left, r.More = f.problems, f.omitted
			return c, r
		}
		r.Omitted += f.repaired
		for _, p := range f.problems {
			switch {
			case p.Repair == "":
			case len(r.Problems) < MaxProblems:
				r.Problems = append(r.Problems, p)
			default:
				r.Omitted++
			}
		}
		c = f.edit.apply(c)
	}
	r.Left, r.More = CheckAll(c)
	return c, r
}

// edit is a set of changes to one conversation, all in the coordinates that it has before them.
type edit struct {
	gone     map[Ref]bool      // blocks that go
	replace  map[Ref]Block     // blocks that change
	blocks   map[Ref][]Block   // blocks that come, before the one named (or at the end, where there is none)
	dropped  map[int]bool      // messages that go, unless blocks come into them
	messages map[int][]Message // messages that come, before the one named
}

func (e *edit) isEmpty() bool {
	return len(e.gone)+len(e.replace)+len(e.blocks)+len(e.dropped)+len(e.messages) == 0
}

func (e *edit) remove(r Ref) { e.gone = set(e.gone, r, true) }

func (e *edit) put(r Ref, b Block) { e.replace = set(e.replace, r, b) }

func (e *edit) insert(r Ref, blocks []Block) {
	e.blocks = set(e.blocks, r, append(e.blocks[r], blocks...))
}

func (e *edit) add(before int, m Message) {
	e.messages = set(e.messages, before, append(e.messages[before], m))
}

func (e *edit) removeMessage(m *Message, index int) {
	e.dropped = set(e.dropped, index, true)
	for b := range m.Blocks {
		e.remove(Ref{index, b})
	}
}

func set[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	if m == nil {
		m = map[K]V{}
	}
	m[key] = value
	return m
}

// apply returns the conversation with the changes made. Messages that nothing touches are shared with c; a message that
// loses its last block goes with it.
func (e *edit) apply(c *Conversation) *Conversation {
	messages := make([]Message, 0, len(c.Messages)+len(e.messages))
	for m := range c.Messages {
		messages = append(messages, e.messages[m]...)
		message, kept := e.message(&c.Messages[m], m)
		if kept {
			messages = append(messages, message)
		}
	}
	messages = append(messages, e.messages[len(c.Messages)]...)
	if len(messages) == 0 && len(c.Messages) > 0 {
		messages = append(messages, TextMessage(User, opening)) // no API takes an empty list
	}
	return c.WithMessages(messages)
}

func (e *edit) message(m *Message, index int) (message Message, kept bool) {
	touched := e.dropped[index]
	var blocks []Block
	for b := 0; b <= len(m.Blocks); b++ {
		ref := Ref{index, b}
		if come := e.blocks[ref]; len(come) > 0 {
			blocks, touched = append(blocks, come...), true
		}
		if b == len(m.Blocks) {
			break
		}
		block := m.Blocks[b]
		if changed, ok := e.replace[ref]; ok {
			block, touched = changed, true
		}
		if e.gone[ref] {
			touched = true
			continue
		}
		blocks = append(blocks, block)
	}
	if !touched {
		return *m, true
	}
	return m.WithBlocks(blocks), len(blocks) > 0
}
