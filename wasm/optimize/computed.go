package main

import (
	"encoding/binary"
	"slices"
)

// The runtime finds a function by its number in three tables whose values follow from each other and barely compress:
// the list of functions (number, offset of the function), the functions (each begins with its number), and the index
// from addresses to the list. The module has zeros there, and a start function, which an engine runs when it has copied
// the data to memory, computes the values.
//
// The index has an entry of 20 bytes for each 4,096 addresses: a place in the list, as 32 bits, and 16 bytes to add for
// parts of this range. In WebAssembly each function has 65,536 addresses, of which the runtime looks up the first.
const (
	indexEntry = 5       // of it, as much as the runtime reads
	indexStep  = 16 * 20 // from one function to the next
)

// computedTables are what the start function needs: addresses in memory, the number of the first function, and how many
// there are.
type computedTables struct{ list, functions, index, first, count uint64 }

// clearComputed sets the values that can be computed to zero, and returns the start function, or nil if the tables have
// other values than those that it would compute; nothing changes then.
func (m memory) clearComputed() ([]byte, error) {
	t, err := m.readTables()
	if t == nil || err != nil || t.index == nil || t.count == 0 {
		return nil, err
	}
	address := func(tail []byte) uint64 { return uint64(len(m.bytes) - len(tail)) }
	word := func(at []byte) uint64 { return uint64(binary.LittleEndian.Uint32(at)) }
	c := computedTables{list: address(t.list), index: t.indexAt, first: word(t.list), count: t.count}
	c.functions = c.list + word(t.list[4:])
	if c.list%8 > 0 || c.functions%8 > 0 || (c.count-1)*indexStep+indexEntry > uint64(len(t.index)) {
		return nil, nil
	}
	values := [][]byte{t.index}
	next := c.functions
	for i := range c.count {
		f, err := t.entry(i)
		if err != nil {
			return nil, err
		}
		entry, index := t.list[8*i:][:8], t.index[indexStep*i:]
		if word(entry) != c.first+i || uint64(f.word(0)) != c.first+i || c.list+word(entry[4:]) != next ||
			word(index) != i || index[4] != 0 {
			return nil, nil
		}
		values = append(values, entry, f.fixed[:4])
		next += uint64(functionSize+len(f.tables)+len(f.records)+7) &^ 7
	}
	for _, v := range values {
		clear(v)
	}
	return c.code(), nil
}

// code returns the body of the start function: a loop with one turn for each function.
func (c computedTables) code() []byte {
	const number, entry, function, index, locals = 0, 1, 2, 3, 4
	code := []byte{1, locals, typeI32}
	op := func(op byte, args ...uint64) { code = appendOp(code, op, args...) }
	constant := func(v uint64) { code = appendSleb(append(code, opI32Const), v) }
	start := [locals]uint64{number: c.first, entry: c.list, function: c.functions, index: c.index}
	for local, v := range start {
		constant(v)
		op(opLocalSet, uint64(local))
	}
	minus := func(local, v uint64) {
		op(opLocalGet, local)
		constant(v)
		op(opI32Sub)
	}
	store := func(to, offset uint64, value func()) {
		op(opLocalGet, to)
		value()
		op(opI32Store, 2, offset)
	}
	advance := func(local uint64, by func()) {
		op(opLocalGet, local)
		by()
		op(opI32Add)
		op(opLocalTee, local)
	}
	code = append(code, opLoop, typeVoid)
	store(entry, 0, func() { op(opLocalGet, number) })
	store(entry, 4, func() { minus(function, c.list) })
	store(function, 0, func() { op(opLocalGet, number) })
	store(index, 0, func() { minus(number, c.first) })
	advance(entry, func() { constant(8) })
	op(opDrop)
	advance(index, func() { constant(indexStep) })
	op(opDrop)
	advance(function, func() { // by the size of the function, rounded up
		op(opLocalGet, function)
		op(opI32Load, 2, atCount)
		op(opLocalGet, function)
		op(opI32Load8S+1, 0, atRecords)
		op(opI32Add)
		constant(4)
		op(opI32Mul)
		constant(functionSize + 7)
		op(opI32Add)
		code = append(code, opI32Const, 1<<7-8) // -8
		op(opI32And)
	})
	op(opDrop)
	advance(number, func() { constant(1) })
	constant(c.first + c.count)
	op(opI32Ne)
	op(opBrIf, 0)
	return append(code, opEnd, opEnd)
}

// addStart adds a start function to a module, with the given body.
func addStart(sections []section, body []byte) ([]section, error) {
	if body == nil {
		return sections, nil
	}
	var index, kind uint64
	// append adds an element to the list of a section, and returns its index.
	add := func(s *section, element []byte) uint64 {
		r := reader{rest: s.body}
		n := r.uleb()
		s.body = slices.Concat(binary.AppendUvarint(nil, n+1), r.rest, element)
		return n
	}
	for i := range sections {
		switch s := &sections[i]; s.id {
		case typeSection:
			kind = add(s, []byte{typeFunction, 0, 0})
		case importSection:
			r := reader{rest: s.body}
			index += r.uleb()
		case functionSection:
			index += add(s, binary.AppendUvarint(nil, kind))
		case codeSection:
			add(s, append(binary.AppendUvarint(nil, uint64(len(body))), body...))
		}
	}
	before := slices.IndexFunc(sections, func(s section) bool { return s.id > startSection })
	if before < 0 {
		return nil, errModule
	}
	return slices.Insert(sections, before, section{startSection, binary.AppendUvarint(nil, index)}), nil
}
