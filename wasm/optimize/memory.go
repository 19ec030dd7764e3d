package main

import (
	"bytes"
	"encoding/binary"
)

const activeSegment = 0x00 // copied into memory 0 when the module is instantiated

// maxMemory bounds the initial memory in bytes, so that a corrupt offset cannot allocate gigabytes. Go programs start
// with a few MB.
const maxMemory = 1 << 28

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

// zeroRun is the number of zeros that are left out between two segments. They take no space in a compressed module, but
// they do on a disk and in an engine.
const zeroRun = 1 << 16

// dataSection returns the body of a data section that sets this memory, with one segment if there are no long runs of
// zeros.
func (m memory) dataSection() []byte {
	zeros := make([]byte, zeroRun)
	var segments []byte
	count, start := uint64(0), m.start
	for start < len(m.bytes) {
		data := m.bytes[start:]
		end := len(data)
		if at := bytes.Index(data, zeros); at >= 0 {
			end = at
		}
		segments = appendSleb(append(segments, activeSegment, opI32Const), uint64(start))
		segments = append(binary.AppendUvarint(append(segments, opEnd), uint64(end)), data[:end]...)
		count++
		for start += end; start < len(m.bytes) && m.bytes[start] == 0; {
			start++
		}
	}
	return append(binary.AppendUvarint(nil, count), segments...)
}
