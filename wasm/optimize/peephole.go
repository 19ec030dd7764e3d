package main

import "fmt"

// Peephole optimization: W. McKeeman (1965). The instructions that Go's compiler emits for addresses on the stack, for
// conditions and for narrow values have shorter forms with the same result. Only code behind a branch goes; the rest
// of the control flow does not change.
//
// A load of an i64 whose lower half is an address does not become a load of an i32: JavaScriptCore (Bun 1.4.5, Claude
// Code 2.1.332) compiles some such addresses to those of other memory once a function is hot. The module is 2 KB
// smaller without, when compressed.

// stackPointer is the local with the stack pointer, an i32.
const stackPointer = 1

// A step is an instruction of a body.
type step struct {
	instruction
	offset uint64 // second immediate of a load or store
	bytes  []byte // encoded
}

func newStep(op byte, args ...uint64) step {
	s := step{instruction: instruction{op: op}, bytes: appendOp(nil, op, args...)}
	if len(args) > 0 {
		s.arg = args[0]
	}
	if len(args) > 1 {
		s.offset = args[1]
	}
	return s
}

// shorten returns the body of a function with the standard calling convention in fewer bytes. A callee that
// neverContinues returns only to unwind the stack.
func shorten(body []byte, neverContinues func(callee uint64) bool) ([]byte, error) {
	steps, locals, err := readSteps(body)
	if err != nil {
		return nil, err
	}
	steps = returnToUnwind(steps, neverContinues)
	out := append(make([]byte, 0, len(body)), locals...)
	for _, s := range reduce(foldAddresses(removeDead(steps))) {
		out = append(out, s.bytes...)
	}
	return out, nil
}

// readSteps decodes a body: its instructions, and the declarations of locals as they are.
func readSteps(body []byte) (steps []step, locals []byte, err error) {
	r := reader{rest: body}
	r.skipLocals()
	locals = body[:len(body)-len(r.rest)]
	for len(r.rest) > 0 {
		s, start := step{}, r.rest
		if start[0] == opBrTable {
			s.op = r.byte()
			for n := r.count() + 1; n > 0 && !r.failed; n-- {
				r.uleb()
			}
		} else {
			again := r
			s.instruction = r.next()
			if isMemory(s.op) {
				again.byte()
				again.uleb()
				s.offset = again.uleb()
			}
		}
		if r.failed {
			return nil, nil, fmt.Errorf("at byte %d of its body: an instruction that Go's compiler is not known to emit",
				len(body)-len(start))
		}
		s.bytes = start[:len(start)-len(r.rest)]
		steps = append(steps, s)
	}
	return steps, locals, nil
}

func isMemory(op byte) bool { return opI32Load <= op && op <= opI64Store32 }

// returnToUnwind makes each branch to the unwind exit a return of 1. It has more bytes and compresses better, because
// the label of a branch depends on the place. The call of a function that never continues returns its result, 1.
func returnToUnwind(steps []step, neverContinues func(callee uint64) bool) []step {
	n := len(steps)
	if n < 6 || steps[2].op != opBlock || steps[n-3].op != opEnd ||
		steps[n-2].instruction != (instruction{opI32Const, 1}) {
		return steps
	}
	var out []step
	open := uint64(0) // wasm blocks
	for _, s := range steps {
		switch s.op {
		case opBlock, opLoop, opIf:
			open++
		case opEnd:
			open--
		case opBrIf:
			if s.arg+1 != open {
				break
			}
			if end := len(out) - 3; end >= 0 && out[end].op == opCall && neverContinues(out[end].arg) {
				out = append(out[:end+1], newStep(opReturn))
				continue
			}
			out = append(out, step{instruction{op: opIf}, 0, []byte{opIf, typeVoid}},
				newStep(opI32Const, 1), newStep(opReturn), newStep(opEnd))
			continue
		}
		out = append(out, s)
	}
	return out
}

// removeDead removes the code that follows a branch, up to the end of the wasm block.
func removeDead(steps []step) []step {
	var live []step
	dead := -1 // number of wasm blocks that began in dead code; -1: the code is live
	for _, s := range steps {
		if dead >= 0 {
			switch s.op {
			case opBlock, opLoop, opIf:
				dead++
			case opEnd:
				dead--
			case opElse:
				if dead == 0 {
					dead = -1
				}
			}
			if dead >= 0 {
				continue
			}
		}
		live = append(live, s)
		switch s.op {
		case opBr, opBrTable, opReturn, opUnreachable:
			dead = 0
		}
	}
	return live
}

// foldAddresses shortens sums of the stack pointer and a constant, which the compiler computes as
// local.get 1, i64.extend_i32_u, i64.const K, i64.add, i32.wrap_i64. The address of a load or store becomes its offset:
// the sum does not exceed 32 bits, since the frame is in memory. For another use the sum becomes one of i32.
func foldAddresses(steps []step) []step {
	var out []step
	var stack []int // for each operand, the position of the constant in out if it is such a sum, or 0
	pop := func() (sum int) {
		if last := len(stack) - 1; last >= 0 {
			sum, stack = stack[last], stack[:last]
		}
		return sum
	}
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		if isSum(steps[i:]) {
			stack = append(stack, len(out)+1)
			constant := step{instruction{opI32Const, steps[i+2].arg}, 0, appendSleb([]byte{opI32Const}, steps[i+2].arg)}
			out = append(out, s, constant, newStep(opI32Add))
			i += 4
			continue
		}
		pops, pushes, known := stackEffect(s.instruction)
		if !known {
			stack = stack[:0]
		}
		sum := 0 // the operand that was pushed first
		for range pops {
			sum = pop()
		}
		for range pushes {
			stack = append(stack, 0)
		}
		if isMemory(s.op) && sum > 0 && s.offset+out[sum].arg <= 1<<31-1 {
			s = newStep(s.op, s.arg, s.offset+out[sum].arg)
			out[sum].bytes, out[sum+1].bytes = nil, nil
		}
		out = append(out, s)
	}
	return out
}

