package forward

import (
	"tamp/core/msg"
	"tamp/core/summarize"
)

// readAgain counts the calls of the messages [from, to) of the history that read, search or run again what an earlier
// call did whose result the context does not have. The context is that of the messages before from.
func (w *walk) readAgain(context []msg.Message, from, to int) (n int) {
	has := map[string]string{} // the results of the context, by the id of their call
	for m := range context {
		addResults(has, &context[m])
	}
	keys, newest := map[string]string{}, map[string]*msg.Block{} // of each call; the last result of each key
	for m := range w.b.plain[:to] {
		message := &w.b.plain[m]
		for b := range message.Blocks {
			switch block := &message.Blocks[b]; {
			case block.ID == "":
			case block.Kind == msg.KindToolUse:
				key := summarize.ReadUse(block.Name, block.Text, func(string, bool) {})
				if was := newest[key]; m >= from && key != "" && was != nil && has[was.ID] != was.Text {
					n++
				}
				keys[block.ID] = key
			case block.Kind == msg.KindToolResult:
				newest[keys[block.ID]] = block
			}
		}
		if m >= from {
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
