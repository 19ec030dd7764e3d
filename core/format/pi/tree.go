package pi

import (
	"slices"
	"strconv"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/sha256"
)

// The rules of the tree:
//   - the last line with an id is the newest leaf, and the path leads from it to its root; of an id that is there twice
//     the last line counts
//   - in a file of version 1 no line has an id: all lines are the path
//   - a parent that is not in the file is replaced by the entry above, with a warning: its line cannot be read
//   - the newest compaction of the path hides the entries before the first one that it keeps
//   - a file that is written has the lines of its path in their order

// tree is the path of a file.
type tree struct {
	hasIDs     bool
	ids        map[string]int // the lines
	missing    []bool         // the lines of the path whose parent is not in the file
	path       []int          // lines from the root to the leaf, without the header
	compaction int            // the place of the newest compaction in path, -1 for none
	kept       int            // the place of the first entry that is not hidden
}

func walk(lines []jsonl.Line) *tree {
	t := &tree{ids: map[string]int{}, missing: make([]bool, len(lines)), compaction: -1}
	leaf := -1
	var all []int
	above := make([]int, len(lines)) // the line with an id above one
	for i := range lines {
		raw := lines[i].Raw
		if kind := raw.Member("type").Text(); raw == nil || kind == "session" || kind == "" {
			continue
		}
		all = append(all, i)
		if id := raw.Member("id").Text(); id != "" {
			above[i] = leaf
			t.ids[id], leaf = i, i
		}
	}
	if t.hasIDs = leaf >= 0; t.hasIDs {
		all = nil
		seen := map[int]bool{}
		for ok := true; ok && !seen[leaf]; {
			seen[leaf] = true
			all = append(all, leaf)
			line := leaf
			parent := lines[line].Raw.Member("parentId").Text()
			if leaf, ok = t.ids[parent]; !ok && parent != "" && above[line] >= 0 {
				leaf, ok = above[line], true
				t.missing[line] = !seen[leaf]
			}
		}
		slices.Reverse(all)
	}
	t.path = all
	for k, i := range t.path {
		if lines[i].Raw.Member("type").Text() == "compaction" {
			t.compaction = k
		}
	}
	if t.compaction >= 0 {
		t.kept = t.firstKept(lines)
	}
	return t
}

// firstKept returns the place of the first entry that the compaction keeps; its own if there is none.
func (t *tree) firstKept(lines []jsonl.Line) int {
	raw := lines[t.path[t.compaction]].Raw
	first := -1
	if number := raw.Member("firstKeptEntryIndex"); !t.hasIDs && number.Kind() == '0' {
		n := document.Int(number)
		for i := range lines {
			if lines[i].Raw == nil {
				continue
			}
			if n == 0 {
				first = i
			}
			n--
		}
		if k := slices.IndexFunc(t.path, func(i int) bool { return first >= 0 && i >= first }); k >= 0 {
			return min(k, t.compaction)
		}
		return t.compaction
	}
	id := raw.Member("firstKeptEntryId").Text()
	for k, i := range t.path[:t.compaction] {
		if id != "" && lines[i].Raw.Member("id").Text() == id {
			return k
		}
	}
	return t.compaction
}

// wrap returns the entry of a new message.
func wrap(l *jsonl.Log, message rawjson.Value, like int) rawjson.Value {
	if message.Member("role").Kind() != '"' { // an entry that was moved
		return message
	}
	line := rawjson.Value(`{"type":"message"}`)
	if like >= 0 && like < len(l.Lines) {
		if time := l.Lines[like].Raw.Member("timestamp"); time != nil {
			line = line.With("timestamp", time)
		}
	}
	return line.With("message", message)
}

// linker connects the lines of a file that changed.
type linker struct {
	*tree
	lines   []jsonl.Line
	out     []jsonl.Written
	written map[int]bool // the lines that are left
	place   map[int]int  // of a line in the path
}

func link(l *jsonl.Log, out []jsonl.Written) []jsonl.Written {
	k := linker{tree: walk(l.Lines), lines: l.Lines, out: out, written: map[int]bool{}, place: map[int]int{}}
	for _, n := range out {
		if !n.New {
			k.written[n.Line] = true
		}
	}
	for at, i := range k.path {
		k.place[i] = at
	}
	if k.compaction >= 0 && !k.written[k.path[k.compaction]] {
		k.hide()
	}
	if k.hasIDs {
		k.chain()
	}
	if k.compaction >= 0 && k.written[k.path[k.compaction]] {
		k.keep()
	}
	return k.out
}

