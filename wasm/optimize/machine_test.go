package main

import (
	"encoding/binary"

	"pgregory.net/rapid"
)

// The functions that the code of the tests calls, by index.
const (
	mark      = iota // is given a number, to show what was passed
	condition        // returns 0 or 1
	work             // returns 1 where another goroutine's turn comes
	fail             // never comes back
	deferred
	grow // returns 1 where the stack was moved: the function begins again
)

var namesOfTests = &names{of: map[uint64]string{mark: "mark", condition: "condition", work: "work", fail: "runtime.gopanic", deferred: "runtime.deferreturn"}}

// A piece is what the compiler makes of a block, or of a part of one up to a call.
type piece struct {
	ends    string
	yes, no int  // the pieces that it jumps to
	not     bool // whether the condition is turned around
	check   bool // whether something is checked on the way
}

const (
	goesOn  = "goes on"
	jumps   = "jumps"
	forks   = "forks" // jumps or falls
	parts   = "parts" // jumps here or there
	returns = "returns"
	calls   = "calls"
	panics  = "panics"
	defers  = "defers"
)

func drawPieces(t *rapid.T) []piece {
	n := rapid.IntRange(1, 12).Draw(t, "pieces")
	pieces := make([]piece, n)
	to := rapid.IntRange(0, n-1)
	for i := range pieces {
		pieces[i] = piece{
			ends:  rapid.SampledFrom([]string{goesOn, jumps, forks, forks, forks, parts, returns, calls, calls, panics}).Draw(t, "ends"),
			yes:   to.Draw(t, "yes"),
			no:    to.Draw(t, "no"),
			not:   rapid.Bool().Draw(t, "not"),
			check: rapid.Bool().Draw(t, "check"),
		}
	}
	return pieces
}

// numbers is how many numbers stand for a piece. The first one is where its code begins, the others are lines of it.
const numbers = 3

// assemble writes a function as Go's assembler does.
func assemble(pieces []piece) []byte {
	a := assembler{open: len(pieces) + 1}
	a.code = []byte{2, 1, typeI32, 1, typeI32, opGlobalGet, 0, opLocalSet, 1, opBlock, typeVoid, opLoop, typeVoid}
	for range a.open {
		a.code = append(a.code, opBlock, typeVoid)
	}
	a.code = append(a.code, opLocalGet, 0, opBrTable)
	a.code = binary.AppendUvarint(a.code, uint64(numbers*a.open-1))
	for i := range numbers * a.open {
		a.code = binary.AppendUvarint(a.code, uint64(i/numbers))
	}
	a.code = append(a.code, opEnd)
	for i, p := range pieces {
		a.open--
		a.piece(i, p)
		a.code = append(a.code, opEnd)
	}
	return append(a.code, opEnd, opUnreachable, opEnd, opI32Const, 1, opEnd)
}

type assembler struct {
	code []byte
	open int // the blocks of the pieces to come
}

func (a *assembler) piece(i int, p piece) {
	a.code = append(a.code, opNop)
	if i == 0 {
		a.call(i, condition)
		a.code = append(a.code, opIf, typeVoid)
		a.call(i, grow)
		a.leave(1)
		a.code = append(a.code, opEnd)
	}
	// Local 2 says which piece was the last one.
	a.code = append(a.code, opLocalGet, 2, opCall, mark, opDrop)
	a.constant(i)
	a.code = append(a.code, opLocalSet, 2)
	if p.check {
		a.call(i, condition)
		a.code = append(a.code, opIf, typeVoid, opNop)
		a.call(i, fail)
		a.leave(1)
		a.code = append(a.code, opEnd)
	}
	switch p.ends {
	case jumps:
		a.jump(p.yes, 0)
	case forks:
		a.fork(i, p)
	case parts:
		a.fork(i, p)
		a.jump(p.no, 0)
	case returns:
		a.code = append(a.code, opI32Const, 0, opReturn)
	case calls:
		a.call(i, work)
		a.leave(0)
	case panics:
		a.call(i, fail)
		a.leave(0)
	case defers:
		a.call(i, deferred)
		a.leave(0)
	}
}

func (a *assembler) constant(v int) { a.code = appendSigned(append(a.code, opI32Const), uint64(v)) }

func (a *assembler) call(from int, function byte) {
	a.constant(from)
	a.code = append(a.code, opCall, function, opGlobalGet, 0, opLocalSet, 1)
}

