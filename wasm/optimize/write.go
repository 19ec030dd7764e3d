package main

import (
	"encoding/binary"
	"slices"
)

// A writer puts the nodes of a function into blocks and loops: Ramsey, Beyond Relooper: Recursive Translation of Unstructured Control
// Flow to Structured Control Flow (2022). A node stands within the one above it; where more than one way leads ahead to it, it stands
// after a block, and the ways are branches out of that.
type writer struct {
	*function
	*graph
	code   []byte
	merges []bool  // the nodes that stand after a block
	below  [][]int // of those, the ones that each node is above of, in order
	labels []int   // where the open blocks lead to, the outermost first
	spare  int     // where code ends with a branch to the end of the innermost block; 0 where it does not
}

// What is no node has a label of its own.
const (
	labelLeave = -1
	labelIf    = -2
)

// newWriter is for a function that has been entered, with its graph.
func newWriter(f *function, g *graph) *writer {
	w := &writer{function: f, graph: g, merges: make([]bool, len(f.nodes)), below: make([][]int, len(f.nodes))}
	for _, at := range w.order {
		ahead := 0
		for _, from := range w.before[at] {
			if !w.back(from, at) {
				ahead++
				w.merges[at] = ahead > 1 || w.nodes[from].chooses // a table holds nothing but labels
			}
		}
		if w.merges[at] {
			w.below[w.above[at]] = append(w.below[w.above[at]], at)
		}
	}
	return w
}

func (w *writer) write() []byte {
	w.code = append(w.code, w.locals...)
	for _, in := range readsStack {
		w.code = appendOp(w.code, in.op, in.arg)
	}
	if w.unwinds {
		w.open(opBlock, labelLeave)
	}
	w.tree(0)
	w.code = append(w.code, opUnreachable)
	if w.unwinds {
		w.close()
		w.code = append(w.code, opI32Const, 1)
	}
	return append(w.code, opEnd)
}

func (w *writer) open(op byte, to int) {
	w.code = append(w.code, op, typeVoid)
	w.labels = append(w.labels, to)
}

func (w *writer) close() {
	if w.spare > 0 && w.spare == len(w.code) {
		w.code = w.code[:len(w.code)-2] // the end of a block leads there anyway
	}
	w.spare = 0
	w.code = append(w.code, opEnd)
	w.labels = w.labels[:len(w.labels)-1]
}

// label finds where a branch to a node leads, counted from the innermost block.
func (w *writer) label(to int) uint64 {
	for i := len(w.labels) - 1; ; i-- {
		if w.labels[i] == to {
			return uint64(len(w.labels) - 1 - i)
		}
	}
}

// tree writes a node and those that it is above of.
func (w *writer) tree(at int) {
	loop := w.head(at)
	if loop {
		w.open(opLoop, at)
	}
	for _, to := range slices.Backward(w.below[at]) {
		w.open(opBlock, to)
	}
	w.node(at)
	for _, to := range w.below[at] {
		w.close()
		w.tree(to)
	}
	if loop {
		w.close()
	}
}

func (w *writer) node(at int) {
	n, done := &w.nodes[at], 0
	for _, l := range n.leaves {
		w.code = append(w.code, n.code[done:l.at]...)
		w.code = appendOp(w.code, opBrIf, w.label(labelLeave)+uint64(l.depth))
		done = l.at
	}
	w.code = append(w.code, n.code[done:]...)
	switch {
	case n.chooses:
		w.table(n)
	case len(n.next) == 1:
		w.follow(at, n.next[0])
	case len(n.next) == 2:
		w.fork(at, n.next[0], n.next[1])
	}
}

// branched tells whether a branch leads from one node to another, and not the next instruction.
func (w *writer) branched(from, to int) bool { return w.merges[to] || w.back(from, to) }

// follow writes the way to the only node to go to.
func (w *writer) follow(at, to int) {
	if !w.branched(at, to) {
		w.tree(to)
		return
	}
	label := w.label(to)
	w.code = appendOp(w.code, opBr, label)
	if label == 0 && !w.back(at, to) {
		w.spare = len(w.code)
	}
}

// fork writes the ways to two nodes, with the condition on the stack.
func (w *writer) fork(at, yes, no int) {
	if !w.branched(at, yes) && w.branched(at, no) {
		w.code = append(w.code, opI32Eqz)
		yes, no = no, yes
	}
	if w.branched(at, yes) {
		w.code = appendOp(w.code, opBrIf, w.label(yes))
	} else {
		w.open(opIf, labelIf)
		w.tree(yes)
		w.close()
	}
	w.follow(at, no)
}

// table writes the ways to many nodes.
func (w *writer) table(n *node) {
	last := len(n.next) - 1
	for last > 0 && n.next[last-1] == n.next[last] {
		last--
	}
	if n.local > 0 { // a door: nearly always the local is 0
		w.code = appendOp(w.code, opLocalGet, n.local)
		w.code = appendOp(append(w.code, opI32Eqz), opBrIf, w.label(n.next[0]))
	}
	w.code = appendOp(w.code, opLocalGet, n.local)
	w.code = binary.AppendUvarint(append(w.code, opBrTable), uint64(last))
	for _, to := range n.next[:last+1] {
		w.code = binary.AppendUvarint(w.code, w.label(to))
	}
}
