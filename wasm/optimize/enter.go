package main

import "encoding/binary"

// enter puts nodes before the others, which lead to where the caller says; then a function is a graph with one begin. It tells false for
// one that it cannot enter.
//
// A node that stands in loops is led to through their heads, since a loop of wasm is entered nowhere else: before a head there is a
// door, and a local says there how to go on. It is 0 but on such a way.
func (f *function) enter() bool {
	first := f.shift()
	g := newGraph(f.nodes)
	if !g.reducible() {
		return false
	}
	if len(f.resumes) == 0 {
		return true
	}
	loops := g.around()
	e := entry{function: f, doors: map[int]int{}}
	ways := map[int]int{first: first} // to each node that a caller may say, the node that the way begins with
	for _, at := range f.resumes {
		if g.place[at] == unreached {
			return false
		}
		if _, ok := ways[at]; !ok {
			ways[at] = e.way(at, loops[at])
		}
	}
	e.open()
	start := node{chooses: true, local: 0}
	trap := unused
	for _, at := range f.table {
		to, ok := ways[at]
		if !ok {
			if trap == unused {
				trap = f.add(node{code: []byte{opUnreachable}})
			}
			to = trap
		}
		if door, ok := e.doors[to]; ok {
			to = door
		}
		start.next = append(start.next, to)
	}
	f.nodes[0] = start
	return true
}

// shift makes node 0 an empty one that leads to what was the first, and returns the place of that.
func (f *function) shift() int {
	first := f.add(f.nodes[0])
	move := func(list []int) {
		for i, at := range list {
			if at == 0 {
				list[i] = first
			}
		}
	}
	for _, n := range f.nodes[1:] {
		move(n.next)
	}
	move(f.table)
	move(f.resumes)
	f.nodes[0] = node{next: []int{first}}
	return first
}

func (f *function) add(n node) int {
	f.nodes = append(f.nodes, n)
	return len(f.nodes) - 1
}

// An entry is the work of making ways into loops.
type entry struct {
	*function
	doors map[int]int // the node before each head
	links []link
	ways  int
}

// A link is one step of a way: where a door leads if the local has a value.
type link struct{ door, value, to int }

// way makes a way to a node, through the heads of the loops around it.
func (e *entry) way(at int, heads []int) int {
	if len(heads) == 0 {
		return at
	}
	e.ways++
	begin := e.add(node{code: setLocal(e.count, e.ways), next: []int{e.door(heads[0])}})
	for i, head := range heads {
		var to int
		if i+1 < len(heads) {
			to = e.door(heads[i+1])
		} else {
			to = e.add(node{code: setLocal(e.count, 0), next: []int{at}})
		}
		e.links = append(e.links, link{e.door(head), e.ways, to})
	}
	return begin
}

func (e *entry) door(head int) int {
	door, ok := e.doors[head]
	if !ok {
		door = e.add(node{chooses: true, local: e.count})
		e.doors[head] = door
	}
	return door
}

// open lets all that leads to a head lead to its door, and the doors to where they do.
func (e *entry) open() {
	if e.ways == 0 {
		return
	}
	for _, n := range e.nodes {
		for i, to := range n.next {
			if door, ok := e.doors[to]; ok {
				n.next[i] = door
			}
		}
	}
	for head, door := range e.doors {
		next := make([]int, e.ways+2) // 0, the ways, and all beyond
		for i := range next {
			next[i] = head
		}
		e.nodes[door].next = next
	}
	for _, l := range e.links {
		e.nodes[l.door].next[l.value] = l.to
	}
	e.declare()
}

// declare adds the local.
func (e *entry) declare() {
	r := reader{rest: e.locals}
	groups := r.number()
	e.locals = append(binary.AppendUvarint(nil, groups+1), r.rest...)
	e.locals = append(e.locals, 1, typeI32)
}

func setLocal(local uint64, value int) []byte {
	return appendOp(appendSigned([]byte{opI32Const}, uint64(value)), opLocalSet, local)
}
