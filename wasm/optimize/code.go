package main

import "encoding/binary"

// The instructions that make the flow of control, and those that stand around them.
const (
	opUnreachable  = 0x00
	opNop          = 0x01
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opDrop         = 0x1a
	opSelect       = 0x1b
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opI32Load      = 0x28 // the first that has an alignment and an offset …
	opI64Store32   = 0x3e // … and the last
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opI32Eqz       = 0x45 // the first that has nothing after it …
	opExtend32     = 0xc4 // … and the last
	opMore         = 0xfc // a number says what
)

// Of opMore: those below move no memory.
const (
	opMemoryCopy = 10
	opMemoryFill = 11
)

const (
	typeVoid = 0x40
	typeI32  = 0x7f
)

// An instruction, with the first number after it: a label, a local, a function, a constant.
type instruction struct {
	op  byte
	arg uint64
}

// next reads an instruction. One that Go does not write within a function makes the reader short.
func (r *reader) next() instruction {
	in := instruction{op: r.byte()}
	switch op := in.op; {
	case op == opBlock, op == opLoop, op == opIf:
		r.short = r.short || r.byte() != typeVoid
	case op == opBr, op == opBrIf, op == opCall, opLocalGet <= op && op <= opGlobalSet:
		in.arg = r.number()
	case op == opCallIndirect, opI32Load <= op && op <= opI64Store32:
		in.arg = r.number()
		r.number()
	case op == opI32Const, op == opI64Const:
		in.arg = r.signed()
	case op == opMemorySize, op == opMemoryGrow:
		r.byte()
	case op == opF32Const:
		r.take(4)
	case op == opF64Const:
		r.take(8)
	case op == opMore:
		in.arg = r.number()
		switch in.arg {
		case opMemoryCopy:
			r.take(2)
		case opMemoryFill:
			r.take(1)
		default:
			r.short = r.short || in.arg > opMemoryFill
		}
	case op <= opNop, op == opElse, op == opEnd, op == opReturn, op == opDrop, op == opSelect, opI32Eqz <= op && op <= opExtend32:
	default:
		r.short = true
	}
	return in
}

// is takes the instructions off the front of the reader where they are the next ones.
func (r *reader) is(want ...instruction) bool {
	ahead := *r
	for _, in := range want {
		if ahead.next() != in || ahead.short {
			return false
		}
	}
	*r = ahead
	return true
}

// appendOp appends an instruction with unsigned numbers.
func appendOp(code []byte, op byte, args ...uint64) []byte {
	code = append(code, op)
	for _, arg := range args {
		code = binary.AppendUvarint(code, arg)
	}
	return code
}
