package jsonl

import (
	"slices"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
)

// The rules of the tree:
//   - the last line with an id is the newest leaf, and the path leads from it to its root; of an id that is there twice
//     the last line counts
//   - in a file in which no line has an id, all lines are the path
//   - a parent that is not in the file is replaced by the entry above, with a warning: its line cannot be read
//   - a file that is written has the lines of its path in their order

// Tree is the path of a log whose lines have ids and name the line before them.
type Tree struct {
	ID, Parent string // the members of a line that have its id, and that of the line before it
	Size       int    // of a new id, in hexadecimal digits
	Leaf       string // a line without a message, for a leaf that was removed
	HasIDs     bool
	IDs        map[string]int // the lines
	Path       []int          // lines from the root to the leaf, without the header
	missing    []bool         // the lines of the path whose parent is not in the file
}

// Walk finds the path.
func (t *Tree) Walk(lines []Line) {
	t.IDs, t.missing = map[string]int{}, make([]bool, len(lines))
	leaf := -1
	var all []int
	above := make([]int, len(lines)) // the line with an id above one
	for i := range lines {
		raw := lines[i].Raw
		if kind := raw.Member("type").Text(); raw == nil || kind == "session" || kind == "" {
			continue
		}
		all = append(all, i)
		if id := raw.Member(t.ID).Text(); id != "" {
			above[i] = leaf
			t.IDs[id], leaf = i, i
		}
	}
	if t.HasIDs = leaf >= 0; t.HasIDs {
		all = nil
		seen := map[int]bool{}
		for ok := true; ok && !seen[leaf]; {
			seen[leaf] = true
			all = append(all, leaf)
			line := leaf
			parent := lines[line].Raw.Member(t.Parent).Text()
			if leaf, ok = t.IDs[parent]; !ok && parent != "" && above[line] >= 0 {
				leaf, ok = above[line], true
				t.missing[line] = !seen[leaf]
			}
		}
		slices.Reverse(all)
	}
	t.Path = all
}

// Warn adds a warning if the parent of line i is not in the file.
func (t *Tree) Warn(c *msg.Conversation, i int) {
	if t.missing[i] {
		c.Warnings = append(c.Warnings, msg.Warning{Code: "missing_parent", Path: Pointer(i),
			Message: "the parent of " + Number(i) + " is not in the file: the entry above it is taken as the parent"})
	}
}

// Linker connects the lines of a file that changed.
type Linker struct {
	*Tree
	Lines   []Line
	Out     []Written
	Written map[int]bool // the lines that are left
	Place   map[int]int  // of a line in the path
}

// Link begins to connect lines.
func (t *Tree) Link(lines []Line, out []Written) *Linker {
	k := &Linker{Tree: t, Lines: lines, Out: out, Written: map[int]bool{}, Place: map[int]int{}}
	for _, n := range out {
		if !n.New {
			k.Written[n.Line] = true
		}
	}
	for at, i := range t.Path {
		k.Place[i] = at
	}
	return k
}

// Chain gives new entries an id, and every entry of the path the one before it as its parent.
func (k *Linker) Chain() {
	if !k.HasIDs {
		return
	}
	parent, before, last := rawjson.Value("null"), -1, -1 // before: the line of parent, -1 for a new one
	for o := range k.Out {
		n := &k.Out[o]
		at, onPath := k.Place[n.Line]
		switch {
		case n.New:
			id := k.id(n.Raw)
			n.Raw = n.Raw.With(k.ID, id).With(k.Parent, parent)
			parent, before, last = id, -1, o
		case onPath:
			if old := k.Lines[n.Line].Raw.Member(k.Parent); !(at == 0 && before < 0 && last < 0) &&
				!(at > 0 && before == k.Path[at-1] && !k.missing[n.Line]) && !document.Same(old, parent) {
				n.Raw = n.Raw.With(k.Parent, parent)
			}
			parent, before, last = n.Raw.Member(k.ID), n.Line, o
		default:
			k.reparent(n)
		}
	}
	leaf := k.Path[len(k.Path)-1]
	if k.Written[leaf] || last == k.lastEntry() {
		return
	}
	// The leaf is gone, and an entry of another branch is the last one now.
	k.Out = append(k.Out, Written{Line: leaf, New: true, Raw: rawjson.Value(k.Leaf).
		With(k.ID, k.Lines[leaf].Raw.Member(k.ID)).With(k.Parent, parent)})
}

// lastEntry returns the place of the last line with an id.
func (k *Linker) lastEntry() int {
	for o := len(k.Out) - 1; o >= 0; o-- {
		if raw := k.Out[o].Raw; raw.Member(k.ID).Text() != "" && raw.Member("type").Text() != "session" {
			return o
		}
	}
	return -1
}

// reparent gives an entry of another branch the nearest ancestor that is left.
func (k *Linker) reparent(n *Written) {
	id := n.Raw.Member(k.Parent)
	up, ok := k.IDs[id.Text()]
	for steps := 0; ok && !k.Written[up] && steps < len(k.Lines); steps++ {
		id = k.Lines[up].Raw.Member(k.Parent)
		up, ok = k.IDs[id.Text()]
	}
	if !document.Same(id, n.Raw.Member(k.Parent)) {
		n.Raw = n.Raw.With(k.Parent, id)
	}
}

// id returns the id of a new entry, which no other one has.
func (k *Linker) id(raw rawjson.Value) rawjson.Value {
	for sum := sha256.Sum(raw); ; sum = sha256.Sum(sum[:]) {
		id := sha256.Hex(sum, k.Size)
		if _, used := k.IDs[id]; !used {
			k.IDs[id] = -1
			return rawjson.Quote(id)
		}
	}
}
