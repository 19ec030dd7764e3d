package main

import (
	"encoding/binary"

	"pgregory.net/rapid"
)

// Functions that the generated code calls, by index.
const (
	record    = iota // its argument shows which block was executed before
	condition        // returns 0 or 1
	yield            // returns 1 if the stack has to be unwound for another goroutine
	panicking        // never returns
	deferring        // runs the deferred calls
	growStack        // returns 1 if the stack was moved: the function restarts
	calleeCount
)

var testSymbols = &symbols{names: map[uint64]string{
	record: "record", condition: "condition", yield: "yield", panicking: "runtime.gopanic", deferring: deferReturn,
	calleeCount: "tested", calleeCount + 1: "runtime.wasmDiv", calleeCount + 2: "exported",
}, exported: map[uint64]bool{calleeCount + 2: true}}

// restructureTested rewrites the body of a function with the standard calling convention.
func restructureTested(body []byte) ([]byte, outcome, error) {
	return testSymbols.restructure(calleeCount, body)
}

// A segment is what Go's compiler emits for a basic block, or for a part of one up to a call.
type segment struct {
	end     ending
	yes, no int  // segments to jump to
	negate  bool // invert the condition
	check   bool // contains a bounds check
}

type ending string

const (
	fallsThrough ending = "falls through"
	jumps        ending = "jumps to yes"
	branches     ending = "jumps to yes or falls through"
	forks        ending = "jumps to yes or to no"
	returns      ending = "returns"
	calls        ending = "calls and falls through"
	panics       ending = "panics"
	defers       ending = "runs deferred calls"
)

func drawSegments(t *rapid.T) []segment {
	n := rapid.IntRange(1, 12).Draw(t, "segments")
	segments := make([]segment, n)
	target := rapid.IntRange(0, n-1)
	ends := []ending{fallsThrough, jumps, branches, branches, branches, forks, returns, calls, calls, panics}
	for i := range segments {
		segments[i] = segment{
			end:    rapid.SampledFrom(ends).Draw(t, "end"),
			yes:    target.Draw(t, "yes"),
			no:     target.Draw(t, "no"),
			negate: rapid.Bool().Draw(t, "negate"),
			check:  rapid.Bool().Draw(t, "check"),
		}
	}
	return segments
}

// pcsPerSegment is the number of values of PC_B for each segment. The first one is its start, the others are
// positions inside of it.
const pcsPerSegment = 3

// assemble returns the body of a function as Go's assembler encodes it.
func assemble(segments []segment) []byte {
	a := assembler{open: len(segments) + 1}
	a.code = []byte{2, 1, typeI32, 1, typeI32, opGlobalGet, 0, opLocalSet, 1, opBlock, typeVoid, opLoop, typeVoid}
	for range a.open {
		a.code = append(a.code, opBlock, typeVoid)
	}
	a.code = append(a.code, opLocalGet, 0, opBrTable)
	a.code = binary.AppendUvarint(a.code, uint64(pcsPerSegment*a.open-1))
	for i := range pcsPerSegment * a.open {
		a.code = binary.AppendUvarint(a.code, uint64(i/pcsPerSegment))
	}
	a.code = append(a.code, opEnd)
	for i, s := range segments {
		a.open--
		a.segment(i, s)
		a.code = append(a.code, opEnd)
	}
	return append(a.code, opEnd, opUnreachable, opEnd, opI32Const, 1, opEnd)
}

type assembler struct {
	code []byte
	open int // wasm blocks of later segments
}

func (a *assembler) segment(i int, s segment) {
	a.code = append(a.code, opNop)
	if i == 0 {
		a.call(i, condition)
		a.code = append(a.code, opIf, typeVoid)
		a.call(i, growStack)
		a.unwind(1)
		a.code = append(a.code, opEnd)
	}
	// Local 2 is the number of the segment that was executed before.
	a.code = append(a.code, opLocalGet, 2, opCall, record, opDrop)
	a.constant(i)
	a.code = append(a.code, opLocalSet, 2)
	if s.check {
		a.call(i, condition)
		a.code = append(a.code, opIf, typeVoid, opNop)
		a.call(i, panicking)
		a.unwind(1)
		a.code = append(a.code, opEnd)
	}
	switch s.end {
	case jumps:
		a.jump(s.yes, 0)
	case branches:
		a.conditionalJump(i, s)
	case forks:
		a.conditionalJump(i, s)
		a.jump(s.no, 0)
	case returns:
		a.code = append(a.code, opI32Const, 0, opReturn)
	case calls:
		a.call(i, yield)
		a.unwind(0)
	case panics:
		a.call(i, panicking)
		a.unwind(0)
	case defers:
		a.call(i, deferring)
		a.unwind(0)
	}
}

func (a *assembler) constant(v int) { a.code = appendSleb(append(a.code, opI32Const), uint64(v)) }

