package main

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func never(uint64) bool { return false }

// Shorter instructions leave the same values in memory and in the locals.
func TestShorterCodeComputesTheSame(t *testing.T) {
	shorter := 0
	rapid.Check(t, func(t *rapid.T) {
		d := codeDrawer{t: t, body: []byte{2, 1, typeI32, 3, typeI64}}
		d.add(opGlobalGet, 0)
		d.add(opLocalSet, stackPointer)
		d.statements(3)
		d.constant(0)
		d.add(opReturn)
		d.add(opUnreachable)
		d.add(opEnd)

		after, err := shorten(d.body, never)

		require.NoError(t, err)
		require.LessOrEqual(t, len(after), len(d.body))
		if len(after) < len(d.body)-3 {
			shorter++
		}
		wantLocals, wantMemory := evaluate(t, d.body)
		locals, memory := evaluate(t, after)
		require.Equal(t, wantMemory, memory)
		require.Equal(t, wantLocals, locals)
	})
	require.Positive(t, shorter) // the optimization is tested, too
}

// A codeDrawer writes code as Go's compiler does: addresses are sums with the stack pointer, locals 2 to 4 are i64.
type codeDrawer struct {
	t    *rapid.T
	body []byte
}

func (d *codeDrawer) add(op byte, args ...uint64) { d.body = appendOp(d.body, op, args...) }

func (d *codeDrawer) constant(v uint64) { d.body = appendSleb(append(d.body, opI32Const), v) }

func (d *codeDrawer) draw(max int) int { return rapid.IntRange(0, max).Draw(d.t, "choice") }

func (d *codeDrawer) statements(depth int) {
	for range d.draw(9) + 1 {
		switch d.draw(5) {
		case 0, 1:
			d.address()
			d.value(depth)
			d.add(opI64Load32U+2, 3, uint64(d.draw(64))) // i64.store
		case 2:
			d.value(depth)
			d.add(opLocalSet, uint64(2+d.draw(2)))
		case 3:
			for range d.draw(2) + 1 {
				d.add(opLocalGet, stackPointer)
				d.constant(uint64(8 * d.draw(8)))
				d.add([]byte{opI32Add, opI32Sub}[d.draw(1)])
				d.add(opLocalTee, stackPointer)
				d.add(opGlobalSet, 0)
			}
		case 4:
			d.address()
			d.add(opLocalGet, stackPointer)
			d.constant(16)
			d.add(opPrefixFC, opMemoryCopy, 0, 0)
		default:
			d.condition(depth)
			d.body = append(d.body, opIf, typeVoid)
			if depth > 0 {
				d.statements(depth - 1)
			}
			d.add(opEnd)
		}
	}
}

// address writes the address of a slot of the frame.
func (d *codeDrawer) address() {
	d.add(opLocalGet, stackPointer)
	if d.draw(3) > 0 {
		d.add(opI64ExtendU)
		d.body = appendSleb(append(d.body, opI64Const), uint64(d.draw(300)))
		d.add(opI64Add)
		d.add(opI32Wrap)
	}
}

// value writes the computation of an i64.
func (d *codeDrawer) value(depth int) {
	switch choice := d.draw(6); {
	case choice == 0 || depth == 0:
		if d.draw(1) > 0 {
			d.body = append(d.body, opI64Const, byte(0x40+d.draw(63))) // -64 to -1
			break
		}
		d.body = appendSleb(append(d.body, opI64Const), uint64(d.draw(1000)))
	case choice == 1:
		d.add(opLocalGet, uint64(2+d.draw(2)))
	case choice == 2:
		d.address()
		d.add(byte(opI64Load8S+d.draw(5)), 0, uint64(d.draw(64)))
	case choice == 3:
		d.value(depth - 1)
		d.value(depth - 1)
		d.add(opI64Add)
	case choice == 4:
		d.condition(depth - 1)
		d.add(opI64ExtendU)
	case choice == 5:
		d.value(depth - 1)
		d.add(opI32Wrap)
		d.add(opI64ExtendU)
	default:
		d.value(depth - 1)
		local := uint64(2 + d.draw(2))
		d.add(opLocalSet, local)
		d.add(opLocalGet, local)
	}
}

