package main

import "encoding/binary"

const activeSegment = 0x00 // copied into memory 0 as the module starts

// maxMemory is far above what a program of ours starts with, and keeps a broken file from asking for the machine's memory.
const maxMemory = 1 << 28

// joinData puts a module's data in one segment.
func joinData(sections []section) error {
	for i, s := range sections {
		if s.id != dataSection {
			continue
		}
		memory, err := readMemory(s.body)
		if err != nil {
			return err
		}
		sections[i].body = memory.segment()
	}
	return nil
}

// A memory is what the module's memory holds before the program runs, from address 0.
type memory struct {
	bytes []byte
	start int // the first byte that a segment sets
}

// readMemory lays the segments out as an engine would: in their order, over zeros.
func readMemory(section []byte) (memory, error) {
	r := reader{rest: section}
	count := r.number()
	m := memory{start: maxMemory}
	for range count {
		flags, op := r.number(), r.byte()
		at := r.number() // signed in wasm; an address is below 2³¹, where both read alike
		end := r.byte()
		data := r.take(r.number())
		if r.short || flags != activeSegment || op != opI32Const || end != opEnd || at+uint64(len(data)) > maxMemory {
			return memory{}, errModule
		}
		if need := int(at) + len(data); need > len(m.bytes) {
			m.bytes = append(m.bytes, make([]byte, need-len(m.bytes))...)
		}
		copy(m.bytes[at:], data)
		m.start = min(m.start, int(at))
	}
	if len(r.rest) > 0 || len(m.bytes) == 0 {
		return memory{}, errModule
	}
	return m, nil
}

// segment is the body of a data section that sets the same memory by one segment.
func (m memory) segment() []byte {
	data := m.bytes[m.start:]
	body := []byte{1, activeSegment, opI32Const}
	body = appendSigned(body, uint64(m.start))
	body = append(body, opEnd)
	body = binary.AppendUvarint(body, uint64(len(data)))
	return append(body, data...)
}

// appendSigned appends v as a signed LEB128: bit 6 of the last byte is the sign, so a number that sets it takes one byte more.
func appendSigned(b []byte, v uint64) []byte {
	b = binary.AppendUvarint(b, v)
	if last := len(b) - 1; b[last]&0x40 != 0 {
		b[last] |= 0x80
		b = append(b, 0)
	}
	return b
}