func (a *assembler) leave(depth int) { a.code = appendOp(a.code, opBrIf, uint64(a.open+depth+1)) }

func (a *assembler) jump(to, depth int) {
	a.constant(to * numbers)
	a.code = append(a.code, opLocalSet, 0)
	a.code = appendOp(a.code, opBr, uint64(a.open+depth))
}

func (a *assembler) fork(i int, p piece) {
	a.call(i, condition)
	if p.not {
		a.code = append(a.code, opI32Eqz)
	}
	a.code = append(a.code, opIf, typeVoid)
	a.jump(p.yes, 1)
	a.code = append(a.code, opEnd)
}

// An op is an instruction that can be run.
type op struct {
	instruction
	targets []uint64
	end     int // of the block that it opens
}

func decode(body []byte) []op {
	r := reader{rest: body}
	for range r.number() {
		r.number()
		r.byte()
	}
	var code []op
	var opened []int
	for len(r.rest) > 0 {
		o := op{}
		if r.rest[0] == opBrTable {
			o.op = r.byte()
			for n := r.number() + 1; n > 0; n-- {
				o.targets = append(o.targets, r.number())
			}
		} else {
			o.instruction = r.next()
		}
		switch o.op {
		case opBlock, opLoop, opIf:
			opened = append(opened, len(code))
		case opEnd:
			if n := len(opened); n > 0 {
				code[opened[n-1]].end = len(code)
				opened = opened[:n-1]
			}
		}
		code = append(code, o)
	}
	return code
}

// A call is one of the function's, with the number that it was given.
type call struct{ function, given uint64 }

// trace runs a function from its begin, again wherever a call asked for it, until it returns, fails, or has called for as often as
// there are chances. It returns the calls, and how the function ended.
func trace(body []byte, chance []bool) []call {
	m := machine{code: decode(body), chance: chance}
	for number := uint64(0); ; {
		if result, ended := m.run(number); ended || result == 0 {
			return append(m.calls, call{100, result})
		}
		last := m.calls[len(m.calls)-1]
		if number = (last.given + 1) * numbers; last.function == grow {
			number = 1 // a line of the first piece
		}
	}
}

type machine struct {
	code   []op
	chance []bool
	calls  []call
	stack  []uint64
	labels []int // the open blocks
}

func (m *machine) pop() uint64 {
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return v
}

// run runs the function once. It has ended where there is no result to wait for.
func (m *machine) run(number uint64) (result uint64, ended bool) {
	locals := make([]uint64, 5)
	locals[0] = number
	m.stack, m.labels = nil, nil
	for at := 0; at < len(m.code); at++ {
		o := m.code[at]
		branch := func(label uint64) {
			i := len(m.labels) - 1 - int(label)
			at = m.labels[i]
			m.labels = m.labels[:i]
			if m.code[at].op == opLoop {
				at-- // to open it again
			} else {
				at = m.code[at].end
			}
		}
		switch o.op {
		case opUnreachable:
			return 200, true
		case opBlock, opLoop:
			m.labels = append(m.labels, at)
		case opIf:
			if m.pop() == 0 {
				at = o.end
			} else {
				m.labels = append(m.labels, at)
			}
		case opEnd:
			if len(m.labels) == 0 {
				return m.pop(), false
			}
			m.labels = m.labels[:len(m.labels)-1]
		case opBr:
			branch(o.arg)
		case opBrIf:
			if m.pop() != 0 {
				branch(o.arg)
			}
		case opBrTable:
			branch(o.targets[min(m.pop(), uint64(len(o.targets)-1))])
		case opReturn:
			return m.pop(), false
		case opCall:
			m.calls = append(m.calls, call{o.arg, m.pop()})
			if len(m.calls) >= len(m.chance) {
				return 300, true
			}
			if o.arg == fail {
				return 400, true
			}
			m.stack = append(m.stack, 0)
			if m.chance[len(m.calls)] {
				m.stack[len(m.stack)-1] = 1
			}
		case opDrop:
			m.pop()
		case opLocalGet:
			m.stack = append(m.stack, locals[o.arg])
		case opLocalSet:
			locals[o.arg] = m.pop()
		case opGlobalGet:
			m.stack = append(m.stack, 7)
		case opI32Const:
			m.stack = append(m.stack, o.arg)
		case opI32Eqz:
			v := uint64(0)
			if m.pop() == 0 {
				v = 1
			}
			m.stack = append(m.stack, v)
		}
	}
	return 500, true
}