// hide makes entries that a removed compaction hid, and older compactions, entries without a message.
func (k *linker) hide() {
	for o := range k.out {
		n := &k.out[o]
		at, ok := k.place[n.Line]
		if kind := n.Raw.Member("type").Text(); !n.New && ok && (kind == "compaction" || at < k.kept &&
			(kind == "message" || kind == "custom_message" || kind == "branch_summary")) {
			n.Raw = n.Raw.With("type", rawjson.Value(`"custom"`)).With("customType", rawjson.Quote("hidden_"+kind))
		}
	}
}

// chain gives new entries an id, and every entry of the path the one before it as its parent.
func (k *linker) chain() {
	parent, before, last := rawjson.Value("null"), -1, -1 // before: the line of parent, -1 for a new one
	for o := range k.out {
		n := &k.out[o]
		at, onPath := k.place[n.Line]
		switch {
		case n.New:
			id := k.id(n.Raw)
			n.Raw = n.Raw.With("id", id).With("parentId", parent)
			parent, before, last = id, -1, o
		case onPath:
			if old := k.lines[n.Line].Raw.Member("parentId"); !(at == 0 && before < 0 && last < 0) &&
				!(at > 0 && before == k.path[at-1] && !k.missing[n.Line]) && !document.Same(old, parent) {
				n.Raw = n.Raw.With("parentId", parent)
			}
			parent, before, last = n.Raw.Member("id"), n.Line, o
		default:
			k.reparent(n)
		}
	}
	leaf := k.path[len(k.path)-1]
	if k.written[leaf] || last == k.lastEntry() {
		return
	}
	// The leaf is gone, and an entry of another branch is the last one now.
	k.out = append(k.out, jsonl.Written{Line: leaf, New: true, Raw: rawjson.Value(`{"type":"custom","customType":"tamp"}`).
		With("id", k.lines[leaf].Raw.Member("id")).With("parentId", parent)})
}

// lastEntry returns the place of the last line with an id.
func (k *linker) lastEntry() int {
	for o := len(k.out) - 1; o >= 0; o-- {
		if raw := k.out[o].Raw; raw.Member("id").Text() != "" && raw.Member("type").Text() != "session" {
			return o
		}
	}
	return -1
}

// reparent gives an entry of another branch the nearest ancestor that is left.
func (k *linker) reparent(n *jsonl.Written) {
	id := n.Raw.Member("parentId")
	up, ok := k.ids[id.Text()]
	for steps := 0; ok && !k.written[up] && steps < len(k.lines); steps++ {
		id = k.lines[up].Raw.Member("parentId")
		up, ok = k.ids[id.Text()]
	}
	if !document.Same(id, n.Raw.Member("parentId")) {
		n.Raw = n.Raw.With("parentId", id)
	}
}

// id returns the id of a new entry, eight hexadecimal digits as pi's own.
func (k *linker) id(raw rawjson.Value) rawjson.Value {
	for sum := sha256.Sum(raw); ; sum = sha256.Sum(sum[:]) {
		id := sha256.Hex(sum, 8)
		if _, used := k.ids[id]; !used {
			k.ids[id] = -1
			return rawjson.Quote(id)
		}
	}
}

// keep makes the compaction name the first entry that is left of those that it keeps.
func (k *linker) keep() {
	compaction, first := k.path[k.compaction], k.path[k.kept]
	if k.kept == k.compaction {
		return
	}
	target, number, seen, above := -1, 0, 0, -1
	for o := range k.out {
		n := &k.out[o]
		at, onPath := k.place[n.Line]
		if !n.New && n.Line == compaction {
			above = o
			break
		}
		if target < 0 && onPath && at >= k.kept {
			target, number = o, seen
		}
		if n.Raw != nil {
			seen++
		}
	}
	if above < 0 {
		return
	}
	n := &k.out[above]
	switch {
	case !k.hasIDs:
		if target < 0 {
			number = seen
		}
		if text := rawjson.Value(strconv.Itoa(number)); !document.Same(text, n.Raw.Member("firstKeptEntryIndex")) {
			n.Raw = n.Raw.With("firstKeptEntryIndex", text)
		}
	case target >= 0 && (k.out[target].New || k.out[target].Line != first):
		n.Raw = n.Raw.With("firstKeptEntryId", k.out[target].Raw.Member("id"))
	}
}