func isSum(steps []step) bool {
	return len(steps) > 4 && steps[0].instruction == instruction{opLocalGet, stackPointer} &&
		steps[1].op == opI64ExtendU && steps[2].op == opI64Const && steps[2].arg <= 1<<31-1 &&
		steps[3].op == opI64Add && steps[4].op == opI32Wrap
}

// stackEffect returns how many operands an instruction pops and pushes. Calls and control flow are not known.
func stackEffect(in instruction) (pops, pushes int, known bool) {
	switch op := in.op; {
	case op == opLocalGet, op == opGlobalGet, op == opMemorySize, opI32Const <= op && op <= opF64Const:
		return 0, 1, true
	case op == opLocalSet, op == opGlobalSet, op == opDrop:
		return 1, 0, true
	case op == opSelect:
		return 3, 1, true
	case opI32Store <= op && op <= opI64Store32:
		return 2, 0, true
	case op == opPrefixFC && in.arg >= opMemoryCopy:
		return 3, 0, true
	case opI32Eq <= op && op <= opF64Ge && op != opI64Eqz,
		opI32Add <= op && op <= opI32Rotr, opI64Add <= op && op <= opI64Rotr,
		opF32Add <= op && op <= opF32Copysign, opF64Add <= op && op <= opF64Copysign:
		return 2, 1, true
	case op == opLocalTee, isMemory(op), op == opMemoryGrow, op == opPrefixFC, opI32Eqz <= op && op <= opExtend32:
		return 1, 1, true
	}
	return 0, 0, false
}

// reduce replaces short sequences. Each is looked for at the end of the result, so the result of one can be part of
// the next.
func reduce(steps []step) []step {
	var out []step
	for _, s := range steps {
		if s.bytes == nil {
			continue
		}
		out = append(out, s)
		for shorter := true; shorter; {
			out, shorter = reduceEnd(out)
		}
	}
	return out
}

// reduceEnd replaces a sequence at the end, if there is one.
func reduceEnd(steps []step) ([]step, bool) {
	n := len(steps)
	if n < 2 {
		return steps, false
	}
	a, b := steps[n-2], steps[n-1]
	pair := func(s ...step) ([]step, bool) { return append(steps[:n-2], s...), true }
	switch {
	case a.op == opLocalSet && b.op == opLocalGet && a.arg == b.arg:
		return pair(newStep(opLocalTee, a.arg))
	case a.op == opI64ExtendU && b.op == opI32Wrap:
		return pair()
	case a.op == opI64Const && a.arg <= 1<<31-1 && b.op == opI32Wrap:
		return pair(step{instruction{opI32Const, a.arg}, 0, append([]byte{opI32Const}, a.bytes[1:]...)})
	case a.op == opI64ExtendU && b.op == opI64Eqz:
		return pair(newStep(opI32Eqz))
	case b.op == opI32Eqz && inverse(a.op) != 0:
		return pair(newStep(inverse(a.op)))
	case (b.op == opIf || b.op == opBrIf) && n > 3 && a.op == opI32Eqz && steps[n-3].op == opI32Eqz:
		return append(steps[:n-3], b), true
	case b.op == opGlobalSet && n >= 10:
		return mergeAdjustments(steps)
	case b.op == opReturn && n >= 4 && a.op == opI32Const && steps[n-3].instruction == (instruction{opGlobalSet, 0}) &&
		steps[n-4].instruction == (instruction{opLocalTee, stackPointer}):
		return append(steps[:n-4], steps[n-3:]...), true
	}
	return steps, false
}

// inverse returns the comparison of integers with the opposite result, or 0. The order of the opcodes is
// eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u.
func inverse(op byte) byte {
	first := byte(opI32Eq)
	if op >= opI64Eq {
		first = opI64Eq
	}
	if op < opI32Eq || op == opI64Eqz || op >= opF32Eq {
		return 0
	}
	return first + [...]byte{1, 0, 8, 9, 6, 7, 4, 5, 2, 3}[op-first]
}

// mergeAdjustments makes one adjustment of the stack pointer of two at the end. An adjustment is
// local.get 1, i32.const K, i32.add or i32.sub, local.tee 1, global.set 0.
func mergeAdjustments(steps []step) ([]step, bool) {
	n := len(steps)
	first, isFirst := adjustment(steps[n-10 : n-5])
	second, isSecond := adjustment(steps[n-5:])
	if !isFirst || !isSecond {
		return steps, false
	}
	op, sum := byte(opI32Add), first+second
	if sum < 0 {
		op, sum = opI32Sub, -sum
	}
	steps = steps[:n-5]
	steps[n-9].arg, steps[n-9].bytes = uint64(sum), appendSleb([]byte{opI32Const}, uint64(sum))
	steps[n-8] = newStep(op)
	return steps, true
}

func adjustment(s []step) (by int64, ok bool) {
	ok = s[0].instruction == instruction{opLocalGet, stackPointer} && s[1].op == opI32Const && s[1].arg < 1<<30 &&
		(s[2].op == opI32Add || s[2].op == opI32Sub) && s[3].instruction == instruction{opLocalTee, stackPointer} &&
		s[4].instruction == instruction{opGlobalSet, 0}
	if by = int64(s[1].arg); s[2].op == opI32Sub {
		by = -by
	}
	return by, ok
}
