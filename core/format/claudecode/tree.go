package claudecode

import (
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// The rules of the tree:
//   - a line's parent is the nearest line above it with that uuid, else the first one below: logs repeat uuids
//   - a compact_boundary begins a new history, whatever its parent says; messages that it preserved follow its summary
//   - a missing parent is replaced by the message line above, with a warning
//   - if no line has a parent in the file, file order is the conversation
//   - sidechain lines belong to subagents, except in a file that has only such lines

// walk finds the path from the newest leaf to its root.
func (l *log) walk() error {
	l.mark()
	missing := l.link()
	l.spine = make([]bool, len(l.lines))
	if l.flat {
		for i := range l.lines {
			if l.isPart(i) {
				l.path, l.spine[i] = append(l.path, i), true
			}
		}
	} else if err := l.climb(); err != nil {
		return err
	}
	for _, i := range l.path {
		if missing[i] {
			l.warn("missing_parent", jsonl.Pointer(i),
				"the parent of "+jsonl.Number(i)+" is not in the file: the message above it is taken as the parent")
		}
	}
	return nil
}

// isPart reports whether a line is a message of a request.
func (l *log) isPart(i int) bool { n := &l.lines[i]; return n.isMessage && !n.sidechain && !n.excluded }

// mark clears sidechain if every line of the tree has it, so that the log of a subagent is a conversation.
func (l *log) mark() {
	for i := range l.lines {
		if n := &l.lines[i]; n.uuid != "" && n.kind != "" && !n.sidechain {
			return
		}
	}
	for i := range l.lines {
		l.lines[i].sidechain = false
	}
}

// link resolves each parentUuid, and reports the lines whose parent is missing.
func (l *log) link() (missing []bool) {
	n := len(l.lines)
	l.parent, l.written, missing = make([]int, n), make([]int, n), make([]bool, n)
	l.uuids = make(map[string]int, n)
	first := make(map[string]int, n)
	for i := range l.lines {
		if uuid := l.lines[i].uuid; uuid != "" {
			if _, ok := first[uuid]; !ok {
				first[uuid] = i
			}
		}
	}
	above, boundary := -1, -1 // above: the message that replaces a missing parent; boundary: the newest compact_boundary
	l.flat = true
	parts := 0
	for i := range l.lines {
		line := &l.lines[i]
		up := -1
		if line.parent != "" {
			var ok bool
			if up, ok = l.uuids[line.parent]; !ok {
				if up, ok = first[line.parent]; !ok || up == i {
					up = -1
				}
			}
		}
		l.written[i], l.parent[i] = up, up
		if up >= 0 && l.isPart(i) {
			l.flat = false
		}
		if line.subtype == "compact_boundary" && line.kind == "system" {
			l.parent[i], above, boundary = -1, i, i
			l.flat = false
		} else if up < 0 && line.parent != "" {
			l.parent[i], missing[i] = above, above >= 0
		}
		if l.isPart(i) {
			above = i
			parts++
		}
		if line.uuid != "" {
			l.uuids[line.uuid] = i
		}
	}
	l.flat = l.flat && parts > 1 // a single message is a tree: inserted messages become its parent or child
	if boundary >= 0 {
		l.preserve(boundary)
	}
	return missing
}

// preserve moves the messages that a compaction kept after their anchor (usually its summary), as the boundary line
// says: the head of the segment becomes a child of the anchor, and the other children of the anchor become children of
// its tail.
func (l *log) preserve(boundary int) {
	metadata := l.lines[boundary].raw.Member("compactMetadata")
	place := func(uuid rawjson.Value) int {
		if i, ok := l.uuids[uuid.Text()]; ok {
			return i
		}
		return -1
	}
	kept := metadata.Member("preservedMessages")
	if list := kept.Member("uuids").List(); len(list) > 0 { // newer: each message that is kept
		at := place(kept.Member("anchorUuid"))
		l.keep(boundary, at, list, place)
		return
	}
	segment := metadata.Member("preservedSegment")
	at := func(name string) int { return place(segment.Member(name)) }
	head, anchor, tail := at("headUuid"), at("anchorUuid"), at("tailUuid")
	if head < 0 || tail < head || tail >= boundary || anchor < boundary {
		return
	}
	i := tail
	for steps := 0; i != head; i = l.parent[i] {
		if steps++; steps > len(l.lines) || i > boundary {
			return // head and tail are not on one path
		}
		if l.parent[i] < 0 {
			return
		}
	}
	for i := range l.parent {
		if l.parent[i] == anchor && i > boundary && i != anchor {
			l.parent[i] = tail
		}
	}
	l.parent[head] = anchor
}

// keep makes the listed messages a chain below the anchor, if all are in the file before the boundary.
func (l *log) keep(boundary, anchor int, list []rawjson.Value, place func(rawjson.Value) int) {
	chain, seen := make([]int, 0, len(list)), map[int]bool{}
	for _, uuid := range list {
		i := place(uuid)
		if i < 0 || i >= boundary || seen[i] {
			return
		}
		chain, seen[i] = append(chain, i), true
	}
	if anchor < boundary {
		return
	}
	for i := range l.parent {
		if l.parent[i] == anchor && i > boundary && i != anchor {
			l.parent[i] = chain[len(chain)-1]
		}
	}
	up := anchor
	for _, i := range chain {
		l.parent[i], up = up, i
	}
}

// climb finds the newest leaf and follows its parents.
func (l *log) climb() error {
	inner := make([]bool, len(l.lines)) // has a message as a descendant
	newest := -1
	for i := range l.lines {
		if !l.isPart(i) {
			continue
		}
		newest = i
		for up := l.parent[i]; up >= 0 && !inner[up]; up = l.parent[up] {
			inner[up] = true
		}
	}
	leaf := newest
	for leaf >= 0 && (inner[leaf] || !l.isPart(leaf)) {
		leaf--
	}
	if leaf < 0 && newest >= 0 {
		return circle(newest)
	}
	var up []int
	for i := leaf; i >= 0; i = l.parent[i] {
		if l.spine[i] {
			return circle(i)
		}
		l.spine[i] = true
		if l.isPart(i) {
			up = append(up, i)
		}
	}
	for k := len(up) - 1; k >= 0; k-- {
		l.path = append(l.path, up[k])
	}
	return nil
}

func circle(i int) error {
	return msg.NewError(msg.BadMessage, jsonl.Pointer(i), "cannot read the session log: the parentUuid of "+
		jsonl.Number(i)+" leads in a circle; repair or remove that line")
}
