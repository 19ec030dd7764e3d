package main

import (
	"encoding/binary"
	"slices"
)

// A call writes the return address to the stack of the goroutine. It is a constant: the upper bits are the number of a
// function, the caller, the lower 16 bits a number in it (PC_F and PC_B in the compiler's sources), by which the caller
// continues after the call if it was unwound, and by which the runtime finds the pointers in its frame. Such constants
// split what would otherwise be equal bytes of many functions, so they get a form that has more in common.
//
// The number of the function becomes a local, which is set once:
//
//	global.get 0  local.set 1            ;; prologue
//	i64.const F<<16  local.set 2
//	…
//	local.get 2  i64.const B  i64.or     ;; instead of i64.const F<<16+B
//
// An engine's optimizing compiler computes the same constant.
//
// The return addresses of a function get the numbers from 1 on, in order; the compiler leaves gaps. Those of calls
// of runtime.sigpanic, which is called for a nil pointer, are all 1: the runtime does not look for pointers in a frame
// that such a call left.

// functionAddress is the local that is set. The compiler's locals from this one on get the next number.
const functionAddress = 2

// resumeBits are the bits of an address that are the number in the function.
const resumeBits = 1<<16 - 1

// returnAddresses are those of a function as the compiler numbered them, in order, without those of runtime.sigpanic.
type returnAddresses struct {
	before     []uint64
	renumbered bool // they are 1, 2, … now
}

// A caller is the body of a function that calls others, and its address.
type caller struct {
	steps   []step
	locals  []byte
	address uint64
	returnAddresses
	nilPointers map[int]bool // the steps with a return address of a call of runtime.sigpanic
}

// readCaller returns nil for a function without return addresses, or with unusual locals.
func (m *symbols) readCaller(body []byte) (*caller, error) {
	steps, locals, err := readSteps(body)
	if err != nil {
		return nil, err
	}
	address, isKnown := addressOf(steps)
	locals, isUsual := insertAddress(locals)
	if !isKnown || !isUsual {
		return nil, nil
	}
	c := &caller{steps: steps, locals: locals, address: address, nilPointers: map[int]bool{}}
	for i, s := range steps {
		if !c.isReturnAddress(s) {
			continue
		}
		if i+3 < len(steps) && steps[i+3].op == opCall && m.names[steps[i+3].arg] == "runtime.sigpanic" {
			c.nilPointers[i] = true
		} else if number := s.arg & resumeBits; number > 0 {
			c.before = append(c.before, number)
		}
	}
	slices.Sort(c.before)
	c.before = slices.Compact(c.before)
	return c, nil
}

func (c *caller) isReturnAddress(s step) bool {
	return s.op == opI64Const && s.arg&^resumeBits == c.address
}

// body returns the function with its number in a local.
func (c *caller) body() []byte {
	out := append([]byte{}, c.locals...)
	for i, s := range c.steps {
		if i == len(prologue) {
			out = appendSleb(append(out, opI64Const), c.address)
			out = appendOp(out, opLocalSet, functionAddress)
		}
		switch {
		case c.isReturnAddress(s):
			out = appendOp(out, opLocalGet, functionAddress)
			if number := s.arg & resumeBits; number > 0 {
				out = append(appendSleb(append(out, opI64Const), number), opI64Or)
			}
		case opLocalGet <= s.op && s.op <= opLocalTee && s.arg >= functionAddress:
			out = appendOp(out, s.op, s.arg+1)
		default:
			out = append(out, s.bytes...)
		}
	}
	return out
}

// renumber changes the numbers of the return addresses, and the table by which the function continues. It is for
// functions that use the table once, at their begin.
func (c *caller) renumber() error {
	for i, s := range c.steps {
		switch {
		case c.nilPointers[i]:
			c.steps[i].arg = c.address + 1
		case c.isReturnAddress(s) && s.arg > c.address:
			number, _ := slices.BinarySearch(c.before, s.arg&resumeBits)
			c.steps[i].arg = c.address + uint64(number) + 1
		}
	}
	c.renumbered = true
	table := slices.IndexFunc(c.steps, func(s step) bool { return s.op == opBrTable })
	if table < 1 || c.steps[table-1].instruction != (instruction{opLocalGet, 0}) {
		return nil // a dispatch block of a loop, or none
	}
	r := reader{rest: c.steps[table].bytes[1:]}
	var labels, after []uint64
	for n := r.count() + 1; n > 0; n-- {
		labels = append(labels, r.uleb())
	}
	if r.failed {
		return errModule
	}
	for _, number := range append([]uint64{0}, c.before...) {
		after = append(after, labels[min(int(number), len(labels)-1)])
	}
	for len(after) > 1 && after[len(after)-1] == after[len(after)-2] {
		after = after[:len(after)-1]
	}
	c.steps[table].bytes = appendOp(nil, opBrTable, append([]uint64{uint64(len(after) - 1)}, after...)...)
	return nil
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