// condition writes the computation of an i32 that is 0 or 1, or the lower half of a value.
func (d *codeDrawer) condition(depth int) {
	d.value(max(depth-1, 0))
	switch d.draw(3) {
	case 0:
		d.add(opI64Eqz)
	case 1:
		d.add(opI32Wrap)
	case 2:
		d.add(opI32Wrap)
		d.add(opI64ExtendU)
		d.add(opI64Eqz)
	default:
		d.value(max(depth-1, 0))
		d.add(byte(opI64Eq + d.draw(9)))
	}
	for range d.draw(2) {
		d.add(opI32Eqz)
	}
}

// evaluate executes a body whose only control flow is if. It returns the locals and the memory at its end; the stack
// pointer, which is dead there, is that of the global.
func evaluate(t *rapid.T, body []byte) (locals []uint64, memory []byte) {
	steps, _, err := readSteps(body)
	require.NoError(t, err)
	memory = make([]byte, 8192)
	for i := range memory {
		memory[i] = byte(i*i>>3) ^ byte(i)
	}
	locals = make([]uint64, 5)
	global := uint64(4096)
	var stack []uint64
	pop := func() uint64 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return v
	}
	push := func(v uint64) { stack = append(stack, v) }
	truth := func(is bool) {
		if push(0); is {
			stack[len(stack)-1] = 1
		}
	}
	for at := 0; ; at++ {
		switch s := steps[at]; s.op {
		case opReturn:
			require.Len(t, stack, 1)
			locals[stackPointer] = global
			return locals, memory
		case opIf:
			if pop() != 0 {
				break
			}
			for open := 1; open > 0; {
				at++
				switch steps[at].op {
				case opIf:
					open++
				case opEnd:
					open--
				}
			}
		case opEnd:
		case opLocalGet:
			push(locals[s.arg])
		case opLocalSet:
			locals[s.arg] = pop()
		case opLocalTee:
			locals[s.arg] = stack[len(stack)-1]
		case opGlobalGet:
			push(global)
		case opGlobalSet:
			global = pop()
		case opI32Const, opI64Const:
			push(s.arg)
		case opI32Add, opI32Sub:
			b, a := pop(), pop()
			if s.op == opI32Sub {
				b = -b
			}
			push(uint64(uint32(a + b)))
		case opI64Add:
			push(pop() + pop())
		case opI32Wrap:
			push(uint64(uint32(pop())))
		case opI64ExtendU:
		case opI32Eqz, opI64Eqz:
			truth(pop() == 0)
		case opPrefixFC:
			n, from, to := pop(), pop(), pop()
			copy(memory[to:to+n], memory[from:from+n])
		case opI64Load32U + 2: // i64.store
			v, address := pop(), pop()
			binary.LittleEndian.PutUint64(memory[address+s.offset:], v)
		default:
			if isMemory(s.op) {
				push(loaded(t, s.op, memory[pop()+s.offset:]))
				break
			}
			b, a := pop(), pop()
			truth(compared(t, s.op, a, b))
		}
	}
}

// Loads of an i64.
const (
	opI64Load    = 0x29
	opI64Load8S  = 0x30
	opI64Load16U = 0x33
	opI64Load32S = 0x34
	opI64Load32U = 0x35
)

func loaded(t *rapid.T, op byte, at []byte) uint64 {
	switch op {
	case opI64Load8S, opI64Load8S + 2:
		v := int64(int16(binary.LittleEndian.Uint16(at)))
		if op == opI64Load8S {
			v = int64(int8(at[0]))
		}
		return uint64(v)
	case opI64Load8S + 1:
		return uint64(at[0])
	case opI64Load16U:
		return uint64(binary.LittleEndian.Uint16(at))
	case opI64Load32S:
		return uint64(int64(int32(binary.LittleEndian.Uint32(at))))
	case opI64Load32U:
		return uint64(binary.LittleEndian.Uint32(at))
	}
	require.Failf(t, "an opcode that evaluate does not know", "%#x", op)
	return 0
}

// compared compares two i64: eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u.
func compared(t *rapid.T, op byte, a, b uint64) bool {
	require.True(t, opI64Eq <= op && op < opF32Eq, "an opcode that evaluate does not know: %#x", op)
	return [...]bool{a == b, a != b, int64(a) < int64(b), a < b, int64(a) > int64(b), a > b,
		int64(a) <= int64(b), a <= b, int64(a) >= int64(b), a >= b}[op-opI64Eq]
}

