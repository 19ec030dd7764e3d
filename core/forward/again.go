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
}

// count reads the rest of a history, and returns the number of calls in its messages from from on that repeat one whose
// result the context does not have. The context is that of the messages before from. No message from from on may have
// been read before.
func (r *repeats) count(context, history []msg.Message, from int) (n int) {
	if r.keys == nil {
		r.keys, r.newest = map[string]string{}, map[string]*msg.Block{}
	}
	has := map[string]string{} // the results of the context, by the id of their call
	for m := range context {
		addResults(has, &context[m])
	}
	for ; r.next < len(history); r.next++ {
		message := &history[r.next]
		for b := range message.Blocks {
			switch block := &message.Blocks[b]; {
			case block.ID == "":
			case block.Kind == msg.KindToolUse:
				key := summarize.ReadUse(block.Name, block.Text, func(string, bool) {})
				if was := r.newest[key]; r.next >= from && key != "" && was != nil && has[was.ID] != was.Text {
					n++
				}
				r.keys[block.ID] = key
			case block.Kind == msg.KindToolResult:
				r.newest[r.keys[block.ID]] = block
			}
		}
		if r.next >= from {
			addResults(has, message)
		}
	}
	return n
}

func addResults(has map[string]string, m *msg.Message) {
	for b := range m.Blocks {
		if block := &m.Blocks[b]; block.Kind == msg.KindToolResult {
			has[block.ID] = block.Text
		}
	}
}
