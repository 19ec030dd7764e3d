package claudecode

import (
	"sort"

	"tamp/core/format/internal/block"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
)

// The rules that keep the tree connected when messages are inserted and removed:
//   - Messages that replace others get the parent of the first removed line, and the last one gets the uuid of the last
//     removed line: the children keep their parent, and no other line changes.
//   - A line that is removed without a replacement and has children is replaced by a system line with its uuid.
//   - If nothing was removed, the line below changes: its parentUuid becomes the new line. Its message does not change.
//   - A message that moved is removed and inserted again, with new uuids.
//   - New uuids are a hash of the parent's uuid and the new line's content, so that the same edit writes the same
//     bytes.

// depths numbers the message lines along the path.
func (w *writer) depths() {
	w.depth = make([]int, len(w.l.lines))
	for i := range w.depth {
		w.depth[i] = -1
	}
	for d, i := range w.l.path {
		w.depth[i] = d
	}
}

// gap is a position between two kept messages at which others were removed or inserted.
type gap struct {
	new         []*msg.Message
	first, last int // the first and last removed lines that are on the path; -1 for none
	next        int // the line below, -1 at the end
}

func (w *writer) thread(messages []msg.Message, order []int) error {
	keep := longest(order)
	kept := make([]bool, len(w.l.groups))
	for i := range messages {
		if !keep[i] {
			continue
		}
		g := w.l.groups[order[i]]
		kept[order[i]] = true
		if !messages[i].Changed {
			continue
		}
		lines, err := w.l.rewrite(g, &messages[i])
		if err != nil {
			return err
		}
		for at, raw := range lines {
			if raw == nil {
				w.gone[at] = true
			} else {
				w.edited[at] = raw
			}
		}
	}
	for g, group := range w.l.groups {
		for _, at := range group.lines {
			w.gone[at] = w.gone[at] || !kept[g]
		}
	}
	gaps := w.gaps(messages, order, keep)
	for k := range gaps {
		if g := &gaps[k]; g.last >= 0 && len(g.new) > 0 {
			w.taken[g.last] = nil // set before any bridge is added
		}
	}
	for i := range w.l.lines {
		up := w.l.written[i]
		if w.gone[i] || up < 0 || !w.gone[up] {
			continue
		}
		if _, ok := w.taken[up]; !ok {
			w.bridge[up] = true
		}
	}
	for k := range gaps {
		if err := w.fill(&gaps[k]); err != nil {
			return err
		}
	}
	return nil
}

// gaps returns the positions at which messages are inserted, in order.
func (w *writer) gaps(messages []msg.Message, order []int, keep []bool) []gap {
	var gaps []gap
	above := -1 // the group that was kept last
	var fresh []*msg.Message
	close := func(below int) {
		if len(fresh) > 0 {
			g := gap{new: fresh, first: -1, last: -1, next: -1}
			for k := above + 1; k < below; k++ {
				for _, at := range w.l.groups[k].lines {
					w.extend(&g, at)
				}
			}
			for k := below; k < len(w.l.groups) && g.next < 0; k++ {
				for _, at := range w.l.groups[k].lines {
					if w.depth[at] >= 0 && (g.next < 0 || w.depth[at] < w.depth[g.next]) {
						g.next = at
					}
				}
			}
			if g.last < 0 && g.next >= 0 && w.gone[g.next] { // the next line is removed from its message: use its position
				g.first, g.last = g.next, g.next
			}
			gaps = append(gaps, g)
		}
		above, fresh = below, nil
	}
	for i := range messages {
		if keep[i] {
			close(order[i])
		} else {
			fresh = append(fresh, &messages[i])
		}
	}
	close(len(w.l.groups))
	return gaps
}

func (w *writer) extend(g *gap, at int) {
	if w.depth[at] < 0 {
		return
	}
	if g.first < 0 || w.depth[at] < w.depth[g.first] {
		g.first = at
	}
	if g.last < 0 || w.depth[at] > w.depth[g.last] {
		g.last = at
	}
}

// fill writes the new lines of a gap.
func (w *writer) fill(g *gap) error {
	parent, like := rawjson.Value("null"), -1
	switch {
	case g.last >= 0:
		parent, like = w.parentOf(g.first), g.last
	case g.next >= 0:
		parent, like = w.parentOf(g.next), g.next
	default:
		for k := len(w.l.path) - 1; k >= 0 && like < 0; k-- {
			like = w.l.path[k]
			if parent = rawjson.Quote(w.l.lines[like].uuid); w.gone[like] {
				parent = w.parentOf(like)
			}
		}
	}
	if w.l.flat || string(parent) == `""` {
		parent = rawjson.Value("null")
	}
	var lines []rawjson.Value
	for _, m := range g.new {
		made, err := w.fresh(m, like)
		if err != nil {
			return err
		}
		lines = append(lines, made...)
	}
	for k := range lines {
		uuid := w.uuid(parent, lines[k])
		if k == len(lines)-1 && g.last >= 0 && w.l.lines[g.last].uuid != "" {
			uuid = w.l.lines[g.last].uuid
		}
		lines[k] = lines[k].With("parentUuid", parent).With("uuid", rawjson.Quote(uuid))
		if parent = rawjson.Quote(uuid); w.l.flat {
			parent = rawjson.Value("null")
		}
	}
	switch {
	case g.last >= 0:
		w.taken[g.last] = lines
	case g.next >= 0:
		w.before[g.next] = append(w.before[g.next], lines...)
		if !w.l.flat {
			raw, ok := w.edited[g.next]
			if !ok {
				raw = w.l.lines[g.next].raw
			}
			w.edited[g.next] = raw.With("parentUuid", parent)
		}
	default:
		w.after[like] = append(w.after[like], lines...)
	}
	return nil
}

