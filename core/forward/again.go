package forward

import (
	"tamp/core/msg"
	"tamp/core/summarize"
)

// repeats finds the calls of a history that read, search or run again what an earlier call did.
// Invariant: each message is read once, so that a walk is linear in its messages.
type repeats struct {
	next   int                   // the first message that was not read
	keys   map[string]string     // of each call, by its id
	newest map[string]*msg.Block // the last result of each key

	from int
	has  map[string]string // the results that the context has, by the id of their call
	n    int               // the calls from from on that repeat one
}

// count reads the rest of a history, and returns the number of calls in its messages from from on that repeat one whose
// result the context does not have. The context is that of the messages before from. A message from another from on
// than that of the last count may not have been read before.
func (r *repeats) count(context, history []msg.Message, from int) int {
	if r.keys == nil {
		r.keys, r.newest = map[string]string{}, map[string]*msg.Block{}
	}
	if r.has == nil || r.from != from {
		r.from, r.n, r.has = from, 0, map[string]string{}
		for m := range context {
			addResults(r.has, &context[m])
		}
	}
	for ; r.next < len(history); r.next++ {
		message := &history[r.next]
		for b := range message.Blocks {
			switch block := &message.Blocks[b]; {
			case block.ID == "":
			case block.Kind == msg.KindToolUse:
				key := summarize.ReadUse(block.Name, block.Text, func(string, bool) {})
				if was := r.newest[key]; r.next >= from && key != "" && was != nil && r.has[was.ID] != was.Text {
					r.n++
				}
				r.keys[block.ID] = key
			case block.Kind == msg.KindToolResult:
				r.newest[r.keys[block.ID]] = block
			}
		}
		if r.next >= from {
			addResults(r.has, message)
		}
	}
	return r.n
}

func addResults(has map[string]string, m *msg.Message) {
	for b := range m.Blocks {
		if block := &m.Blocks[b]; block.Kind == msg.KindToolResult {
			has[block.ID] = block.Text
		}
	}
}
