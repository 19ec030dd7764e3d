package main

import "encoding/binary"

// A call writes the return address to the stack of the goroutine. It is a constant: the upper bits are the number of the
// calling function, the lower 16 bits that of the resume point (PC_F and PC_B in the compiler's sources). The number of
// the function is in all its calls and in no other function, so it splits what would otherwise be equal bytes in all
// functions. It becomes a local, which is set once:
//
//	global.get 0  local.set 1            ;; prologue
//	i64.const F<<16  local.set 2
//	…
//	local.get 2  i64.const B  i64.or     ;; instead of i64.const F<<16+B
//
// An engine's optimizing compiler computes the same constant.

// functionAddress is the local that is set. The compiler's locals from this one on get the next number.
const functionAddress = 2

// resumeBits are the bits of an address that number the resume point.
const resumeBits = 1<<16 - 1

// shareAddress makes the number of a function a local. Functions without a return address stay unchanged.
func shareAddress(body []byte) ([]byte, error) {
	steps, locals, err := readSteps(body)
	if err != nil {
		return nil, err
	}
	address, isKnown := addressOf(steps)
	locals, isUsual := insertAddress(locals)
	if !isKnown || !isUsual {
		return body, nil
	}
	out := append(make([]byte, 0, len(body)), locals...)
	for i, s := range steps {
		if i == len(prologue) {
			out = appendSleb(append(out, opI64Const), address)
			out = appendOp(out, opLocalSet, functionAddress)
		}
		switch {
		case s.op == opI64Const && s.arg&^resumeBits == address:
			out = appendOp(out, opLocalGet, functionAddress)
			if point := s.arg & resumeBits; point > 0 {
				out = append(appendSleb(append(out, opI64Const), point), opI64Or)
			}
		case opLocalGet <= s.op && s.op <= opLocalTee && s.arg >= functionAddress:
			out = appendOp(out, s.op, s.arg+1)
		default:
			out = append(out, s.bytes...)
		}
	}
	return out, nil
}

// addressOf returns the address of the function that has these instructions: that of its first return address. A return
// address is stored right before a call, or before the argument of the call.
func addressOf(steps []step) (address uint64, found bool) {
	if len(steps) < len(prologue) || steps[0].instruction != prologue[0] || steps[1].instruction != prologue[1] {
		return 0, false
	}
	for i, s := range steps[:max(0, len(steps)-3)] {
		if s.op == opI64Const && resumeBits < s.arg && s.arg < 1<<32 && steps[i+1].op == opI64Store &&
			steps[i+1].offset == 0 && (steps[i+2].op == opCall || steps[i+3].op == opCall) {
			return s.arg &^ resumeBits, true
		}
	}
	return 0, false
}

// insertAddress adds an i64 to the declarations of locals, behind the stack pointer, which must be a group of its own.
func insertAddress(locals []byte) ([]byte, bool) {
	r := reader{rest: locals}
	groups := r.uleb()
	if size, kind := r.uleb(), r.byte(); r.failed || size != 1 || kind != typeI32 {
		return nil, false
	}
	size, rest := uint64(0), r
	if n, kind := rest.uleb(), rest.byte(); !rest.failed && kind == typeI64 {
		size, r = n, rest
	} else {
		groups++
	}
	out := append(binary.AppendUvarint(nil, groups), 1, typeI32)
	out = append(binary.AppendUvarint(out, size+1), typeI64)
	return append(out, r.rest...), true
}
