package main

import "encoding/binary"

const activeSegment = 0x00 // copied into memory 0 when the module is instantiated

// maxMemory bounds the initial memory in bytes, so that a corrupt offset cannot allocate gigabytes. Go programs start
// with a few MB.
const maxMemory = 1 << 28

// mergeData replaces all data segments of a module by one, and removes what the program does not need from the tables
// of the runtime.
func mergeData(sections []section, d detail, keep keptFunctions) error {
	for i, s := range sections {
		if s.id != dataSection {
			continue
		}
		memory, err := readMemory(s.body)
		if err != nil {
			return err
		}
		if _, err := memory.prune(d, keep); err != nil {
			return err
		}
		if d == withoutNames && !keep.floats {
			memory.clearPowers()
		}
		sections[i].body = memory.dataSection()
	}
	return nil
}

// A memory is the initial content of the module's memory, from address 0.
type memory struct {
	bytes []byte
	start int // lowest address that a segment sets
}

// readMemory applies the segments as an engine does: in order, to zeroed memory.
func readMemory(section []byte) (memory, error) {
	r := reader{rest: section}
	count := r.count()
	m := memory{start: maxMemory}
	for range count {
		flags, op := r.uleb(), r.byte()
		offset := r.uleb() // signed in wasm; the encodings agree for offsets below 2³¹, and larger ones fail below
		end := r.byte()
		data := r.take(r.uleb())
		if r.failed || flags != activeSegment || op != opI32Const || end != opEnd ||
			offset > maxMemory || offset+uint64(len(data)) > maxMemory {
			return memory{}, errModule
		}
		if need := int(offset) + len(data); need > len(m.bytes) {
			m.bytes = append(m.bytes, make([]byte, need-len(m.bytes))...)
		}
		copy(m.bytes[offset:], data)
		m.start = min(m.start, int(offset))
	}
	if len(r.rest) > 0 || len(m.bytes) == 0 {
		return memory{}, errModule
	}
	return m, nil
}

// dataSection returns the body of a data section with one segment that sets this memory.
func (m memory) dataSection() []byte {
	data := m.bytes[m.start:]
	body := []byte{1, activeSegment, opI32Const}
	body = appendSleb(body, uint64(m.start))
	body = append(body, opEnd)
	body = binary.AppendUvarint(body, uint64(len(data)))
	return append(body, data...)
}
