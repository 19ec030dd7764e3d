package claudecode

import (
	"bytes"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Render writes a conversation from Parse, with its changes. Every unchanged line is written byte for byte as in the
// input, including lines outside of the conversation; if nothing changed, the result is the input itself. thread.go has
// the rules that keep the tree connected.
func Render(c *msg.Conversation) ([]byte, error) {
	l, ok := c.Origin.(*log)
	if !ok { // not from Parse
		l = &log{}
	}
	if len(c.System) > l.system {
		return nil, msg.NewError(msg.BadMessage, "",
			"cannot write the conversation: a session log has no place for a system prompt")
	}
	order, same := l.order(c.Messages)
	if same {
		return l.data, nil
	}
	w := &writer{l: l, model: c.Model, gone: make([]bool, len(l.lines)), edited: map[int]rawjson.Value{},
		taken: map[int][]rawjson.Value{}, before: map[int][]rawjson.Value{}, after: map[int][]rawjson.Value{},
		bridge: map[int]bool{}, drawn: map[string]bool{}}
	w.depths()
	if err := w.thread(c.Messages, order); err != nil {
		return nil, err
	}
	return w.bytes(), nil
}

// order finds each message's group, -1 for a message that is not from Parse or that appears twice.
// same is true if nothing changed.
func (l *log) order(messages []msg.Message) (order []int, same bool) {
	index := make(map[*group]int, len(l.groups))
	for i, g := range l.groups {
		index[g] = i
	}
	order, same = make([]int, len(messages)), len(messages) == len(l.groups)
	for i := range messages {
		order[i] = -1
		if g, ok := messages[i].Origin.(*group); ok {
			if k, ok := index[g]; ok {
				order[i] = k
				delete(index, g)
			}
		}
		same = same && order[i] == i && !messages[i].Changed
	}
	return order, same
}

// writer collects the changes of lines.
type writer struct {
	l      *log
	model  string
	depth  []int                   // index of a message line on the path; -1 if it is not on it
	gone   []bool                  // the line is not written
	edited map[int]rawjson.Value   // the line is written as this
	taken  map[int][]rawjson.Value // lines that replace a removed line; the last one has its uuid
	before map[int][]rawjson.Value // new lines above a line
	after  map[int][]rawjson.Value // new lines below a line; -1: below everything
	bridge map[int]bool            // a removed line is replaced by a line without a message, since it has children
	drawn  map[string]bool         // uuids of new lines
}

// rewrite returns the new lines of a changed message; nil for a line without blocks.
func (l *log) rewrite(g *group, m *msg.Message) (map[int]rawjson.Value, error) {
	share := l.share(g, m.Blocks)
	out := make(map[int]rawjson.Value, len(g.lines))
	left := false
	for _, i := range g.lines {
		n, blocks := &l.lines[i], share[i]
		if len(blocks) == 0 && len(n.blocks) > 0 {
			out[i] = nil
			continue
		}
		left = true
		raw, err := n.with(blocks)
		if err != nil {
			return nil, err
		}
		out[i] = raw
	}
	if !left { // keep a message without blocks: Check reports it
		raw, err := l.lines[g.lines[0]].with(nil)
		out[g.lines[0]] = raw
		return out, err
	}
	return out, nil
}

// with returns the line with other blocks.
func (n *line) with(blocks []msg.Block) (rawjson.Value, error) {
	if len(blocks) == 1 && blocks[0].Raw.Kind() == '"' {
		alone := blocks[0]
		alone.Bare = true // as it is in its line
		blocks = []msg.Block{alone}
	}
	if n.kind == "attachment" {
		return n.attach(blocks)
	}
	old := n.message.Member("content")
	content, err := block.Content(old, blocks)
	if err != nil || bytes.Equal(content, old) {
		return n.raw, err
	}
	return n.raw.With("message", n.message.With("content", content)), nil
}

// share assigns the blocks to the lines that they came from. A new block goes to the line of the block before it. If
// the order of the lines would differ from the order of the blocks, the first line gets all of them.
func (l *log) share(g *group, blocks []msg.Block) map[int][]msg.Block {
	home := map[*byte]int{}
	for _, i := range g.lines {
		for k := range l.lines[i].blocks {
			if raw := l.lines[i].blocks[k].Raw; len(raw) > 0 {
				home[&raw[0]] = i
			}
		}
	}
	at := make([]int, len(blocks))
	first, last, ascending := -1, -1, true
	for k := range blocks {
		at[k] = -1
		if raw := blocks[k].Raw; len(raw) > 0 {
			if i, ok := home[&raw[0]]; ok {
				at[k] = i
			}
		}
		if at[k] >= 0 {
			ascending = ascending && at[k] >= last
			last = at[k]
			if first < 0 {
				first = last
			}
		}
	}
	if first < 0 || !ascending {
		return map[int][]msg.Block{g.lines[0]: blocks}
	}
	share := map[int][]msg.Block{}
	now := first
	for k := range blocks {
		if at[k] >= 0 {
			now = at[k]
		}
		share[now] = append(share[now], blocks[k])
	}
	return share
}

// bytes writes the file.
func (w *writer) bytes() []byte {
	l := w.l
	eol := "\n"
	if n := bytes.IndexByte(l.data, '\n'); n > 0 && l.data[n-1] == '\r' {
		eol = "\r\n"
	}
	out := make([]byte, 0, len(l.data))
	open := false // the last line written has no line break yet
	fresh := func(lines []rawjson.Value) {
		for _, raw := range lines {
			if open {
				out = append(out, eol...)
			}
			out = append(append(out, raw...), eol...)
			open = false
		}
	}
	for i := range l.lines {
		n := &l.lines[i]
		whole := l.data[n.start:n.end]
		if i == 0 { // a byte order mark stays where it is
			mark := document.Mark(whole)
			out, whole = append(out, whole[:mark]...), whole[mark:]
		}
		from, to := document.Trim(whole)
		fresh(w.before[i])
		raw, isEdited := w.edited[i]
		switch {
		case w.gone[i] && w.bridge[i]:
			fresh([]rawjson.Value{w.bridged(i)})
		case w.gone[i]:
			fresh(w.taken[i])
		default:
			if open {
				out = append(out, eol...)
			}
			if !isEdited {
				out = append(out, whole...)
			} else {
				out = append(append(append(out, whole[:from]...), raw...), whole[to:]...)
			}
			open = whole[len(whole)-1] != '\n'
		}
		fresh(w.after[i])
	}
	fresh(w.after[-1])
	return out
}
