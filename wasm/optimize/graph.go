package main

import "slices"

// A graph is what leads where in a function, from node 0 on.
type graph struct {
	order  []int   // the nodes that are reached, each before those that it leads to, but for the ways back
	place  []int   // of each node in order; unreached where it has none
	before [][]int // the nodes that lead to each, one as often as it does
	above  []int   // for each the nearest one that all ways to it go through: its immediate dominator
}

const unreached = -1

func newGraph(nodes []node) *graph {
	g := &graph{place: make([]int, len(nodes)), before: make([][]int, len(nodes)), above: make([]int, len(nodes))}
	seen := make([]bool, len(nodes))
	var visit func(int)
	visit = func(at int) {
		seen[at] = true
		for _, to := range nodes[at].next { // the last one comes first in order: what no jump leads to stays where it was
			g.before[to] = append(g.before[to], at)
			if !seen[to] {
				visit(to)
			}
		}
		g.order = append(g.order, at)
	}
	visit(0)
	slices.Reverse(g.order)
	for at := range nodes {
		g.place[at], g.above[at] = unreached, unreached
	}
	for i, at := range g.order {
		g.place[at] = i
	}
	g.dominate()
	return g
}

// dominate finds the immediate dominators: Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm (2001).
func (g *graph) dominate() {
	g.above[0] = 0
	for changed := true; changed; {
		changed = false
		for _, at := range g.order[1:] {
			above := unreached
			for _, from := range g.before[at] {
				switch {
				case g.above[from] == unreached:
				case above == unreached:
					above = from
				default:
					above = g.meet(above, from)
				}
			}
			if above != g.above[at] {
				g.above[at], changed = above, true
			}
		}
	}
}

// meet returns the nearest node that all ways to two nodes go through.
func (g *graph) meet(a, b int) int {
	for a != b {
		if g.place[a] > g.place[b] {
			a = g.above[a]
		} else {
			b = g.above[b]
		}
	}
	return a
}

// back tells whether a way from one node to another closes a loop.
func (g *graph) back(from, to int) bool { return g.place[to] <= g.place[from] }

// head tells whether a node is where a loop begins.
func (g *graph) head(at int) bool {
	return slices.ContainsFunc(g.before[at], func(from int) bool { return g.back(from, at) })
}

// reducible tells whether every loop is entered at its head only.
func (g *graph) reducible() bool {
	for _, at := range g.order {
		for _, from := range g.before[at] {
			if g.back(from, at) && g.meet(at, from) != at {
				return false
			}
		}
	}
	return true
}

// around returns for each node the heads of the loops that it stands in, the outermost first, but not itself.
func (g *graph) around() [][]int {
	heads := make([][]int, len(g.place))
	for _, head := range g.order { // that of an outer loop comes first
		within := map[int]bool{head: true}
		var visit func(int)
		visit = func(at int) {
			if within[at] {
				return
			}
			within[at] = true
			heads[at] = append(heads[at], head)
			for _, from := range g.before[at] {
				visit(from)
			}
		}
		for _, from := range g.before[head] {
			if g.back(from, head) {
				visit(from)
			}
		}
	}
	return heads
}
