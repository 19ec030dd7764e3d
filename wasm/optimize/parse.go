package main

import (
	"fmt"
	"slices"
)

// A function is the control-flow graph that was decoded from a dispatch loop.
//
// The dispatch loop consists of segments, one for each entry of the dispatch table that differs from the one before:
// the code from one jump target or resume point to the next. A segment becomes one basic block or more, since a
// conditional jump ends a block.
type function struct {
	locals      []byte // declarations, encoded
	localCount  uint64 // parameters and declared locals; also the index of the next local that is added
	unwinds     bool   // whether the function has an unwind exit
	blocks      []basicBlock
	resumeTable []int    // block for each value of PC_B that a caller may pass; noResume for the others
	resumePoint []int    // blocks that begin after a call
	callees     []uint64 // of direct calls
}

// noResume marks values of PC_B that only jumps use.
const noResume = -1

// A basicBlock is code without jumps, and its successors.
type basicBlock struct {
	code    []byte
	unwinds []unwindBranch // in order
	// No successor if the block returns or traps. Two after a conditional jump, whose condition is on top of the
	// stack: the first one if it is not zero.
	successors []int
	// A dispatch block branches on a local: its value is the index in successors; larger values take the last one.
	dispatch bool
	local    uint64
}

// An unwindBranch is a conditional branch to the unwind exit, which is not part of code.
type unwindBranch struct {
	offset int // in code
	depth  int // number of wasm blocks inside of the basic block that enclose it
}

// A parser decodes the body of one function.
type parser struct {
	reader
	*function
	body          []byte
	neverReturns  func(callee uint64) bool
	dispatchTable []int // segment for each value of PC_B
	segmentCount  int
	firstBlock    []int  // first basic block of each segment so far
	code          []byte // of the current basic block, up to the last cut
	pending       []unwindBranch
	uncut         []byte // input from the last cut
}

// prologue loads the stack pointer into the first local. Go's compiler begins each function of the standard calling
// convention with it.
var prologue = []instruction{{opGlobalGet, 0}, {opLocalSet, 1}}

func newParser(body []byte, neverReturns func(callee uint64) bool) *parser {
	return &parser{
		reader:       reader{rest: body},
		function:     &function{localCount: 1},
		body:         body,
		neverReturns: neverReturns,
	}
}

// unexpected describes code that does not have the expected shape.
func (p *parser) unexpected(what string, args ...any) error {
	return fmt.Errorf("at byte %d of its body: %s", len(p.body)-len(p.rest), fmt.Sprintf(what, args...))
}

// readPrologue reads the locals, and reports whether the prologue follows.
func (p *parser) readPrologue() (bool, error) {
	for range p.count() {
		p.localCount += p.uleb()
		p.byte()
	}
	if p.failed {
		return false, p.unexpected("the declarations of locals end too early")
	}
	p.locals = p.body[:len(p.body)-len(p.rest)]
	return p.accept(prologue...), nil
}

// hasDispatchLoop reports whether a dispatch loop begins here.
func (p *parser) hasDispatchLoop() bool {
	ahead := p.reader
	ahead.accept(instruction{op: opBlock})
	return ahead.accept(instruction{op: opLoop}) && ahead.acceptDispatch() > 0
}

// acceptDispatch consumes what precedes a dispatch table, up to its br_table, and returns the number of blocks; 0 if
// there is no table.
func (r *reader) acceptDispatch() int {
	ahead, blocks := *r, 0
	for ahead.accept(instruction{op: opBlock}) {
		blocks++
	}
	if blocks == 0 || !ahead.accept(instruction{opLocalGet, 0}) || ahead.byte() != opBrTable {
		return 0
	}
	*r = ahead
	return blocks
}

// readTable reads the targets of a br_table, which must be blocks of the dispatch table.
func (p *parser) readTable(blocks int) ([]int, error) {
	var table []int
	for n := p.count() + 1; n > 0; n-- {
		target := p.uleb()
		if p.failed || target >= uint64(blocks) {
			return nil, p.unexpected("a target outside of the dispatch table")
		}
		table = append(table, int(target))
	}
	return table, nil
}

// checkNoJumps checks a function without a dispatch loop: its only branches are those to the unwind exit and those of
// the dispatch table for its resume points. A jump in another form than that of a dispatch loop is an error.
func (p *parser) checkNoJumps() error {
	var open int // wasm blocks
	unwinds := false
	ahead := p.reader
	if blocks := ahead.acceptDispatch(); blocks > 0 { // the first one may be the unwind exit
		p.reader, open, unwinds = ahead, blocks, true
		if _, err := p.readTable(blocks); err != nil {
			return err
		}
	} else if p.accept(instruction{op: opBlock}) {
		open, unwinds = 1, true
	}
	for !p.failed {
		in := p.next()
		switch in.op {
		case opIf:
			open++
		case opEnd:
			if open--; open < 0 {
				if p.failed || len(p.rest) > 0 {
					return p.unexpected("code after the end")
				}
				return nil
			}
		case opBrIf:
			if !unwinds || in.arg+1 != uint64(open) {
				return p.unexpected("a conditional branch that is not to the unwind exit, and no dispatch loop")
			}
		case opBlock, opLoop, opBr:
			return p.unexpected("opcode %#02x, but no dispatch loop", in.op)
		}
	}
	return p.unexpected("an instruction that Go's compiler is not known to emit here")
}

