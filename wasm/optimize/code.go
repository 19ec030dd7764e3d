package main

import "encoding/binary"

// Opcodes that this command reads or writes by name, among them the bounds of groups with the same effect on the stack.
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
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opI32Load      = 0x28 // first opcode with an alignment and an offset
	opI32Load8S    = 0x2c
	opI32Store     = 0x36
	opI64Store     = 0x37
	opI64Store32   = 0x3e // last one
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opI32Eqz       = 0x45 // first opcode without immediates
	opI32Eq        = 0x46
	opI32Ne        = 0x47
	opI64Eqz       = 0x50
	opI64Eq        = 0x51
	opF32Eq        = 0x5b
	opF64Ge        = 0x66
	opI32Add       = 0x6a
	opI32Sub       = 0x6b
	opI32Mul       = 0x6c
	opI32And       = 0x71
	opI32Rotr      = 0x78
	opI64Add       = 0x7c
	opI64Or        = 0x84
	opI64Rotr      = 0x8a
	opF32Add       = 0x92
	opF32Copysign  = 0x98
	opF64Add       = 0xa0
	opF64Copysign  = 0xa6
	opI32Wrap      = 0xa7
	opI64ExtendU   = 0xad
	opExtend32     = 0xc4 // last one: i64.extend32_s
	opPrefixFC     = 0xfc // a second opcode follows
)

// Second opcodes after opPrefixFC. Those below opMemoryCopy that Go emits are the saturating conversions, which have
// no immediates.
const (
	opMemoryCopy = 10
	opMemoryFill = 11
)

const (
	typeVoid     = 0x40
	typeFunction = 0x60
	typeI32      = 0x7f
	typeI64      = 0x7e
)

// An instruction is an opcode and its first immediate: a label, a local, a function, a constant.
type instruction struct {
	op  byte
	arg uint64
}

// next decodes an instruction. It fails on those that Go's compiler does not emit inside of a function, and on
// br_table, which it emits at the top of a function only.
func (r *reader) next() instruction {
	in := instruction{op: r.byte()}
	switch op := in.op; {
	case op == opBlock, op == opLoop, op == opIf:
		r.failed = r.failed || r.byte() != typeVoid
	case op == opBr, op == opBrIf, op == opCall, opLocalGet <= op && op <= opGlobalSet:
		in.arg = r.uleb()
	case op == opCallIndirect, opI32Load <= op && op <= opI64Store32:
		in.arg = r.uleb()
		r.uleb()
	case op == opI32Const, op == opI64Const:
		in.arg = r.sleb()
	case op == opMemorySize, op == opMemoryGrow:
		r.byte()
	case op == opF32Const:
		r.take(4)
	case op == opF64Const:
		r.take(8)
	case op == opPrefixFC:
		in.arg = r.uleb()
		switch in.arg {
		case opMemoryCopy:
			r.take(2)
		case opMemoryFill:
			r.take(1)
		default:
			r.failed = r.failed || in.arg > opMemoryFill
		}
	case op <= opNop, op == opElse, op == opEnd, op == opReturn, op == opDrop, op == opSelect,
		opI32Eqz <= op && op <= opExtend32:
	default:
		r.failed = true
	}
	return in
}

// accept consumes the given instructions if they are the next ones, and reports whether they are.
func (r *reader) accept(want ...instruction) bool {
	ahead := *r
	for _, in := range want {
		if ahead.next() != in || ahead.failed {
			return false
		}
	}
	*r = ahead
	return true
}

// appendOp appends an instruction with unsigned immediates.
func appendOp(code []byte, op byte, args ...uint64) []byte {
	code = append(code, op)
	for _, arg := range args {
		code = binary.AppendUvarint(code, arg)
	}
	return code
}

// directCalls returns the indexes of the functions that a function body calls. It ends at an instruction that Go's
// compiler does not emit in functions with calls.
func directCalls(body []byte) (callees []uint64) {
	r := reader{rest: body}
	r.skipLocals()
	for len(r.rest) > 0 && !r.failed {
		if r.rest[0] == opBrTable {
			r.byte()
			for n := r.count() + 1; n > 0 && !r.failed; n-- {
				r.uleb()
			}
			continue
		}
		if in := r.next(); in.op == opCall && !r.failed {
			callees = append(callees, in.arg)
		}
	}
	return callees
}

func (r *reader) skipLocals() {
	for range r.count() {
		r.uleb()
		r.byte()
	}
}