func TestShorterForms(t *testing.T) {
	sum := []byte{opLocalGet, stackPointer, opI64ExtendU, opI64Const, 24, opI64Add, opI32Wrap}
	down := []byte{opLocalGet, stackPointer, opI32Const, 32, opI32Add, opLocalTee, stackPointer, opGlobalSet, 0}
	up := []byte{opLocalGet, stackPointer, opI32Const, 8, opI32Sub, opLocalTee, stackPointer, opGlobalSet, 0}
	for name, c := range map[string]struct{ code, want []byte }{
		"the address of a load": {join(sum, []byte{opI64Load, 3, 8}), []byte{opLocalGet, stackPointer, opI64Load, 3, 32}},
		"the address of a store, before a value with its own": {
			join(sum, sum, []byte{opI64Load, 3, 0, opI32Store + 1, 3, 0}),
			[]byte{opLocalGet, stackPointer, opLocalGet, stackPointer, opI64Load, 3, 24, opI32Store + 1, 3, 24}},
		"a sum for another use": {join(sum, []byte{opDrop}),
			[]byte{opLocalGet, stackPointer, opI32Const, 24, opI32Add, opDrop}},
		"a sum under a call": {join(sum, []byte{opCall, 3, opI32Store, 2, 0}),
			[]byte{opLocalGet, stackPointer, opI32Const, 24, opI32Add, opCall, 3, opI32Store, 2, 0}},
		"a sum as the value of a store": {join([]byte{opLocalGet, 0}, sum, []byte{opI32Store, 2, 0}),
			[]byte{opLocalGet, 0, opLocalGet, stackPointer, opI32Const, 24, opI32Add, opI32Store, 2, 0}},
		"the lower half of a load": {[]byte{opLocalGet, 2, opI32Wrap, opI64Load, 3, 8, opI32Wrap, opDrop},
			[]byte{opLocalGet, 2, opI32Wrap, opI64Load, 3, 8, opI32Wrap, opDrop}},
		"two adjustments": {join(down, up), []byte{opLocalGet, stackPointer, opI32Const, 24, opI32Add, opLocalTee,
			stackPointer, opGlobalSet, 0}},
		"an adjustment before a return": {join(down, []byte{opI32Const, 0, opReturn, opUnreachable}),
			[]byte{opLocalGet, stackPointer, opI32Const, 32, opI32Add, opGlobalSet, 0, opI32Const, 0, opReturn}},
		"the opposite comparison": {[]byte{opLocalGet, 2, opLocalGet, 3, opI64Eq + 2, opI32Eqz, opDrop},
			[]byte{opLocalGet, 2, opLocalGet, 3, opI64Eq + 8, opDrop}},
		"not of floats": {[]byte{opLocalGet, 2, opLocalGet, 3, opF32Eq, opI32Eqz, opDrop},
			[]byte{opLocalGet, 2, opLocalGet, 3, opF32Eq, opI32Eqz, opDrop}},
		"a condition twice inverted": {[]byte{opLocalGet, 0, opI32Eqz, opI32Eqz, opIf, typeVoid, opEnd},
			[]byte{opLocalGet, 0, opIf, typeVoid, opEnd}},
		"code behind a branch": {
			[]byte{opBlock, typeVoid, opBr, 0, opIf, typeVoid, opElse, opEnd, opNop, opEnd, opNop},
			[]byte{opBlock, typeVoid, opBr, 0, opEnd, opNop}},
	} {
		t.Run(name, func(t *testing.T) {
			after, err := shorten(append([]byte{0}, c.code...), never)

			require.NoError(t, err)
			require.Equal(t, append([]byte{0}, c.want...), after)
		})
	}
}

func join(parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// A branch to the unwind exit returns instead, and nothing follows a call that never continues.
func TestBranchesToTheUnwindExitReturn(t *testing.T) {
	call := []byte{opI32Const, 0, opCall, 3, opGlobalGet, 0, opLocalSet, stackPointer, opBrIf, 1}
	start := []byte{0, opGlobalGet, 0, opLocalSet, stackPointer, opBlock, typeVoid, opLocalGet, 2, opIf, typeVoid}
	end := []byte{opEnd, opUnreachable, opEnd, opI32Const, 1, opEnd}
	body := join(start, call, end)

	after, err := shorten(body, never)

	require.NoError(t, err)
	require.Equal(t, join(start, call[:8], []byte{opIf, typeVoid, opI32Const, 1, opReturn, opEnd}, end), after)

	after, err = shorten(body, func(callee uint64) bool { return callee == 3 })

	require.NoError(t, err)
	require.Equal(t, join(start, call[:4], []byte{opReturn}, end), after)
}
