package pi

import (
	"slices"
	"strconv"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
)

// The rules of the tree are those of jsonl.Tree; in addition:
//   - in a file of version 1 no line has an id
//   - the newest compaction of the path hides the entries before the first one that it keeps

// tree is the path of a file.
type tree struct {
	jsonl.Tree
	compaction int // the place of the newest compaction in path, -1 for none
	kept       int // the place of the first entry that is not hidden
}

func walk(lines []jsonl.Line) *tree {
	t := &tree{compaction: -1, Tree: jsonl.Tree{ID: "id", Parent: "parentId", Size: 8,
		Leaf: `{"type":"custom","customType":"tamp"}`}}
	t.Walk(lines)
	for k, i := range t.Path {
		if lines[i].Raw.Member("type").Text() == "compaction" {
			t.compaction = k
		}
	}
	if t.compaction >= 0 {
		t.kept = t.firstKept(lines)
	}
	return t
}

// edits returns the contents that context edits of the path give to messages, by the id of the entry: the newest
// counts, and null takes a message out.
func (t *tree) edits(lines []jsonl.Line) map[string]rawjson.Value {
	edits := map[string]rawjson.Value{}
	for _, i := range t.Path {
		if raw := lines[i].Raw; raw.Member("type").Text() == edit {
			edits[raw.Member("targetId").Text()] = raw.Member("replacement")
		}
	}
	delete(edits, "")
	return edits
}

const edit = "context_edit"

// firstKept returns the place of the first entry that the compaction keeps; its own if there is none.
func (t *tree) firstKept(lines []jsonl.Line) int {
	raw := lines[t.Path[t.compaction]].Raw
	first := -1
	if number := raw.Member("firstKeptEntryIndex"); !t.HasIDs && number.Kind() == '0' {
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
		if k := slices.IndexFunc(t.Path, func(i int) bool { return first >= 0 && i >= first }); k >= 0 {
			return min(k, t.compaction)
		}
		return t.compaction
	}
	id := raw.Member("firstKeptEntryId").Text()
	for k, i := range t.Path[:t.compaction] {
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
	return l.Like(rawjson.Value(`{"type":"message"}`), like, "timestamp").With("message", message)
}

// linker connects the lines of a file that changed.
type linker struct {
	*jsonl.Linker
	*tree
}

func link(l *jsonl.Log, out []jsonl.Written) []jsonl.Written {
	t := walk(l.Lines)
	k := linker{tree: t, Linker: t.Link(l.Lines, out)}
	if k.compaction >= 0 && !k.Written[t.Path[k.compaction]] {
		k.hide()
	}
	k.unedit()
	k.Chain()
	if k.compaction >= 0 && k.Written[t.Path[k.compaction]] {
		k.keep()
	}
	return k.Out
}

// hide makes entries that a removed compaction hid, and older compactions, entries without a message.
func (k *linker) hide() {
	for o := range k.Out {
		n := &k.Out[o]
		at, ok := k.Place[n.Line]
		if kind := n.Raw.Member("type").Text(); !n.New && ok && (kind == "compaction" || at < k.kept &&
			(kind == "message" || kind == "custom_message" || kind == "branch_summary")) {
			n.Raw = n.Raw.With("type", rawjson.Value(`"custom"`)).With("customType", rawjson.Quote("hidden_"+kind))
		}
	}
}

// unedit makes the edits of entries that changed or are gone entries without effect: the new content counts.
func (k *linker) unedit() {
	same := map[string]bool{}
	for _, n := range k.Out {
		if !n.New && document.Same(n.Raw, k.Lines[n.Line].Raw) {
			same[n.Raw.Member("id").Text()] = true
		}
	}
	for o := range k.Out {
		n := &k.Out[o]
		if n.Raw.Member("type").Text() == edit && !n.New && !same[n.Raw.Member("targetId").Text()] {
			n.Raw = n.Raw.With("type", rawjson.Value(`"custom"`)).With("customType", rawjson.Quote(edit))
		}
	}
}

// keep makes the compaction name the first entry that is left of those that it keeps.
func (k *linker) keep() {
	compaction, first := k.tree.Path[k.compaction], k.tree.Path[k.kept]
	if k.kept == k.compaction {
		return
	}
	target, number, seen, above := -1, 0, 0, -1
	for o := range k.Out {
		n := &k.Out[o]
		at, onPath := k.Place[n.Line]
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
	n := &k.Out[above]
	switch {
	case !k.tree.HasIDs:
		if target < 0 {
			number = seen
		}
		if text := rawjson.Value(strconv.Itoa(number)); !document.Same(text, n.Raw.Member("firstKeptEntryIndex")) {
			n.Raw = n.Raw.With("firstKeptEntryIndex", text)
		}
	case target >= 0 && (k.Out[target].New || k.Out[target].Line != first):
		n.Raw = n.Raw.With("firstKeptEntryId", k.Out[target].Raw.Member("id"))
	}
}