// parse decodes a dispatch loop, and the rest of the function.
func (p *parser) parse() (*function, error) {
	p.unwinds = p.accept(instruction{op: opBlock})
	p.accept(instruction{op: opLoop})
	p.segmentCount = p.acceptDispatch()
	var err error
	if p.dispatchTable, err = p.readTable(p.segmentCount); err != nil {
		return nil, err
	}
	if !p.accept(instruction{op: opEnd}) {
		return nil, p.unexpected("no end after the dispatch table")
	}
	for len(p.firstBlock) < p.segmentCount {
		if err := p.segment(); err != nil {
			return nil, err
		}
	}
	end := []instruction{{op: opUnreachable}, {op: opEnd}}
	if p.unwinds {
		end = []instruction{{op: opUnreachable}, {op: opEnd}, {opI32Const, 1}, {op: opEnd}}
	}
	if !p.accept(end...) || len(p.rest) > 0 {
		return nil, p.unexpected("the end of the function differs")
	}
	p.resolve()
	return p.function, nil
}

// segment reads one segment, up to the end of its wasm block.
func (p *parser) segment() error {
	p.firstBlock = append(p.firstBlock, len(p.blocks))
	p.uncut = p.rest
	loop := uint64(p.segmentCount - len(p.firstBlock)) // label of the dispatch loop: later segments are still open
	depth := 0                                         // open wasm blocks that began in this segment
	dead := false                                      // whether code here is unreachable
	returns := true                                    // whether the last call returns
	for before := (instruction{}); ; {
		start := p.rest
		if depth == 0 {
			if successors := p.jump(loop); successors != nil {
				p.cut(start)
				p.endBlock(dead, successors...)
				dead = dead || len(successors) == 1
				continue
			}
		}
		in := p.next()
		if p.failed {
			p.rest = start
			return p.unexpected("an instruction that Go's compiler is not known to emit here")
		}
		switch in.op {
		case opBlock, opLoop, opIf:
			depth++
		case opNop:
			p.cut(start)
		case opReturn, opUnreachable:
			if depth == 0 {
				p.cut(p.rest)
				p.endBlock(dead)
				dead = true
			}
		case opCall:
			p.callees = append(p.callees, in.arg)
			returns = !p.neverReturns(in.arg)
		case opCallIndirect:
			returns = true
		case opBr:
			if in.arg >= uint64(depth) {
				return p.unexpected("a branch that is not a jump")
			}
		case opBrIf:
			if in.arg < uint64(depth) {
				break
			}
			if in.arg != uint64(depth)+loop+1 || !p.unwinds {
				return p.unexpected("a conditional branch that is not to the unwind exit")
			}
			p.cut(start)
			p.pending = append(p.pending, unwindBranch{len(p.code), depth})
		case opEnd:
			if depth > 0 {
				depth--
				break
			}
			p.cut(start)
			afterCall := before.op == opBrIf // the unwind branch of the call
			if loop == 0 || afterCall && !returns {
				p.code = append(p.code, opUnreachable)
				p.endBlock(dead)
				return nil
			}
			if afterCall {
				p.resumePoint = append(p.resumePoint, ^len(p.firstBlock))
			}
			p.endBlock(dead, fallthroughs)
			return nil
		}
		before = in
	}
}

// cut ends the code before the instruction that was just read, which began at start. Code continues after it.
func (p *parser) cut(start []byte) {
	p.code = append(p.code, p.uncut[:len(p.uncut)-len(start)]...)
	p.uncut = p.rest
}

// fallthroughs is the successor that follows without a jump. Until all segments are read, ^n is the first block of
// segment n.
const fallthroughs = 0

// endBlock adds the code as a basic block, unless it is dead.
func (p *parser) endBlock(dead bool, successors ...int) {
	if !dead {
		for i, to := range successors {
			if to == fallthroughs {
				successors[i] = len(p.blocks) + 1
			}
		}
		p.blocks = append(p.blocks, basicBlock{code: p.code, unwinds: p.pending, successors: successors})
	}
	p.code, p.pending = nil, nil
}

// jump consumes a jump or a conditional jump, and returns its successors; nil if there is none. loop is the label of
// the dispatch loop.
func (p *parser) jump(loop uint64) []int {
	ahead := p.reader
	if to, ok := p.gotoSegment(loop); ok {
		return []int{to}
	}
	if p.accept(instruction{op: opIf}) {
		if to, ok := p.gotoSegment(loop + 1); ok && p.accept(instruction{op: opEnd}) {
			return []int{to, fallthroughs}
		}
	}
	p.reader = ahead
	return nil
}

// gotoSegment consumes i32.const PC_B, local.set 0, br loop.
func (p *parser) gotoSegment(loop uint64) (int, bool) {
	ahead := p.reader
	target := ahead.next()
	if target.op != opI32Const || target.arg >= uint64(len(p.dispatchTable)) ||
		!ahead.accept(instruction{opLocalSet, 0}, instruction{opBr, loop}) {
		return 0, false
	}
	p.reader = ahead
	return ^p.dispatchTable[target.arg], true
}

// resolve replaces segments by their first blocks.
func (p *parser) resolve() {
	resolve := func(list []int) {
		for i, to := range list {
			if to < 0 {
				list[i] = p.firstBlock[^to]
			}
		}
	}
	for _, b := range p.blocks {
		resolve(b.successors)
	}
	resolve(p.resumePoint)
	for _, segment := range p.dispatchTable {
		b := p.firstBlock[segment]
		if segment > 0 && !slices.Contains(p.resumePoint, b) {
			b = noResume
		}
		p.resumeTable = append(p.resumeTable, b)
	}
}