// parentOf returns the parentUuid for a child of line i: that of the nearest line which is kept.
func (w *writer) parentOf(i int) rawjson.Value {
	up := w.l.written[i]
	if up < 0 {
		if old := w.l.lines[i].raw.Member("parentUuid"); len(old) > 0 {
			return old // null, or a line that is not in this file
		}
		return rawjson.Value("null")
	}
	for steps := 0; up >= 0 && steps <= len(w.l.lines); steps++ {
		if _, taken := w.taken[up]; !w.gone[up] || taken || w.bridge[up] {
			return rawjson.Quote(w.l.lines[up].uuid)
		}
		up = w.l.written[up]
	}
	return rawjson.Value("null")
}

// fresh writes the lines of an inserted message, without uuid and parentUuid.
// like is a line nearby from which the session is copied, -1 for none.
func (w *writer) fresh(m *msg.Message, like int) ([]rawjson.Value, error) {
	if g, ok := m.Origin.(*group); ok && w.l.has(g) { // it moved
		if !m.Changed {
			lines := make([]rawjson.Value, len(g.lines))
			for k, i := range g.lines {
				lines[k] = w.l.lines[i].raw
			}
			return lines, nil
		}
		share, err := w.l.rewrite(g, m)
		var lines []rawjson.Value
		for _, i := range g.lines {
			if share[i] != nil {
				lines = append(lines, share[i])
			}
		}
		return lines, err
	}
	message, err := w.message(m)
	if err != nil {
		return nil, err
	}
	kind := "user"
	if m.Role == msg.Assistant {
		kind = "assistant"
	}
	raw := w.envelope(like).With("type", rawjson.Quote(kind))
	if m.Meta {
		raw = raw.With("isMeta", rawjson.Value("true"))
	}
	for k := range m.Blocks {
		if m.Blocks[k].Kind == msg.KindSummary {
			raw = raw.With("isCompactSummary", rawjson.Value("true"))
			break
		}
	}
	return []rawjson.Value{raw.With("message", message)}, nil
}

// has reports whether a group belongs to this log.
func (l *log) has(g *group) bool {
	for _, known := range l.groups {
		if known == g {
			return true
		}
	}
	return false
}

// message writes the API message of a new line. The content of an assistant's is an array, as the agent expects.
func (w *writer) message(m *msg.Message) (rawjson.Value, error) {
	blocks := m.Blocks
	raw := block.NewMessage(m.Role)
	if m.Role == msg.Assistant {
		blocks = append([]msg.Block(nil), m.Blocks...)
		for k := range blocks {
			blocks[k].Bare = false
		}
		if raw = raw.With("type", rawjson.Value(`"message"`)); w.model != "" {
			raw = raw.With("model", rawjson.Quote(w.model))
		}
	}
	content, err := block.Content(nil, blocks)
	return raw.With("content", content), err
}

// envelope returns the start of a new line: the members that identify the session, copied from the line like.
func (w *writer) envelope(like int) rawjson.Value {
	raw := rawjson.Value(`{"parentUuid":null,"isSidechain":false}`)
	if like < 0 {
		return raw
	}
	for it := w.l.lines[like].raw.Walk(); it.Next(); {
		name, value := it.Name, it.Value
		switch name {
		case "isSidechain", "agentId", "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "slug",
			"timestamp":
			raw = raw.With(name, value)
		}
	}
	return raw
}

// bridged returns the line that replaces a message which was removed without a replacement.
func (w *writer) bridged(i int) rawjson.Value {
	return w.envelope(i).With("parentUuid", w.parentOf(i)).With("type", rawjson.Value(`"system"`)).
		With("subtype", rawjson.Value(`"informational"`)).With("content", rawjson.Value(`"Compacted"`)).
		With("level", rawjson.Value(`"info"`)).With("uuid", rawjson.Quote(w.l.lines[i].uuid))
}

// uuid returns a uuid for a new line (version 8 of RFC 9562: application-specific content).
func (w *writer) uuid(parent, content rawjson.Value) string {
	sum := sha256.Sum(append(append([]byte(nil), parent...), content...))
	for {
		sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
		h := sha256.Hex(sum, 32)
		uuid := h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
		if _, used := w.l.uuids[uuid]; !used && !w.drawn[uuid] {
			w.drawn[uuid] = true
			return uuid
		}
		sum = sha256.Sum(sum[:])
	}
}

// longest marks a longest run of messages that are still in their old order; the others moved or are new.
func longest(order []int) []bool {
	tails := []int(nil) // tails[n]: the message with the smallest order that ends a run of n+1
	before := make([]int, len(order))
	for i, o := range order {
		if o < 0 {
			continue
		}
		n := sort.Search(len(tails), func(k int) bool { return order[tails[k]] >= o })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	keep := make([]bool, len(order))
	if len(tails) > 0 {
		for i := tails[len(tails)-1]; i >= 0; i = before[i] {
			keep[i] = true
		}
	}
	return keep
}
