package main

import "slices"

// A flowGraph is the control-flow graph of a function, whose entry is block 0. Blocks are referred to by index.
type flowGraph struct {
	reversePostorder []int   // the reachable blocks: each one before its successors, except along back edges
	rpoIndex         []int   // index of each block in reversePostorder, or unreachable
	predecessors     [][]int // by block, with one element for each edge
	idom             []int   // immediate dominators; the entry is its own; unreachable for unreachable blocks
}

const unreachable = -1

func newFlowGraph(blocks []basicBlock) *flowGraph {
	g := &flowGraph{
		rpoIndex:     make([]int, len(blocks)),
		predecessors: make([][]int, len(blocks)),
		idom:         make([]int, len(blocks)),
	}
	visited := make([]bool, len(blocks))
	var visit func(int)
	visit = func(b int) {
		visited[b] = true
		// The last successor is first in reverse postorder: a block that is reached without a jump keeps its place.
		for _, to := range blocks[b].successors {
			g.predecessors[to] = append(g.predecessors[to], b)
			if !visited[to] {
				visit(to)
			}
		}
		g.reversePostorder = append(g.reversePostorder, b)
	}
	visit(0)
	slices.Reverse(g.reversePostorder)
	for b := range blocks {
		g.rpoIndex[b], g.idom[b] = unreachable, unreachable
	}
	for i, b := range g.reversePostorder {
		g.rpoIndex[b] = i
	}
	g.computeDominators()
	return g
}

// computeDominators is the algorithm of Cooper, Harvey and Kennedy (2001).
func (g *flowGraph) computeDominators() {
	g.idom[0] = 0
	for changed := true; changed; {
		changed = false
		for _, b := range g.reversePostorder[1:] {
			idom := unreachable
			for _, from := range g.predecessors[b] {
				switch {
				case g.idom[from] == unreachable: // not processed yet
				case idom == unreachable:
					idom = from
				default:
					idom = g.commonDominator(idom, from)
				}
			}
			if idom != g.idom[b] {
				g.idom[b], changed = idom, true
			}
		}
	}
}

// commonDominator returns the nearest common dominator of two blocks.
func (g *flowGraph) commonDominator(a, b int) int {
	for a != b {
		if g.rpoIndex[a] > g.rpoIndex[b] {
			a = g.idom[a]
		} else {
			b = g.idom[b]
		}
	}
	return a
}

// isBackEdge reports whether an edge goes against reverse postorder.
func (g *flowGraph) isBackEdge(from, to int) bool { return g.rpoIndex[to] <= g.rpoIndex[from] }

// isLoopHeader reports whether a block is the target of a back edge.
func (g *flowGraph) isLoopHeader(b int) bool {
	return slices.ContainsFunc(g.predecessors[b], func(from int) bool { return g.isBackEdge(from, b) })
}

// isReducible reports whether every loop has one entry: the target of each back edge dominates its source.
func (g *flowGraph) isReducible() bool {
	for _, b := range g.reversePostorder {
		for _, from := range g.predecessors[b] {
			if g.isBackEdge(from, b) && g.commonDominator(b, from) != b {
				return false
			}
		}
	}
	return true
}

// enclosingLoops returns for each block the headers of the natural loops that contain it, the outermost first. A
// header is not in its own list. The graph must be reducible.
func (g *flowGraph) enclosingLoops() [][]int {
	headers := make([][]int, len(g.rpoIndex))
	for _, header := range g.reversePostorder { // the header of an outer loop is before those of its inner loops
		inLoop := map[int]bool{header: true}
		var visit func(int)
		visit = func(b int) {
			if inLoop[b] {
				return
			}
			inLoop[b] = true
			headers[b] = append(headers[b], header)
			for _, from := range g.predecessors[b] {
				visit(from)
			}
		}
		for _, from := range g.predecessors[header] {
			if g.isBackEdge(from, header) {
				visit(from)
			}
		}
	}
	return headers
}
