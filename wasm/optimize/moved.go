package main

import (
	"encoding/binary"
	"slices"
)

// The runtime reads the tables of a function (tables.go) when the function is on a stack, so what only moved functions
// need is data of the secondary module. Functions of the runtime are an exception: it reads the tables of some that
// have not run, such as the function below all others on each stack.

// A dataSegment is initial content of the memory.
type dataSegment struct {
	address uint64
	data    []byte
}

// joinGap is the number of bytes between two runs up to which they are one segment: the address and the size of another
// one take as many.
const joinGap = 12

// takeTables sets to zero what the tables have for moved functions only, and returns it. moved reports on the function
// at a place of the table of functions, which is also its number in these tables.
func (m memory) takeTables(moved func(place uint64) bool) ([]dataSegment, error) {
	t, err := m.readTables()
	if t == nil || err != nil {
		return nil, err
	}
	uses, taken := t.newUses(), newTaken(m)
	for i := range t.count {
		f, err := t.entry(i)
		if err != nil {
			return nil, err
		}
		if place := binary.LittleEndian.Uint32(t.list[8*i:]); !moved(uint64(place)) {
			if !uses.add(t, f) {
				return nil, errModule
			}
			continue
		}
		for _, at := range eachWord(f.records) {
			uses.dropped = append(uses.dropped, binary.LittleEndian.Uint32(at))
		}
		taken.add(f.fixed)
		taken.add(f.tables)
		taken.add(f.records)
	}
	for i, used := range uses.tables {
		if !used {
			taken.add(t.tables[i : i+1])
		}
	}
	for _, record := range uses.unneeded(t) {
		taken.add(record)
	}
	return taken.segments(), nil
}

// A taken is the set of the bytes that are taken from a memory.
type taken struct {
	memory
	is []bool
}

func newTaken(m memory) *taken { return &taken{m, make([]bool, len(m.bytes))} }

// add takes the bytes of a part of the memory, except zeros.
func (t *taken) add(part []byte) {
	from := cap(t.bytes) - cap(part)
	for i, b := range part {
		t.is[from+i] = b != 0
	}
}

// segments sets the bytes to zero and returns them, with the few that are between them.
func (t *taken) segments() []dataSegment {
	var all []dataSegment
	for from := 0; ; {
		next := slices.Index(t.is[from:], true)
		if next < 0 {
			break
		}
		from += next
		to := from + 1
		for end := to; end < min(to+joinGap, len(t.is)); end++ {
			if t.is[end] {
				to = end + 1
			}
		}
		all = append(all, dataSegment{uint64(from), slices.Clone(t.bytes[from:to])})
		from = to
	}
	for i, is := range t.is {
		if is {
			t.bytes[i] = 0
		}
	}
	return all
}

// appendSegments appends the body of a data section.
func appendSegments(body []byte, all []dataSegment) []byte {
	body = binary.AppendUvarint(body, uint64(len(all)))
	for _, s := range all {
		body = append(appendSleb(append(body, activeSegment, opI32Const), s.address), opEnd)
		body = appendSized(body, s.data)
	}
	return body
}
