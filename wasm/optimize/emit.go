package main

import (
	"encoding/binary"
	"slices"
)

// An emitter translates a control-flow graph to structured control flow: Ramsey, Beyond Relooper (2022). It walks the
// dominator tree: each block is emitted inside of its immediate dominator. A merge node is emitted behind the end of
// a wasm block that its immediate dominator opens, and forward edges to it are branches out of that wasm block. A
// loop header opens a wasm loop, and back edges are branches to that.
type emitter struct {
	*function
	*flowGraph
	code          []byte
	isMerge       []bool
	mergeChildren [][]int // merge nodes by immediate dominator, in reverse postorder
	labels        []int   // targets of the open wasm blocks, the innermost last
	trailingBr    int     // len(code) after a branch to the end of the innermost wasm block, or 0
}

// Labels of wasm blocks that are not the target of an edge.
const (
	labelUnwind = -1
	labelIf     = -2
)

// newEmitter is called after addResumeEntries, with the graph of the result, which must be reducible.
func newEmitter(f *function, g *flowGraph) *emitter {
	blocks := len(f.blocks)
	e := &emitter{function: f, flowGraph: g, isMerge: make([]bool, blocks), mergeChildren: make([][]int, blocks)}
	for _, b := range e.reversePostorder {
		forward := 0
		for _, from := range e.predecessors[b] {
			if !e.isBackEdge(from, b) {
				forward++
				e.isMerge[b] = forward > 1 || e.blocks[from].dispatch // the targets of a br_table are labels
			}
		}
		if e.isMerge[b] {
			e.mergeChildren[e.idom[b]] = append(e.mergeChildren[e.idom[b]], b)
		}
	}
	return e
}

// body returns the body of the function.
func (e *emitter) body() []byte {
	e.code = append(e.code, e.locals...)
	for _, in := range prologue {
		e.code = appendOp(e.code, in.op, in.arg)
	}
	if e.unwinds {
		e.open(opBlock, labelUnwind)
	}
	e.subtree(0)
	e.code = append(e.code, opUnreachable)
	if e.unwinds {
		e.close()
		e.code = append(e.code, opI32Const, 1)
	}
	return append(e.code, opEnd)
}

func (e *emitter) open(op byte, target int) {
	e.code = append(e.code, op, typeVoid)
	e.labels = append(e.labels, target)
}

func (e *emitter) close() {
	if e.trailingBr > 0 && e.trailingBr == len(e.code) {
		e.code = e.code[:len(e.code)-2] // the branch is to the next instruction
	}
	e.trailingBr = 0
	e.code = append(e.code, opEnd)
	e.labels = e.labels[:len(e.labels)-1]
}

// label returns the label of a target: 0 is the innermost wasm block. The target must be open.
func (e *emitter) label(target int) uint64 {
	for i := len(e.labels) - 1; ; i-- {
		if e.labels[i] == target {
			return uint64(len(e.labels) - 1 - i)
		}
	}
}

// subtree emits a block and the blocks that it dominates.
func (e *emitter) subtree(b int) {
	loop := e.isLoopHeader(b)
	if loop {
		e.open(opLoop, b)
	}
	for _, merge := range slices.Backward(e.mergeChildren[b]) {
		e.open(opBlock, merge)
	}
	e.block(b)
	for _, merge := range e.mergeChildren[b] {
		e.close()
		e.subtree(merge)
	}
	if loop {
		e.close()
	}
}

// block emits the code of a block, and its edges.
func (e *emitter) block(index int) {
	b, copied := &e.blocks[index], 0
	for _, u := range b.unwinds {
		e.code = append(e.code, b.code[copied:u.offset]...)
		e.code = appendOp(e.code, opBrIf, e.label(labelUnwind)+uint64(u.depth))
		copied = u.offset
	}
	e.code = append(e.code, b.code[copied:]...)
	switch {
	case b.dispatch:
		e.dispatchEdges(b)
	case len(b.successors) == 1:
		e.edge(index, b.successors[0])
	case len(b.successors) == 2:
		e.conditionalEdges(index, b.successors[0], b.successors[1])
	}
}

// isBranch reports whether an edge is a branch. Otherwise its target is emitted in place.
func (e *emitter) isBranch(from, to int) bool { return e.isMerge[to] || e.isBackEdge(from, to) }

// edge emits the only edge of a block.
func (e *emitter) edge(from, to int) {
	if !e.isBranch(from, to) {
		e.subtree(to)
		return
	}
	label := e.label(to)
	e.code = appendOp(e.code, opBr, label)
	if label == 0 && !e.isBackEdge(from, to) {
		e.trailingBr = len(e.code)
	}
}

// conditionalEdges emits two edges. The condition is on the stack.
func (e *emitter) conditionalEdges(from, yes, no int) {
	if !e.isBranch(from, yes) && e.isBranch(from, no) {
		e.code = append(e.code, opI32Eqz)
		yes, no = no, yes
	}
	if e.isBranch(from, yes) {
		e.code = appendOp(e.code, opBrIf, e.label(yes))
	} else {
		e.open(opIf, labelIf)
		e.subtree(yes)
		e.close()
	}
	e.edge(from, no)
}

// dispatchEdges emits the edges of a dispatch block.
func (e *emitter) dispatchEdges(b *basicBlock) {
	last := len(b.successors) - 1
	for last > 0 && b.successors[last-1] == b.successors[last] {
		last--
	}
	if b.local > 0 { // a selector, which is nearly always 0: test that first
		e.code = appendOp(e.code, opLocalGet, b.local)
		e.code = appendOp(append(e.code, opI32Eqz), opBrIf, e.label(b.successors[0]))
	}
	e.code = appendOp(e.code, opLocalGet, b.local)
	e.code = binary.AppendUvarint(append(e.code, opBrTable), uint64(last))
	for _, to := range b.successors[:last+1] {
		e.code = binary.AppendUvarint(e.code, e.label(to))
	}
}
