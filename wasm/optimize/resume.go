package main

import (
	"encoding/binary"
	"errors"
)

var (
	errIrreducible = errors.New("irreducible control flow")
	errDeadResume  = errors.New("a resume point that no path reaches")
)

// addResumeEntries gives the function a single entry, block 0, which branches on PC_B to the first block or to a
// resume point.
//
// A resume point inside of loops is reached through the loop headers, since a wasm loop has one entry. Each such
// header gets a dispatch block, which becomes the target of all edges to the header and branches on a new local, the
// selector. The selector is the number of a path to a resume point, and 0 in all other cases: it is set before the
// outermost header and reset before the resume point.
//
// On failure the function is unusable: errIrreducible or errDeadResume.
func (f *function) addResumeEntries() error {
	first := f.insertEntry()
	g := newFlowGraph(f.blocks)
	if !g.isReducible() {
		return errIrreducible
	}
	if len(f.resumePoint) == 0 {
		return nil
	}
	loops := g.enclosingLoops()
	p := pathBuilder{function: f, dispatchBlocks: map[int]int{}}
	start := map[int]int{first: first} // first block of the path to each block of resumeTable
	for _, b := range f.resumePoint {
		if g.rpoIndex[b] == unreachable {
			return errDeadResume
		}
		if _, ok := start[b]; !ok {
			start[b] = p.addPath(b, loops[b])
		}
	}
	p.connect()
	entry := basicBlock{dispatch: true, local: 0}
	to := first
	for _, b := range f.resumeTable {
		// No caller passes the other values. They continue the run of the one before, which compresses best.
		if path, ok := start[b]; ok {
			to = path
		}
		if dispatch, ok := p.dispatchBlocks[to]; ok {
			to = dispatch
		}
		entry.successors = append(entry.successors, to)
	}
	f.blocks[0] = entry
	return nil
}

// insertEntry makes block 0 an empty block in front of the former first block, and returns the new index of that.
func (f *function) insertEntry() int {
	first := f.add(f.blocks[0])
	renumber := func(list []int) {
		for i, b := range list {
			if b == 0 {
				list[i] = first
			}
		}
	}
	for _, b := range f.blocks[1:] {
		renumber(b.successors)
	}
	renumber(f.resumeTable)
	renumber(f.resumePoint)
	f.blocks[0] = basicBlock{successors: []int{first}}
	return first
}

func (f *function) add(b basicBlock) int {
	f.blocks = append(f.blocks, b)
	return len(f.blocks) - 1
}

// A pathBuilder adds paths to resume points inside of loops.
type pathBuilder struct {
	*function
	dispatchBlocks map[int]int // by loop header
	edges          []selectedEdge
	paths          int // the selector is 1 to paths on a path
}

// A selectedEdge leads from a dispatch block to a block, for one value of the selector.
type selectedEdge struct{ dispatch, selector, to int }

// addPath adds a path to a resume point through the headers of the loops around it, and returns the first block of
// the path.
func (p *pathBuilder) addPath(resume int, headers []int) int {
	if len(headers) == 0 {
		return resume
	}
	p.paths++
	start := p.add(basicBlock{code: setLocal(p.localCount, p.paths), successors: []int{p.dispatchBlock(headers[0])}})
	for i, header := range headers {
		var to int
		if i+1 < len(headers) {
			to = p.dispatchBlock(headers[i+1])
		} else {
			to = p.add(basicBlock{code: setLocal(p.localCount, 0), successors: []int{resume}})
		}
		p.edges = append(p.edges, selectedEdge{p.dispatchBlock(header), p.paths, to})
	}
	return start
}

// dispatchBlock returns the dispatch block of a loop header, which it adds on first use.
func (p *pathBuilder) dispatchBlock(header int) int {
	dispatch, ok := p.dispatchBlocks[header]
	if !ok {
		dispatch = p.add(basicBlock{dispatch: true, local: p.localCount})
		p.dispatchBlocks[header] = dispatch
	}
	return dispatch
}

// connect redirects the edges to loop headers to their dispatch blocks, sets the successors of those, and declares
// the selector.
func (p *pathBuilder) connect() {
	if p.paths == 0 {
		return
	}
	for _, b := range p.blocks {
		for i, to := range b.successors {
			if dispatch, ok := p.dispatchBlocks[to]; ok {
				b.successors[i] = dispatch
			}
		}
	}
	for header, dispatch := range p.dispatchBlocks {
		successors := make([]int, p.paths+2) // 0, the paths, and all larger values
		for i := range successors {
			successors[i] = header
		}
		p.blocks[dispatch].successors = successors
	}
	for _, e := range p.edges {
		p.blocks[e.dispatch].successors[e.selector] = e.to
	}
	p.declareSelector()
}

// declareSelector adds a group of one i32 to the declarations of locals.
func (p *pathBuilder) declareSelector() {
	r := reader{rest: p.locals}
	groups := r.uleb()
	p.locals = append(binary.AppendUvarint(nil, groups+1), r.rest...)
	p.locals = append(p.locals, 1, typeI32)
}

func setLocal(local uint64, value int) []byte {
	return appendOp(appendSleb([]byte{opI32Const}, uint64(value)), opLocalSet, local)
}