func (a *assembler) call(argument int, callee byte) {
	a.constant(argument)
	a.code = append(a.code, opCall, callee, opGlobalGet, 0, opLocalSet, 1)
}

func (a *assembler) unwind(depth int) { a.code = appendOp(a.code, opBrIf, uint64(a.open+depth+1)) }

func (a *assembler) jump(to, depth int) {
	a.constant(to * pcsPerSegment)
	a.code = append(a.code, opLocalSet, 0)
	a.code = appendOp(a.code, opBr, uint64(a.open+depth))
}

func (a *assembler) conditionalJump(i int, s segment) {
	a.call(i, condition)
	if s.negate {
		a.code = append(a.code, opI32Eqz)
	}
	a.code = append(a.code, opIf, typeVoid)
	a.jump(s.yes, 1)
	a.code = append(a.code, opEnd)
}

// A decoded instruction can be executed.
type decoded struct {
	instruction
	targets []uint64 // of a br_table
	end     int      // index of the end of the wasm block that it opens
}

func decode(body []byte) []decoded {
	r := reader{rest: body}
	for range r.uleb() {
		r.uleb()
		r.byte()
	}
	var code []decoded
	var opened []int
	for len(r.rest) > 0 {
		d := decoded{}
		if r.rest[0] == opBrTable {
			d.op = r.byte()
			for n := r.uleb() + 1; n > 0; n-- {
				d.targets = append(d.targets, r.uleb())
			}
		} else {
			d.instruction = r.next()
		}
		switch d.op {
		case opBlock, opLoop, opIf:
			opened = append(opened, len(code))
		case opEnd:
			if n := len(opened); n > 0 {
				code[opened[n-1]].end = len(code)
				opened = opened[:n-1]
			}
		}
		code = append(code, d)
	}
	return code
}

// A call is a call that the executed function made, with its argument.
type call struct{ callee, argument uint64 }

// How an execution ends, as the callee of the last element of a trace.
const (
	returned = 100 + iota
	trapped
	outOfInput
	panicked
	fellOff // executed past the end of the body
)

// trace executes a function from its start, and again from a resume point whenever a call unwound the stack, until it
// returns, panics or has made as many calls as there are inputs. Input i is what call i returns. The trace is the
// list of calls, and how the execution ended.
func trace(code []decoded, input []bool) []call {
	m := machine{code: code, input: input}
	for pc := uint64(0); ; {
		if result, ending := m.run(pc); ending != returned || result == 0 {
			return append(m.calls, call{uint64(ending), result})
		}
		last := m.calls[len(m.calls)-1]
		if pc = (last.argument + 1) * pcsPerSegment; last.callee == growStack {
			pc = 1 // a position inside of the first segment
		}
	}
}

type machine struct {
	code   []decoded
	input  []bool
	calls  []call
	stack  []uint64
	labels []int // open wasm blocks
}

func (m *machine) pop() uint64 {
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return v
}

// run executes the function once.
func (m *machine) run(pc uint64) (result uint64, ending int) {
	locals := make([]uint64, 5)
	locals[0] = pc
	m.stack, m.labels = nil, nil
	for at := 0; at < len(m.code); at++ {
		d := m.code[at]
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
		switch d.op {
		case opUnreachable:
			return 0, trapped
		case opBlock, opLoop:
			m.labels = append(m.labels, at)
		case opIf:
			if m.pop() == 0 {
				at = d.end
			} else {
				m.labels = append(m.labels, at)
			}
		case opEnd:
			if len(m.labels) == 0 {
				return m.pop(), returned
			}
			m.labels = m.labels[:len(m.labels)-1]
		case opBr:
			branch(d.arg)
		case opBrIf:
			if m.pop() != 0 {
				branch(d.arg)
			}
		case opBrTable:
			branch(d.targets[min(m.pop(), uint64(len(d.targets)-1))])
		case opReturn:
			return m.pop(), returned
		case opCall:
			m.calls = append(m.calls, call{d.arg, m.pop()})
			if len(m.calls) >= len(m.input) {
				return 0, outOfInput
			}
			if d.arg == panicking {
				return 0, panicked
			}
			m.stack = append(m.stack, 0)
			if m.input[len(m.calls)] {
				m.stack[len(m.stack)-1] = 1
			}
		case opDrop:
			m.pop()
		case opLocalGet:
			m.stack = append(m.stack, locals[d.arg])
		case opLocalSet:
			locals[d.arg] = m.pop()
		case opGlobalGet:
			m.stack = append(m.stack, 7)
		case opI32Const:
			m.stack = append(m.stack, d.arg)
		case opI32Eqz:
			v := uint64(0)
			if m.pop() == 0 {
				v = 1
			}
			m.stack = append(m.stack, v)
		}
	}
	return 0, fellOff
}
