package main

import "slices"

// A function is taken apart. As the assembler wrote it, its body is a loop around pieces of code, with a table at the front of the
// loop that leads to one of them: the one that the caller says, which is not always the first, since a goroutine whose turn comes
// again goes on after a call; and later the one that a jump says. Here the pieces are nodes, and a jump goes to a node.
type function struct {
	locals  []byte // their declarations
	count   uint64 // of the locals, the one parameter among them
	unwinds bool   // whether there is a way out while the stack unwinds, for another goroutine's turn
	nodes   []node
	table   []int // the node for each number that a caller may say; unused where none may
	resumes []int // the nodes after calls
	calls   []uint64
}

// unused stands for a number that is no caller's.
const unused = -1

// A node is code without a jump, and where it goes on.
type node struct {
	code   []byte
	leaves []leave // ways out of code, in order
	next   []int   // no node where it returns; two where a condition precedes, the first if it holds
	// If chooses, the value of a local is the index in next, and the last one is for all values beyond.
	chooses bool
	local   uint64
}

// A leave is a branch out of the function, if a condition holds.
type leave struct {
	at    int // the length of the code before it
	depth int // the blocks within the code that it stands in
}

// parse takes a body apart. It returns nil for one that is of another form, as a function without a jump is.
func parse(body []byte, panics func(call uint64) bool) *function {
	f := &function{count: 1}
	p := parser{function: f, reader: reader{rest: body}, panics: panics}
	for range p.number() {
		f.count += p.number()
		p.byte()
		if p.short {
			return nil
		}
	}
	f.locals = body[:len(body)-len(p.rest)]
	if !p.is(readsStack...) {
		return nil
	}
	f.unwinds = p.is(instruction{op: opBlock})
	if !p.is(instruction{op: opLoop}) || !p.head() {
		return nil
	}
	for len(p.starts) < p.pieces {
		if !p.piece() {
			return nil
		}
	}
	if !p.is(instruction{op: opUnreachable}) {
		return nil
	}
	if f.unwinds && !p.is(instruction{op: opEnd}, instruction{opI32Const, 1}) {
		return nil
	}
	if !p.is(instruction{op: opEnd}) || len(p.rest) > 0 {
		return nil
	}
	p.link()
	return f
}

// readsStack is how a function begins: it keeps the stack pointer in its first local.
var readsStack = []instruction{{opGlobalGet, 0}, {opLocalSet, 1}}

type parser struct {
	*function
	reader
	panics func(call uint64) bool // whether a call never comes back
	table  []int                  // the piece for each number
	pieces int
	starts []int  // the first node of each piece so far
	code   []byte // of the node at hand
	leaves []leave
	uncut  []byte // what is read and to be read, from where code ends
}

// head reads the table and the blocks around it.
func (p *parser) head() bool {
	for p.is(instruction{op: opBlock}) {
		p.pieces++
	}
	if !p.is(instruction{opLocalGet, 0}) || p.byte() != opBrTable {
		return false
	}
	for n := p.number() + 1; n > 0 && !p.short; n-- {
		piece := p.number()
		if piece >= uint64(p.pieces) {
			return false
		}
		p.table = append(p.table, int(piece))
	}
	return p.is(instruction{op: opEnd})
}

// piece reads a piece up to the end of its block.
func (p *parser) piece() bool {
	p.starts = append(p.starts, len(p.nodes))
	p.uncut = p.rest
	loop := uint64(p.pieces - len(p.starts)) // the label of the loop around: the blocks of the pieces to come are still open
	depth := 0                               // blocks that the code itself opened
	dead, back := false, true                // whether the code has ended; whether the last call comes back
	for before := (instruction{}); !p.short; {
		start := p.rest
		if depth == 0 {
			if next := p.jumps(loop); next != nil {
				p.cut(start)
				p.end(dead, next...)
				dead = dead || len(next) == 1
				continue
			}
		}
		in := p.next()
		switch in.op {
		case opBlock, opLoop, opIf:
			depth++
		case opNop:
			p.cut(start)
		case opReturn, opUnreachable:
			if depth == 0 {
				p.cut(p.rest)
				p.end(dead)
				dead = true
			}
		case opCall:
			p.calls = append(p.calls, in.arg)
			back = !p.panics(in.arg)
		case opCallIndirect:
			back = true
		case opBr:
			if in.arg >= uint64(depth) {
				return false
			}
		case opBrIf:
			if in.arg < uint64(depth) {
				break
			}
			if in.arg != uint64(depth)+loop+1 || !p.unwinds {
				return false
			}
			p.cut(start)
			p.leaves = append(p.leaves, leave{len(p.code), depth})
		case opEnd:
			if depth > 0 {
				depth--
				break
			}
			p.cut(start)
			called := before.op == opBrIf // the way out after a call
			if loop == 0 || called && !back {
				p.code = append(p.code, opUnreachable)
				p.end(dead)
				return true
			}
			if called {
				p.resumes = append(p.resumes, ^len(p.starts))
			}
			p.end(dead, falls)
			return true
		}
		before = in
	}
	return false
}

// cut ends the code before the instruction that the reader has just read, which began at start. Code goes on after it.
func (p *parser) cut(start []byte) {
	p.code = append(p.code, p.uncut[:len(p.uncut)-len(start)]...)
	p.uncut = p.rest
}

// falls stands for the node after this one. Until all are known, ^n stands for the first one of a piece.
const falls = 0

// end makes a node of the code, unless nothing leads there.
func (p *parser) end(dead bool, next ...int) {
	if !dead {
		for i, to := range next {
			if to == falls {
				next[i] = len(p.nodes) + 1
			}
		}
		p.nodes = append(p.nodes, node{code: p.code, leaves: p.leaves, next: next})
	}
	p.code, p.leaves = nil, nil
}

// jumps reads a jump to a piece, or one that depends on a condition, and returns where it leads.
func (p *parser) jumps(loop uint64) []int {
	ahead := p.reader
	if to, ok := p.jump(loop); ok {
		return []int{to}
	}
	if p.is(instruction{op: opIf}) {
		if to, ok := p.jump(loop + 1); ok && p.is(instruction{op: opEnd}) {
			return []int{to, falls}
		}
	}
	p.reader = ahead
	return nil
}

func (p *parser) jump(loop uint64) (int, bool) {
	ahead := p.reader
	number := ahead.next()
	if number.op != opI32Const || !ahead.is(instruction{opLocalSet, 0}, instruction{opBr, loop}) || number.arg >= uint64(len(p.table)) {
		return 0, false
	}
	p.reader = ahead
	return ^p.table[number.arg], true
}

// link puts nodes where pieces stood. Every piece has one.
func (p *parser) link() {
	link := func(list []int) {
		for i, to := range list {
			if to < 0 {
				list[i] = p.starts[^to]
			}
		}
	}
	for _, n := range p.nodes {
		link(n.next)
	}
	link(p.resumes)
	for _, piece := range p.table {
		at := p.starts[piece]
		if piece > 0 && !slices.Contains(p.resumes, at) {
			at = unused
		}
		p.function.table = append(p.function.table, at)
	}
}
